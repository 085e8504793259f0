import fc from "fast-check";

/** What generated functions are made of: locals by number, so that each printing can call them as it likes. */
export type Expression =
  | { is: "local"; index: number }
  | { is: "name"; text: string }
  | { is: "parameter"; text: string }
  | { is: "number"; text: string }
  | { is: "string"; text: string }
  | { is: "list"; name: string; items: Expression[] }
  | { is: "call"; name: string; items: Expression[] }
  | { is: "sum"; left: Expression; right: Expression }
  | { is: "member"; of: Expression; name: string };

export type Statement =
  | { is: "let"; value: Expression }
  | { is: "do"; value: Expression }
  | { is: "return"; value: Expression }
  | { is: "if"; condition: Expression; body: Statement[] }
  | { is: "each"; source: Expression; body: Statement[] };

/** How a program is written, none of which changes it. */
export interface Style {
  indent: string;
  quote: string;
  local: (index: number) => string;
  comments: boolean;
  airy: boolean;
  parentheses: boolean;
}

const free = fc.constantFrom("alpha", "beta", "gamma");
const leaf: fc.Arbitrary<Expression> = fc.oneof(
  fc.record({ is: fc.constant("local" as const), index: fc.nat(3) }),
  fc.record({ is: fc.constant("name" as const), text: free }),
  fc.record({ is: fc.constant("parameter" as const), text: fc.constantFrom("first", "second") }),
  fc.record({ is: fc.constant("number" as const), text: fc.nat(99).map(String) }),
  fc.record({ is: fc.constant("string" as const), text: fc.stringMatching(/^[a-z ]{0,6}$/) }),
);
const items = (of: fc.Arbitrary<Expression>) => fc.array(of, { maxLength: 3 });
const expression: fc.Arbitrary<Expression> = fc.letrec<{ node: Expression }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.record({ is: fc.constantFrom("list" as const, "call" as const), name: free, items: items(tie("node")) }),
    fc.record({ is: fc.constant("sum" as const), left: tie("node"), right: tie("node") }),
    fc.record({ is: fc.constant("member" as const), of: tie("node"), name: fc.constantFrom("size", "owner") }),
  ),
})).node;

const body = (of: fc.Arbitrary<Statement>) => fc.array(of, { minLength: 1, maxLength: 3 });
const statement: fc.Arbitrary<Statement> = fc.letrec<{ node: Statement }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ is: fc.constant("let" as const), value: expression }),
    fc.record({ is: fc.constantFrom("do" as const, "return" as const), value: expression }),
    fc.record({ is: fc.constant("if" as const), condition: expression, body: body(tie("node")) }),
    fc.record({ is: fc.constant("each" as const), source: expression, body: body(tie("node")) }),
  ),
})).node;

/** A function body. Every local is bound before it is used. */
export const program: fc.Arbitrary<Statement[]> = fc.array(statement, { minLength: 1, maxLength: 5 });

export const style: fc.Arbitrary<Style> = fc.record({
  indent: fc.constantFrom("  ", "    ", "\t"),
  quote: fc.constantFrom('"', "'"),
  local: fc.constantFrom("item", "value", "row").map((name) => (index: number) => `${name}${index}`),
  comments: fc.boolean(),
  airy: fc.boolean(),
  parentheses: fc.boolean(),
});

/** How one language writes what the printer asks for. */
interface Syntax {
  path: string;
  open: string;
  close: string;
  comment: string;
  bind(name: string, value: string): string;
  list(items: string): string;
  head(kind: "if" | "each", subject: string, name: string): string;
  quotes: boolean;
}

export const syntaxes: Record<string, Syntax> = {
  python: {
    path: "a.py",
    open: "def made(first, second):",
    close: "",
    comment: "#",
    bind: (name, value) => `${name} = ${value}`,
    list: (items) => `[${items}]`,
    head: (kind, subject, name) => (kind === "if" ? `if ${subject}:` : `for ${name} in ${subject}:`),
    quotes: true,
  },
  typescript: {
    path: "a.ts",
    open: "function made(first: number, second: number) {",
    close: "}",
    comment: "//",
    bind: (name, value) => `var ${name} = ${value};`,
    list: (items) => `[${items}]`,
    head: (kind, subject, name) => (kind === "if" ? `if (${subject}) {` : `for (var ${name} of ${subject}) {`),
    quotes: true,
  },
  go: {
    path: "a.go",
    open: "func made(first int, second int) {",
    close: "}",
    comment: "//",
    bind: (name, value) => `${name} := ${value}`,
    list: (items) => `[]int{${items}}`,
    head: (kind, subject, name) => (kind === "if" ? `if ok(${subject}) {` : `for _, ${name} := range ok(${subject}) {`),
    quotes: false,
  },
};

/** The function as a text. */
export function print(statements: readonly Statement[], syntax: Syntax, style: Style, extra = "1"): string {
  const lines = syntax.path.endsWith(".go") ? ["package p"] : [];
  lines.push(syntax.open);
  // All locals begin the function, so that each use finds its binding.
  for (let index = 0; index < 4; index++) lines.push(style.indent + syntax.bind(style.local(index), extra));
  lines.push(...block(statements, syntax, style, 1));
  if (syntax.close) lines.push(syntax.close);
  const told = style.comments
    ? lines.flatMap((line) => [line, `${/^\s*/.exec(line)?.[0]}${syntax.comment} why`])
    : lines;
  return `${told.join(style.airy ? "\n\n" : "\n")}\n`;
}

function block(statements: readonly Statement[], syntax: Syntax, style: Style, depth: number): string[] {
  const margin = style.indent.repeat(depth);
  return statements.flatMap((each, index): string[] => {
    if (each.is === "let") return [margin + syntax.bind(style.local(index % 4), write(each.value, syntax, style))];
    if (each.is === "return") return [`${margin}return ${write(each.value, syntax, style)}`];
    if (each.is === "do") return [`${margin}run(${write(each.value, syntax, style)})`];
    const subject = write(each.is === "if" ? each.condition : each.source, syntax, style);
    const head = margin + syntax.head(each.is, subject, style.local(index % 4));
    const close = syntax.close ? [margin + syntax.close] : [];
    return [head, ...block(each.body, syntax, style, depth + 1), ...close];
  });
}

function write(each: Expression, syntax: Syntax, style: Style): string {
  const inner = (of: Expression) => write(of, syntax, style);
  const listed = (of: Expression[]) => of.map(inner).join(style.airy ? " , " : ", ");
  if (each.is === "local") return style.local(each.index);
  if (each.is === "string") return syntax.quotes ? style.quote + each.text + style.quote : `"${each.text}"`;
  if (each.is === "list") return syntax.list(listed(each.items) + (style.airy && each.items.length > 0 ? "," : ""));
  if (each.is === "call") return `${each.name}(${listed(each.items)})`;
  if (each.is === "member") return `at(${inner(each.of)}).${each.name}`;
  if (each.is === "sum") {
    const sum = `${inner(each.left)} + (${inner(each.right)})`;
    return style.parentheses ? `(${sum})` : sum.startsWith("(") ? `(${sum})` : sum;
  }
  return each.text;
}
