/** The languages whose text is read as a tree; everything else is read by its tokens. */
export type Language =
  | "python"
  | "javascript"
  | "typescript"
  | "tsx"
  | "go"
  | "java"
  | "rust"
  | "ruby"
  | "php"
  | "c-sharp";

/**
 * What a node is for, whatever its grammar calls it. The parts a role may have (see `SyntaxNode.part`) stand behind it;
 * `…s` are repeated: `SyntaxNode.part` says `parameter`, `argument`, `name` of each. A part that a grammar does not tell
 * is left out, never guessed. Argument lists, parentheses and the like are no nodes: what is in them are children.
 *
 * - `function`: name, parameters, body, decorators, result (type); methods, lambdas, arrows and constructors alike
 * - `class`: name, bases, body, decorators; also interface, struct, trait, enum, impl
 * - `type`: name, value; an alias or a type without behaviour
 * - `parameter`: name, type, default
 * - `import`: module, names
 * - `declare`: name, value, type; the first binding of a variable, constant or field
 * - `assign`: target, value, operator (`+=`)
 * - `call`: callee, arguments; also `new X()`, macro calls
 * - `argument`: name, value; only where it is passed by name
 * - `member`: object, name; `a.b`, `a->b`, `a::b`
 * - `subscript`: object, index
 * - `raise`: value; also throw, panic!(…)
 * - `try`: body, handlers, finally
 * - `catch`: type, name, body; except, catch, rescue
 * - `if`: condition, then, else; also elif, unless, guard clauses and `if let`
 * - `choose`: condition, then, else; the conditional expression `a ? b : c`
 * - `switch`: value, cases · `case`: pattern, body
 * - `loop`: condition, target, source, body
 * - `return`: value · `yield`: value · `delete`: value · `await`: value
 * - `assert`: condition, message
 * - `binary`: left, right, operator (the token) · `unary`: value, operator
 * - `string`: pieces (`text` and `hole`), without an operator · `hole`: value; an interpolation
 * - `number` · `constant` (true, null, None …) · `name` (an identifier)
 * - `list`: elements; list, tuple, set, array · `map`: pairs · `pair`: key, value
 * - `decorator`: value; also annotations and attributes
 * - `block` · `comment` · `text` (the literal part of a string)
 */
export type Role =
  | "function"
  | "class"
  | "type"
  | "parameter"
  | "import"
  | "declare"
  | "assign"
  | "call"
  | "argument"
  | "member"
  | "subscript"
  | "raise"
  | "try"
  | "catch"
  | "if"
  | "choose"
  | "switch"
  | "case"
  | "loop"
  | "return"
  | "yield"
  | "delete"
  | "await"
  | "assert"
  | "binary"
  | "unary"
  | "string"
  | "hole"
  | "number"
  | "constant"
  | "name"
  | "list"
  | "map"
  | "pair"
  | "decorator"
  | "block"
  | "comment"
  | "text";

/** A node of a tree in the words all languages share. Plain data: nothing of the parser outlives the reading. */
export interface SyntaxNode {
  /** The grammar's own word. */
  type: string;
  role: Role | null;
  /** Which part of its parent it is, in the words of `Role`: `condition`, `argument`, `element`; null for the rest. */
  part: string | null;
  /** False for punctuation and keywords. */
  named: boolean;
  /** UTF-16 offsets into the text, the end exclusive. */
  start: number;
  end: number;
  /** Counted from 1. */
  line: number;
  endLine: number;
  parent: SyntaxNode | null;
  children: SyntaxNode[];
}

/** What of a file is compared one with one. */
export type SymbolKind = "function" | "class" | "type" | "value" | "imports" | "code";

export interface CodeSymbol {
  /** Within its file: `Class.method`, `DEFAULTS`, `<imports>`, `app.get("/carts")` (kind `code`), `<code>`. */
  name: string;
  kind: SymbolKind;
  /** Its nodes in order; one but for `imports` and `code`. For a class its head only: what is in it are symbols. */
  nodes: readonly SyntaxNode[];
  /** The function, class or type itself, its decorators among its children; null for other kinds. */
  definition: SyntaxNode | null;
  /** First and last line, counted from 1. */
  line: number;
  endLine: number;
  /** Names bound inside a function, its parameters not among them: callers may use those. */
  locals: ReadonlySet<string>;
  /** Tokens without comments, layout, quote style and trailing commas; bound locals numbered. Equal means: same program. */
  normalForm: readonly string[];
  /** Its doc comment or docstring. */
  documentation: string;
  /** True where other files can use it by the language's own rules (`export`, capital letter in Go, `pub`, `public`). */
  exported: boolean;
}

/** One text, read. */
export interface CodeText {
  path: string;
  text: string;
  /** Null: read by tokens, without a tree; its symbols have no nodes. */
  language: Language | null;
  /** By name. Of two with one name the second is `name#2`. */
  symbols: ReadonlyMap<string, CodeSymbol>;
  /** Lines that do not parse. Of a text that was read by tokens: none. */
  broken: readonly number[];
  /** All nodes below; null without a tree. */
  root: SyntaxNode | null;
  /** Why a text of a language above was read by tokens all the same. */
  unread?: string;
}

export function partOf(node: SyntaxNode, part: string): SyntaxNode | undefined {
  return node.children.find((child) => child.part === part);
}

export function partsOf(node: SyntaxNode, part: string): SyntaxNode[] {
  return node.children.filter((child) => child.part === part);
}

/** The node and everything below it, in the order of the text. */
export function* walk(node: SyntaxNode): Generator<SyntaxNode> {
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (let at = next.children.length - 1; at >= 0; at--) {
      const child = next.children[at];
      if (child) waiting.push(child);
    }
  }
}
