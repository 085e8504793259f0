import type { ServerResponse } from "node:http";
import type { Dialect, Refusal } from "./dialect.js";

/** A refusal in the maker's own form, and one that libraries do not try again. */
export function refuse(response: ServerResponse, dialect: Dialect, refusal: Refusal): void {
  const text = JSON.stringify(dialect.error(refusal));
  response.req.resume();
  const headers = { "content-type": "application/json", "x-should-retry": "false", connection: "close" };
  response.writeHead(refusal.status, headers).end(text);
}
