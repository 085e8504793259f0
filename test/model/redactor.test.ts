import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, leftOver, type Style } from "../../src/model/redactor.js";
import { redactIn, Secret } from "../../src/model/secret.js";

const value = "sk-Canary_7f3a91c2/Zq+x";
const secret = new Secret(value);
const base64 = Buffer.from(`user:${value}@host, and more behind it that makes it long`).toString("base64");
const wrapped = (text: string, columns: number, end: string) =>
  text.match(new RegExp(`.{1,${columns}}`, "g"))?.join(end) ?? "";

function hide(text: string, { piece = text.length, style = "replace" as Style, secrets = [secret] } = {}): string {
  const redactor = createRedactor(secrets, style);
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  // Copied, as what is let out may share memory with the piece.
  for (let at = 0; at < bytes.length; at += piece) out.push(Buffer.from(redactor.push(bytes.subarray(at, at + piece))));
  return Buffer.concat([...out, redactor.flush()]).toString("utf8");
}

const written: [string, string][] = [
  ["as it is", value],
  ["over two lines", wrapped(value, 9, "\n")],
  ["over lines of another system", wrapped(value, 9, "\r\n")],
  ["letter by letter", wrapped(value, 1, "\n")],
  ["with blanks between", wrapped(value, 1, " ")],
  ["returning to the start of the line", wrapped(value, 4, "\r")],
  ["in colours", wrapped(value, 3, "\u001b[1;31m")],
  ["each letter in a colour of its own", wrapped(value, 1, "\u001b[0m\u001b[38;5;12m")],
  ["behind the start of an escape sequence", `\u001b[${value}`],
  ["in another character set of the terminal", wrapped(value, 5, "\u001b(B")],
  ["as parts of an expression", wrapped(value, 6, '" +\n  "')],
  ["over lines that a shell joins", wrapped(value, 6, "\\\n")],
  ["in two bytes for each letter", wrapped(value, 1, "\0")],
  ["with marks between that nobody sees", wrapped(value, 1, "\u200b")],
  ["in base64 lines of 64", wrapped(base64, 64, "\n")],
  ["in base64 lines of 20", wrapped(base64, 20, "\r\n")],
  ["in base64 added to a patch", wrapped(base64, 20, "\n+")],
  ["in hexadecimal pairs", wrapped(Buffer.from(value).toString("hex"), 2, ":")],
];

test.each(written)("a secret %s is hidden, wherever a piece ends", (_, text) => {
  for (const piece of [1, 3, 7, 64, 1_000]) {
    const shown = hide(`before ${text} behind`, { piece });
    expect(shown, `pieces of ${piece}`).toContain("***");
    // At most what a base64 text holds beside the secret.
    expect(shown.replace(/[^0-9A-Za-z]/g, "").length).toBeLessThan(text.startsWith(base64.slice(0, 8)) ? 90 : 24);
    for (const part of [value.slice(0, 6), value.slice(-6)]) expect(shown).not.toContain(part);
  }
});

test("colours hide nothing where other secrets begin like what stands in them", () => {
  const others = ["31m-another-key-1", "1m-another-key-22", "m-another-key-333"].map((each) => new Secret(each));
  for (const piece of [1, 4, 1_000]) {
    expect(hide(wrapped(value, 1, "\u001b[31m"), { piece, secrets: [secret, ...others] })).toBe("***");
  }
});

test("pieces make no difference", () => {
  const letters = fc.constantFrom(...value, "\n", " ", "\u001b[31m", "\u001b", "[", "m", value, value.slice(0, 12));
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (parts, piece) => {
      const text = parts.join("");
      const shown = hide(text);
      expect(shown).not.toContain(value);
      expect(hide(text, { piece })).toBe(shown);
    }),
    { numRuns: 500 },
  );
});

test("bytes without a secret pass unharmed, whatever they are", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (bytes, piece) => {
      const redactor = createRedactor([secret, new Secret("abcdef")]);
      const out: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += piece)
        out.push(Buffer.from(redactor.push(bytes.subarray(at, at + piece))));
      expect(Buffer.concat([...out, redactor.flush()]).equals(bytes)).toBe(true);
      expect(redactor.found()).toBe(0);
    }),
  );
});

test("masked, every line and every length stays", () => {
  const text = `+one ${wrapped(value, 9, "\n+")} two\n`;
  const shown = hide(text, { style: "mask", piece: 5 });
  expect(shown).toBe("+one **-******\n+_********\n+/**+* two\n");
});

test("what waits for the next piece is bounded, whatever comes", () => {
  const redactor = createRedactor([secret]);
  let waits = 0;
  const piece = Buffer.alloc(64 * 1024);
  piece[0] = 0x73;
  for (let round = 0; round < 50; round++) waits += piece.length - redactor.push(piece).length;
  expect(waits).toBe(0);
  const letters = Buffer.from(wrapped("sk".repeat(40_000), 1, " ".repeat(60)));
  const longest = 64 * 300;
  expect(letters.length - redactor.push(letters).length).toBeLessThan(longest);
});

test("words that happen to hold a short secret's letters are left", () => {
  expect(hide("pass the word: pass word", { secrets: [new Secret("password")] })).toBe("pass the word: pass word");
});

test("of a half that was cut off, what is left in the next line is found, too", () => {
  const rest = Buffer.from(`${wrapped(value.slice(4), 5, "\n")} and more`);
  expect(leftOver(rest, [secret])).toBe(rest.length - " and more".length);
});

test("a document stays one, with the secrets of its keys and texts hidden", () => {
  const document = { [value]: 1, list: [value, wrapped(value, 3, "\n"), null, true, "\ud800"], "plain key": "plain" };
  expect(redactIn(document, [secret])).toEqual({
    "***": 1,
    list: ["***", "***", null, true, "\ud800"],
    "plain key": "plain",
  });
});
