import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/**
 * What an agent's library may tell a maker: what it sends and takes, which version and trials of the protocol it speaks, and
 * who it is. Anything else could change what a call is (`X-HTTP-Method-Override`), what is told of its cost
 * (`X-Goog-FieldMask`) or who pays for it.
 */
const asked = new Set([
  ...["accept", "content-type", "user-agent", "idempotency-key", "x-request-id", "x-app", "originator", "version"],
  ...["anthropic-version", "anthropic-beta", "anthropic-dangerous-direct-browser-access"],
  ...["openai-beta", "session_id", "conversation_id", "x-goog-api-client"],
]);

export function askedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const isAsked = (name: string) => asked.has(name) || name.startsWith("x-stainless-");
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isAsked(name)));
}

/** Never to be passed back: they are about one connection, or about who somebody is. */
const own = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-connection", "te", "trailer", "transfer-encoding"],
  ...["upgrade", "content-length", "set-cookie", "openai-organization", "openai-project", "anthropic-organization-id"],
]);

/** @param key no header that says it is passed back */
export function answeredHeaders(headers: IncomingHttpHeaders, key = "\0"): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  const mayPass = ([name, value]: [string, unknown]) =>
    !own.has(name) && !named.has(name) && !String(value).includes(key);
  return Object.fromEntries(Object.entries(headers).filter(mayPass));
}
