import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliDecompressSync } from "node:zlib";
import { Language, Parser, type Tree, type TreeCursor } from "web-tree-sitter";

/** A node as its grammar tells it: plain data, nothing of the parser outlives the reading. */
export interface GrammarNode {
  type: string;
  /** Left to whoever reads the tree. */
  role: null;
  /** The grammar's own field name. */
  part: string | null;
  named: boolean;
  /** UTF-16 offsets, the end exclusive. */
  start: number;
  end: number;
  /** Counted from 1. */
  line: number;
  endLine: number;
  parent: GrammarNode | null;
  children: GrammarNode[];
}

export type Parsed = { root: GrammarNode; broken: number[] } | { unread: string };

/** Longer texts are data or generated, and a tree takes about a hundred times their size. */
const longestText = 1_000_000;
/** Deeper than any code written by hand; whoever walks the tree may recurse. */
const deepest = 1000;
/**
 * The parser reports about every hundred steps. Dense real code takes 60 reports per thousand characters, so this stops
 * only texts that send its error recovery astray. A clock would stop other texts on a slower machine.
 */
const reportsAllowed = (length: number) => 2000 + length * 0.3;

interface Loaded {
  parser: Parser;
  types: string[];
  named: boolean[];
  fields: (string | null)[];
}

/**
 * Loads the parser and the grammars of these languages, and nothing else.
 *
 * `parse` is synchronous and never throws for any text: a text that is too long, too deep or takes the parser too many
 * steps comes back with the reason. `close` gives the parsers' memory back.
 */
export async function loadGrammars<Name extends string>(
  names: Iterable<Name>,
): Promise<{ parse: (name: Name, text: string) => Parsed; close: () => void }> {
  const loaded = new Map<string, Loaded>();
  for (const name of [...new Set(names)].sort()) loaded.set(name, await load(name));
  return {
    parse(name, text) {
      const grammar = loaded.get(name);
      if (!grammar) return { unread: `its grammar (${name}) was not loaded` };
      if (text.length > longestText) return { unread: `longer than ${longestText} characters` };
      return parseWith(grammar, text);
    },
    close() {
      for (const { parser } of loaded.values()) parser.delete();
      loaded.clear();
    },
  };
}

// The runtime is one per process, and so is what it has compiled.
let started: Promise<void> | undefined;
const compiled = new Map<string, Promise<Language>>();

async function load(name: string): Promise<Loaded> {
  started ??= Parser.init({ wasmBinary: bytes("runtime", "web-tree-sitter/web-tree-sitter.wasm") });
  await started;
  let compiling = compiled.get(name);
  compiling ??= Language.load(bytes(name, `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`));
  compiled.set(name, compiling);
  const language = await compiling;
  const parser = new Parser();
  parser.setLanguage(language);
  const named = Array.from({ length: language.nodeTypeCount }, (_, id) => language.nodeTypeIsNamed(id));
  return { parser, types: language.types, named, fields: language.fields };
}

/** The bundle carries its grammars compressed; the sources find them in the packages they come from. */
function bytes(name: string, file: string): Uint8Array {
  try {
    return brotliDecompressSync(readFileSync(new URL(`../grammars/${name}.wasm.br`, import.meta.url)));
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") throw error;
    return readFileSync(createRequire(import.meta.url).resolve(file));
  }
}

function parseWith(grammar: Loaded, text: string): Parsed {
  let reports = 0;
  const most = reportsAllowed(text.length);
  let tree: Tree | null = null;
  try {
    tree = grammar.parser.parse(text, null, { progressCallback: () => ++reports > most });
    if (!tree) return { unread: "the parser did not come to an end with it" };
    return plain(grammar, tree, text);
  } finally {
    grammar.parser.reset();
    tree?.delete();
  }
}

/** Walks by cursor: asking for nodes one by one costs several calls into the parser each. */
function plain(grammar: Loaded, tree: Tree, text: string): Parsed {
  const cursor = tree.walk();
  const reader = new Reader(grammar, cursor, new Lines(text));
  try {
    const root = reader.read(null);
    let node = root;
    let depth = 0;
    while (true) {
      // Punctuation and keywords hold nothing, and asking them costs as much as asking a function.
      if ((node.named || node.part !== null) && cursor.gotoFirstChild()) {
        if (++depth > deepest) return { unread: `nested more than ${deepest} levels deep` };
        node = reader.read(node);
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!node.parent || !cursor.gotoParent()) return { root, broken: [...reader.broken].sort((a, b) => a - b) };
        node = node.parent;
        depth--;
      }
      node = reader.read(node.parent);
    }
  } finally {
    cursor.delete();
  }
}

/** The parser's own number for what it could not read. */
const unreadable = 65535;

class Reader {
  readonly broken = new Set<number>();

  constructor(
    private readonly grammar: Loaded,
    private readonly cursor: TreeCursor,
    private readonly lines: Lines,
  ) {}

  /** The node the cursor is at, as the last child of its parent. */
  read(parent: GrammarNode | null): GrammarNode {
    const { cursor, grammar, lines } = this;
    const [id, start, end] = [cursor.nodeTypeId, cursor.startIndex, cursor.endIndex];
    const line = lines.at(start);
    if (id === unreadable || (start === end && cursor.nodeIsMissing)) this.broken.add(line);
    const node: GrammarNode = {
      type: id === unreadable ? "ERROR" : (grammar.types[id] ?? ""),
      role: null,
      part: grammar.fields[cursor.currentFieldId] ?? null,
      named: id === unreadable || (grammar.named[id] ?? false),
      start,
      end,
      line,
      endLine: lines.at(Math.max(start, end - 1)),
      parent,
      children: [],
    };
    parent?.children.push(node);
    return node;
  }
}

/** The line of an offset. Offsets are mostly asked in ascending order. */
class Lines {
  private readonly starts: number[] = [0];
  private last = 0;

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
  }

  /** Counted from 1. */
  at(offset: number): number {
    const { starts } = this;
    if (offset >= (starts[this.last] ?? 0) && offset < (starts[this.last + 1] ?? Number.POSITIVE_INFINITY))
      return this.last + 1;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    this.last = low;
    return low + 1;
  }
}
