import { type CodeText, partsOf, type SyntaxNode, walk } from "./syntax.js";

const python = words(
  "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict " +
    "dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int " +
    "isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property quit " +
    "range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip True False None " +
    "NotImplemented Ellipsis self cls _ __name__ __file__ __doc__ __all__ __class__ __path__ __package__ __spec__ " +
    "__builtins__ __import__ __debug__ __loader__ __version__ __dict__ __module__ __qualname__ WindowsError",
);
/** Exceptions are many and named alike. */
const pythonErrors =
  /^(?:\w*(?:Error|Warning|Exception|Interrupt)|SystemExit|GeneratorExit|StopIteration|StopAsyncIteration|BaseExceptionGroup|ExceptionGroup)$/;

/** What a text binds, and which names it uses that it does not. */
export interface NamesUsed {
  bound: ReadonlySet<string>;
  /** With the line of their first use. */
  unbound: ReadonlyMap<string, number>;
  /** True where names may come from anywhere. */
  isOpen: boolean;
}

const noNames: NamesUsed = { bound: new Set(), unbound: new Map(), isOpen: true };

/**
 * Names a text uses that nothing in it binds, where base's text of the same file does not know the word at all. Only for
 * languages in which a name must be bound in its own file (Python, without star imports); others answer nothing.
 */
export function undefinedNames(before: CodeText | null, after: CodeText): { name: string; line: number }[] {
  const { unbound, isOpen } = namesIn(after, before ? wordsOf(before.text) : undefined);
  return isOpen ? [] : [...unbound].map(([name, line]) => ({ name, line }));
}

/** @param known words that are no news: those of base's text */
export function namesIn(text: CodeText, known: ReadonlySet<string> = new Set()): NamesUsed {
  if (text.language !== "python" || !text.root || text.broken.length > 0) return noNames;
  const binder = new Binder(text.text);
  const uses = new Map<string, number>();
  // Such a module may make up its names while it runs.
  let isOpen = /\bglobals\(\)|\bexec\(|\b_convert_?\(/.test(text.text);
  for (const node of walk(text.root)) {
    if (node.type === "wildcard_import") isOpen = true;
    binder.read(node);
    const name = node.type === "identifier" && !isAttribute(node) ? text.text.slice(node.start, node.end) : "";
    if (name !== "" && !uses.has(name)) uses.set(name, node.line);
  }
  const isKnown = (name: string) => python.has(name) || pythonErrors.test(name) || known.has(name);
  const unbound = [...uses].filter(([name]) => !binder.bound.has(name) && !isKnown(name));
  return { bound: binder.bound, unbound: new Map(unbound), isOpen };
}

export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu));
}

/** What binds names, wherever it stands: scopes are not told apart, so that no name is missed. */
class Binder {
  readonly bound = new Set<string>();

  constructor(private readonly text: string) {}

  read(node: SyntaxNode): void {
    switch (node.role) {
      case "parameter":
        if (node.type === "identifier") this.bind(node);
        else this.parts(node, "name");
        break;
      case "function":
      case "class":
      case "type":
      case "declare":
      case "catch":
        this.parts(node, "name");
        break;
      case "assign":
      case "loop":
        this.parts(node, "target");
        break;
      case "case":
        this.parts(node, "pattern");
        break;
      case "import":
        this.import(this.source(node));
        break;
      default:
        if (/^(?:global_statement|nonlocal_statement|type_parameter)$/.test(node.type)) this.bind(node);
    }
  }

  private parts(node: SyntaxNode, part: string): void {
    for (const each of partsOf(node, part)) this.bind(each);
  }

  private bind(node: SyntaxNode): void {
    if (node.role === "member" || node.role === "subscript" || node.role === "call") return;
    if (node.children.length === 0) {
      for (const [name] of this.source(node).matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) this.bound.add(name);
    }
    for (const child of node.children) if (child.named) this.bind(child);
  }

  /** `import a.b` binds `a`, `import a.b as c` binds `c`, `from a import b` binds `b`. */
  private import(source: string): void {
    const names = source.replace(/#.*$/gm, "").replace(/^(?:from\s+\S+\s*)?import\b/, "");
    for (const each of names.replace(/[()\\]/g, " ").split(",")) {
      const [name = "", alias] = each.trim().split(/\s+as\s+/);
      this.bound.add(alias ?? name.split(".")[0]?.trim() ?? "");
    }
  }

  private source(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }
}

function isAttribute(node: SyntaxNode): boolean {
  const { parent } = node;
  return (parent?.role === "member" || parent?.role === "argument") && node.part === "name";
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
