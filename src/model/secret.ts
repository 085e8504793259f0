import { inspect } from "node:util";

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

/** Replaces every given secret in a text, longest first so that one inside another leaves no rest. */
export function redact(text: string, secrets: Iterable<Secret>): string {
  const values = [...secrets].map((secret) => secret.reveal()).filter((value) => value.length > 3);
  return values.sort((a, b) => b.length - a.length).reduce((rest, value) => rest.replaceAll(value, shown), text);
}

/** A connection URL and its password in the forms programs print it: as written in the URL, decoded, encoded anew. */
export function urlSecrets(url: Secret): Secret[] {
  const text = url.reveal();
  const written = URL.canParse(text) ? passwordsIn(new URL(text)) : [];
  const forms = written.flatMap((password) => [password, decoded(password), encodeURIComponent(decoded(password))]);
  return [...new Set([text, ...forms])].filter((form) => form !== "").map((form) => new Secret(form));
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
