import { expect, test } from "vitest";
import { loadGrammars } from "../../../src/clients/grammars.js";
import { differences } from "../../../src/facts/code/differences.js";
import { readText } from "../../../src/facts/code/read-text.js";
import { Outline } from "../../../src/facts/code/spans.js";
import type { Language } from "../../../src/facts/code/syntax.js";
import { undefinedNames } from "../../../src/facts/code/undefined-names.js";
import { randomOf } from "../../support/random.js";

/** Declarations of three languages; `NAME` and `VALUE` are filled in. */
const pieces: Record<string, string[]> = {
  "a.py": [
    "import NAME\n",
    "# about NAME\ndef NAME(a, b=VALUE):\n    x = a or VALUE\n    if x > VALUE:\n        raise ValueError(x)\n    return x\n\n\n",
    "class NAME(Base):\n    limit = VALUE\n\n    def first(self):\n        return helper(VALUE)\n\n    def second(self):\n        self.x = VALUE\n\n",
    "NAME = [VALUE, 2]\n",
    "if NAME:\n    print(VALUE)\nelse:\n    print(1)\n",
    "@decorated(VALUE)\ndef NAME():\n    return nobody_VALUE\n",
  ],
  "a.ts": [
    'import { NAME } from "NAME";\n',
    "/** About NAME. */\nexport function NAME(a: number) {\n  const x = a ?? VALUE;\n  if (x > VALUE) throw new Error();\n  return x;\n}\n\n",
    "class NAME {\n  limit = VALUE;\n  first() {\n    return helper(VALUE);\n  }\n}\n",
    "export const NAME = [VALUE, 2];\n",
    "if (NAME) {\n  log(VALUE);\n}\nelse {\n  log(1);\n}\n",
    "const NAME = () => {\n  return VALUE;\n};\nexport { NAME };\n",
  ],
  "a.go": [
    'import "NAME"\n',
    "// About NAME.\nfunc NAME(a int) int {\n\tx := a\n\tif x > VALUE {\n\t\tpanic(VALUE)\n\t}\n\treturn x\n}\n\n",
    "type NAME struct {\n\tlimit int\n}\n\nfunc (n NAME) First() int {\n\treturn helper(VALUE)\n}\n",
    "var NAME = VALUE\n",
    "const (\n\tNAME = VALUE\n)\n",
  ],
};

const names = ["one", "Two", "three", "Four", "five", "six", "seven"];

/** Texts of the same declarations in which some differ, are gone, are new, or stand elsewhere. */
function madeTexts(path: string, random: () => number): { before: string; after: string } {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const piece = () =>
    pick(pieces[path] ?? [])
      .replaceAll("NAME", pick(names))
      .replace("VALUE", `${Math.floor(random() * 3)}`);
  const before = Array.from({ length: 6 }, piece);
  const after = before.flatMap((each) => {
    const chance = random();
    if (chance < 0.15) return [];
    if (chance < 0.3) return [each, piece()];
    return chance < 0.6 ? [each.replaceAll("VALUE", `${Math.floor(random() * 9)}`)] : [each];
  });
  const filled = (parts: string[]) => parts.join(random() < 0.5 ? "" : "\n").replaceAll("VALUE", "7");
  return { before: filled(before), after: filled(random() < 0.1 ? after.toReversed() : after) };
}

test.each(Object.keys(pieces))(
  "what is read of changed declarations alone is what both whole texts say (%s)",
  async (path) => {
    const language: Language = path.endsWith("py") ? "python" : path.endsWith("ts") ? "typescript" : "go";
    const { parse, close } = await loadGrammars<Language>([language]);
    const read = (text: string) => readText(path, text, parse);
    let told = 0;
    for (let seed = 1; seed <= 600; seed++) {
      const { before, after } = madeTexts(path, randomOf(seed));
      const [old, now] = [read(before), read(after)];
      const parts = Outline.of(old, read)?.differences(after);
      if (parts === undefined) continue;
      if (parts.symbols.length > 0) told += 1;
      expect(parts, `${before}\n=====\n${after}`).toEqual({
        symbols: differences(old, now),
        undefinedNames: undefinedNames(old, now),
      });
    }
    close();
    expect(told).toBeGreaterThan(25);
  },
);
