import type { CodeKind, Found, Place } from "./kinds/kind.js";
import { kinds } from "./kinds/kinds.js";
import { Spelling } from "./kinds/spelling.js";
import type { CodeSymbol, CodeText, Role, SyntaxNode } from "./syntax.js";

/** Something one text says, how often, and where first. */
export interface Observation extends Found {
  kind: string;
  line: number;
  count: number;
}

/** By kind, slot and value. */
export type Observations = ReadonlyMap<string, Observation>;

const byRole = new Map<Role, CodeKind[]>();
for (const kind of kinds) {
  for (const role of kind.roles) byRole.set(role, [...(byRole.get(role) ?? []), kind]);
}
const byTokens = kinds.filter((kind) => kind.readTokens);

/** Everything one symbol says, by all kinds, in one walk. */
export function observe(symbol: CodeSymbol, text: CodeText): Observations {
  const observed = new Map<string, Observation>();
  const place: Place = { symbol, text, spelling: new Spelling(text, symbol.locals) };
  const add = (kind: string, found: readonly Found[], line: number) => {
    for (const each of found) {
      const key = [kind, each.slot, each.value].join("\u0001");
      const before = observed.get(key);
      if (before) before.count += 1;
      else observed.set(key, { ...each, kind, line, count: 1 });
    }
  };
  for (const node of nodesOf(symbol)) {
    for (const kind of (node.role && byRole.get(node.role)) ?? []) add(kind.kind, kind.read(node, place), node.line);
  }
  if (text.root === null) {
    for (const kind of byTokens) add(kind.kind, kind.readTokens?.(place) ?? [], symbol.line);
  }
  return observed;
}

/** The nodes of a symbol. What stands in a class belongs to symbols of its own. */
function nodesOf(symbol: CodeSymbol): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const open = [...symbol.nodes].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node);
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index];
      if (child && !(symbol.kind === "class" && child.part === "body")) open.push(child);
    }
  }
  return nodes;
}
