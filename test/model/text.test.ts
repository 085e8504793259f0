import fc from "fast-check";
import { expect, test } from "vitest";
import { plainLine } from "../../src/model/text.js";

test.each([
  ["::error::x", ": :error::x"],
  ["  ::set-output name=a::b", " : :set-output name=a::b"],
  ["r01 crashed · ##[error]x", "r01 crashed · # #[error]x"],
  ["one\n::error::x", "one ::error::x"],
  ["one\r##[group]x", "one # #[group]x"],
  ["\u001b[31mred\u001b[0m", "\ufffd[31mred\ufffd[0m"],
  ["a::b and std::vector", "a::b and std::vector"],
])("%j is logged as plain text", (text, logged) => {
  expect(plainLine(text)).toBe(logged);
});

test("whatever is logged is one line without a command in it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("#", "[", ":", " ", "\n", "\r", "\u2028", "\u200b", "a") }),
      (text) => {
        const logged = plainLine(text);
        expect(logged).not.toMatch(/[\n\r\u2028\u2029]|##\[|^\s*::/);
      },
    ),
  );
});
