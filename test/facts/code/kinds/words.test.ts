import fc from "fast-check";
import { expect, test } from "vitest";
import { quoted } from "../../../../src/facts/code/kinds/kind.js";
import { kinds } from "../../../../src/facts/code/kinds/kinds.js";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ maxLength: 300 }),
  fc.constantFrom("raises `x`", "\u202eabc", "a\u200bb", "😀".repeat(90), "\ud800", "a\nb\tc"),
);

test("A title has at most 80 characters and a label none that deceive, whatever a run wrote", () => {
  fc.assert(
    fc.property(text, text, text, fc.boolean(), (slot, value, where, gone) => {
      for (const kind of kinds) {
        const words = { slot, where: where === "" ? "" : ` in ${quoted(where, 40)}`, gone };
        const title = kind.title(words);
        expect(title.length, `${kind.kind}: ${title}`).toBeLessThanOrEqual(80);
        for (const said of [title, kind.label(value, words), kind.absent(words)]) {
          expect(said, kind.kind).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
          expect(said.length, kind.kind).toBeGreaterThan(0);
        }
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("What a run wrote cannot close the back-ticks around it", () => {
  expect(quoted("a`b` **c**")).toBe("`a'b' **c**`");
});

test("A text that is cut never ends in half a character", () => {
  expect(quoted(`${"a".repeat(8)}😀b`, 10)).toBe(`\`${"a".repeat(8)}…\``);
});

test("Every kind has a name of its own", () => {
  expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(kinds.length);
});
