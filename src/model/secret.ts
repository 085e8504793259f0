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

/** Shorter ones are found in any text: hiding them would only spoil it. */
const shortestEncoded = 8;
const known = new WeakMap<Secret, readonly string[]>();

/**
 * A secret as it is, and as whoever wants to get it past us, or means no harm, writes it: in base64 at each of the three
 * places it can begin in a longer text, plain and for URLs; in hexadecimal; percent-encoded; inside a JSON string.
 */
export function writtenForms(secret: Secret): readonly string[] {
  let forms = known.get(secret);
  if (!forms) {
    const value = secret.reveal();
    const encoded = encodingsOf(value).filter((form) => form.length >= shortestEncoded);
    forms = [...new Set([value, ...(value.length >= shortestEncoded ? encoded : [])])];
    known.set(secret, forms);
  }
  return forms;
}

function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // A character that also holds bits of what stands before or behind is another one each time.
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const forUrls = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const hex = bytes.toString("hex");
  const percent = [...bytes].map(percentOf).join("");
  const everyByte = hex.replace(/../g, "%$&");
  const lower = percent.replace(/%../g, (code) => code.toLowerCase());
  const json = JSON.stringify(value).slice(1, -1);
  const more = [percent, lower, everyByte, everyByte.toUpperCase(), json, json.replaceAll("/", "\\/")];
  return [...base64, ...forUrls, hex, hex.toUpperCase(), ...more];
}

/** As `encodeURIComponent` does it, which refuses what is no text. */
function percentOf(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[\w.!~*'()-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Replaces every given secret in a text, however it is written, longest first so that one inside another leaves no rest. */
export function redact(text: string, secrets: Iterable<Secret>): string {
  return hide(text, [...secrets].flatMap(writtenForms));
}

/** Replaces values that are all that must not be seen, as they are. */
export function hide(text: string, forms: readonly string[]): string {
  const values = forms.filter((value) => value.length > 3);
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
