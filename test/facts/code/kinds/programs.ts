import fc from "fast-check";

/** Small programs, the same in several languages: what a statement does, not how it is written. */
export type Expression =
  | { is: "number"; value: number }
  | { is: "string"; value: string }
  | { is: "parameter" }
  | { is: "local"; index: number }
  | { is: "attribute"; name: string }
  | { is: "list"; values: string[] }
  | { is: "call"; name: string; value: Expression };

export type Statement =
  | { does: "local"; index: number; value: Expression }
  | { does: "set"; name: string; value: Expression }
  | { does: "call"; name: string; value: Expression }
  | { does: "refuse"; than: number; error: string }
  | { does: "test"; than: number; inside: Statement[] }
  | { does: "return"; value: Expression };

/** How a program is written, which changes nothing of what it does. */
export interface Style {
  locals: string[];
  comments: boolean;
  wide: boolean;
}

export const plain: Style = { locals: ["a0", "a1", "a2"], comments: false, wide: false };
export const other: Style = { locals: ["other", "zed", "item"], comments: true, wide: true };
export const languages = ["a.py", "a.ts", "a.go"] as const;
type Path = (typeof languages)[number];

const word = fc.constantFrom("load", "store", "size", "user", "limit", "flush", "Missing");
const expression = fc.letrec<{ any: Expression }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.record({ is: fc.constant("number" as const), value: fc.nat(20) }),
    fc.record({ is: fc.constant("string" as const), value: word }),
    fc.record({ is: fc.constant("parameter" as const) }),
    fc.record({ is: fc.constant("local" as const), index: fc.nat(2) }),
    fc.record({ is: fc.constant("attribute" as const), name: word }),
    fc.record({ is: fc.constant("list" as const), values: fc.array(word, { minLength: 2, maxLength: 3 }) }),
    fc.record({ is: fc.constant("call" as const), name: word, value: tie("any") }),
  ),
})).any;

export const statement = fc.letrec<{ any: Statement }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    fc.record({ does: fc.constant("local" as const), index: fc.nat(2), value: expression }),
    fc.record({ does: fc.constant("set" as const), name: word, value: expression }),
    fc.record({ does: fc.constant("call" as const), name: word, value: expression }),
    fc.record({ does: fc.constant("refuse" as const), than: fc.nat(9), error: fc.constantFrom("TypeErr", "RangeErr") }),
    fc.record({
      does: fc.constant("test" as const),
      than: fc.nat(9),
      inside: fc.array(tie("any"), { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ does: fc.constant("return" as const), value: expression }),
  ),
})).any;

export const statements = fc.array(statement, { maxLength: 5 });

/** One function of these statements, behind the declarations of all its locals. */
export function program(path: Path, body: readonly Statement[], style: Style): string {
  const writer = new Writer(path, style);
  const declared = style.locals.map((name, index) => writer.declare(name, index));
  const lines = [...declared, ...body.flatMap((each) => writer.statement(each, 1))].join("\n");
  if (path === "a.py") return `def work(self, given):\n${lines}\n    done()\n`;
  if (path === "a.ts") return `class A {\n  work(given) {\n${lines}\n    done();\n  }\n}\n`;
  return `package a\n\nfunc (self *A) Work(given int) any {\n${lines}\n\tdone()\n\treturn nil\n}\n`;
}

class Writer {
  constructor(
    private readonly path: Path,
    private readonly style: Style,
  ) {}

  declare(name: string, index: number): string {
    const [open, sign, close] =
      this.path === "a.py" ? ["", "=", ""] : this.path === "a.ts" ? ["let ", "=", ";"] : ["", ":=", ""];
    return `${this.indent(1)}${open}${name} ${sign} ${100 + index}${close}`;
  }

  statement(each: Statement, depth: number): string[] {
    const { path, style } = this;
    const pad = this.indent(depth);
    const end = path === "a.ts" ? ";" : "";
    const remark = style.comments ? [`${pad}${path === "a.py" ? "#" : "//"} ${each.does} it`] : [];
    const self = path === "a.ts" ? "this" : "self";
    switch (each.does) {
      case "local":
        return [...remark, `${pad}${style.locals[each.index]} = ${this.expression(each.value)}${end}`];
      case "set":
        return [...remark, `${pad}${self}.${each.name} = ${this.expression(each.value)}${end}`];
      case "call":
        return [...remark, `${pad}${this.call(each.name, each.value)}${end}`];
      case "return":
        return [...remark, `${pad}return ${this.expression(each.value)}${end}`];
      case "refuse":
        return [
          ...remark,
          ...this.branch(each.than, [`${this.indent(depth + 1)}${this.raise(each.error)}${end}`], depth),
        ];
      case "test":
        return [
          ...remark,
          ...this.branch(
            each.than,
            each.inside.flatMap((inner) => this.statement(inner, depth + 1)),
            depth,
          ),
        ];
    }
  }

  private branch(than: number, lines: string[], depth: number): string[] {
    const pad = this.indent(depth);
    if (this.path === "a.py") return [`${pad}if given > ${than}:`, ...lines];
    const test = this.path === "a.ts" ? `(given > ${than})` : `given > ${than}`;
    return [`${pad}if ${test} {`, ...lines, `${pad}}`];
  }

  private raise(error: string): string {
    if (this.path === "a.py") return `raise ${error}("no")`;
    return this.path === "a.ts" ? `throw new ${error}("no")` : `return Err${error}`;
  }

  private expression(value: Expression): string {
    switch (value.is) {
      case "number":
        return `${value.value}`;
      case "string":
        return this.style.wide && this.path !== "a.go" ? `'${value.value}'` : `"${value.value}"`;
      case "parameter":
        return "given";
      case "local":
        return this.style.locals[value.index] ?? "";
      case "attribute":
        return `${this.path === "a.ts" ? "this" : "self"}.${value.name}`;
      case "list":
        return this.list(value.values);
      case "call":
        return this.call(value.name, value.value);
    }
  }

  private list(values: readonly string[]): string {
    const written = values.map((each) => JSON.stringify(each));
    const [open, close] = this.path === "a.go" ? ["[]string{", "}"] : ["[", "]"];
    return this.style.wide ? `${open}\n${written.join(",\n")},\n${close}` : `${open}${written.join(", ")}${close}`;
  }

  private call(name: string, value: Expression): string {
    const written = this.expression(value);
    return this.style.wide ? `${name}(\n${written},\n)` : `${name}(${written})`;
  }

  private indent(depth: number): string {
    return this.path === "a.go" ? "\t".repeat(depth) : "    ".repeat(this.path === "a.ts" ? depth + 1 : depth);
  }
}
