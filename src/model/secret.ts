import { inspect } from "node:util";
import { createRedactor, type Redactor, type Style } from "./redactor.js";

const shown = "***";

/** A value that no string form, JSON or console shows. `reveal()` is the one way to it and easy to search for. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}

/** Replaces every given secret in a text, however it is written; see `createRedactor`. */
export function redact(text: string, secrets: Iterable<Secret>): string {
  return rewritten(text, createRedactor([...secrets]));
}

/** The same in all texts of a JSON document, names of its keys included, so that it stays one. */
export function redactIn<T>(document: T, secrets: Iterable<Secret>, style: Style = "replace"): T {
  const redactor = createRedactor([...secrets], style);
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return rewritten(value, redactor);
    if (Array.isArray(value)) return value.map(clean);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [rewritten(key, redactor), clean(each)]));
  };
  return clean(document) as T;
}

/** Unchanged where nothing is found: halves of surrogate pairs would not survive the way through bytes. */
function rewritten(text: string, redactor: Redactor): string {
  const before = redactor.found();
  const bytes = Buffer.concat([redactor.push(Buffer.from(text, "utf8")), redactor.flush()]);
  return redactor.found() === before ? text : bytes.toString("utf8");
}

const passwords = new WeakMap<Secret, Secret[]>();

/** A connection URL and its password in the forms programs print it: as written in the URL, decoded, encoded anew. */
export function urlSecrets(url: Secret): Secret[] {
  const before = passwords.get(url);
  if (before) return before;
  const text = url.reveal();
  const written = URL.canParse(text) ? passwordsIn(new URL(text)) : [];
  const forms = written.flatMap((password) => [password, decoded(password), encodeURIComponent(decoded(password))]);
  const found = [...new Set([text, ...forms])].filter((form) => form !== "").map((form) => new Secret(form));
  passwords.set(url, found);
  return found;
}

function passwordsIn(url: URL): string[] {
  return [url.password, url.searchParams.get("password") ?? ""];
}

/** Unchanged where a stray percent sign makes it no encoding at all. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
