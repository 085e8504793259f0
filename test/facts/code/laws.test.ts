import fc from "fast-check";
import { expect, test } from "vitest";
import { print, program, type Statement, style, syntaxes } from "./programs.js";
import { normal, reader } from "./reading.js";

const read = await reader("python", "typescript", "go");

for (const [language, syntax] of Object.entries(syntaxes)) {
  const form = (text: string) => {
    const read_ = read(syntax.path, text);
    expect(read_.broken, text).toEqual([]);
    return normal(read_, "made");
  };

  test(`Another layout, other comments, quotes and names of locals leave a function in ${language} the same`, () => {
    fc.assert(
      fc.property(program, style, style, (statements, one, other) => {
        expect(form(print(statements, syntax, one))).toBe(form(print(statements, syntax, other)));
      }),
      { numRuns: 80 },
    );
  });

  test(`Another free name, parameter, element or order of elements makes another function in ${language}`, () => {
    fc.assert(
      fc.property(program, style, (statements, written) => {
        const before = form(print(statements, syntax, written));
        const text = print(statements, syntax, written);
        for (const [from, to] of [
          ["alpha", "omega"],
          ["second", "third"],
          ["owner", "holder"],
        ] as const) {
          if (text.includes(from)) expect(form(text.replaceAll(from, to))).not.toBe(before);
        }
        const listed = (items: string) => print([...statements, list(items.split(","))], syntax, written);
        expect(form(listed("1,2"))).not.toBe(form(listed("2,1")));
        expect(form(listed("1,2"))).not.toBe(form(listed("1,2,3")));
      }),
      { numRuns: 40 },
    );
  });
}

function list(items: string[]): Statement {
  return { is: "do", value: { is: "list", name: "", items: items.map((text) => ({ is: "number", text })) } };
}
