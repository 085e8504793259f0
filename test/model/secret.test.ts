import fc from "fast-check";
import { expect, test } from "vitest";
import { redact, Secret } from "../../src/model/secret.js";

const value = 'p4ss/w+rd é?&="x';
const secret = new Secret(value);

test.each([
  ["as it is", (text: string) => text],
  ["in base64", (text: string) => Buffer.from(text).toString("base64")],
  ["in base64 for URLs", (text: string) => Buffer.from(text).toString("base64url")],
  ["in hexadecimal", (text: string) => Buffer.from(text).toString("hex")],
  ["in capital hexadecimal", (text: string) => Buffer.from(text).toString("hex").toUpperCase()],
  ["percent-encoded", encodeURIComponent],
  ["inside JSON", (text: string) => JSON.stringify({ text })],
] as const)("a secret %s is hidden, wherever it stands in what is written so", (_, write) => {
  for (const before of ["", "a", "ab", "abc", "user:"]) {
    for (const behind of ["", "z", "@host/db"]) {
      const written = write(`${before}${value}${behind}`);
      const shown = redact(written, [secret]);
      expect(shown).toContain("***");
      // What is left says nothing: at most the characters that hold bits of its neighbours.
      expect(shown.length).toBeLessThan(written.length - value.length + 8);
    }
  }
});

test("a text without the secret stays as it is", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes(value));
      expect(redact(text, [secret])).toBe(text);
    }),
  );
});

test("a short secret is hidden as it is only: its encodings are found in any text", () => {
  expect(redact("abcd YWJj 61626364", [new Secret("abcd")])).toBe("*** YWJj 61626364");
});
