import type { Secret } from "./secret.js";

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
