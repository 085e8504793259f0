import type { CodeFact, CodeKindWords, SymbolChange } from "../../model/code.js";
import { rootSlots } from "../../model/fact.js";
import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText, mostCommon } from "../../model/text.js";
import { fileOf } from "./breakage.js";
import { type ChangedSymbol, type CodeRun, partsOfKey } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { newFilesOf } from "./files.js";
import { type Places, symbolLabel } from "./place.js";

type Kinds = ReadonlyMap<string, CodeKindWords>;

interface Beside {
  run: RunId;
  symbol: ChangedSymbol;
}

/** Symbols that the same runs change. */
interface Shared {
  keys: string[];
  editors: Map<RunId, ChangedSymbol>;
}

/** Words of the languages themselves, and names that stand everywhere, tie nothing together. */
const empty =
  /^(?:self|this|cls|if|else|elif|import|from|in|not|for|return|def|and|or|is|None|True|False|null|true|false|const|let|var|function|new|func|public|private|static|final|void|string|String|int|boolean|number|class|try|except|catch|raise|throw|throws|async|await|err|nil|end|do|then|fn|mut|pub|use|type|package|export|default|with|as|pass|while|break|continue|yield|lambda|length|get|put|set|push|append|add|has|map|filter|join|log|Log|Math|Object|Array|Map|Set|List|Error|Exception)$/;

/** Rows of symbols that several runs change beside the place. */
const mostShared = 4;
/** Runs that must share a name before it is a theme. */
const fewest = 3;

/** What runs change besides the place of the change: what several change is a row, edits that share a name are a theme. */
export function tellBesides(runs: readonly CodeRun[], places: Places, facts: CodeFactsOf, kinds: Kinds): void {
  const own = newFilesOf(runs);
  const left = new Set(runs.flatMap((run) => besidesOf(run, places)).filter(({ symbol }) => !own.has(symbol.file)));
  tellThemes(left, runs, facts);
  for (const shared of sharedSymbols(left, runs).slice(0, mostShared)) {
    tellShared(shared, runs, facts, kinds);
    for (const each of [...left]) if (shared.keys.includes(each.symbol.key)) left.delete(each);
  }
  const references = new Set(runs.flatMap(({ id, isReference }) => (isReference ? [id] : [])));
  const editors = groupBy(left, ({ symbol }) => symbol.key);
  for (const each of editors.values()) {
    const counted = each.filter(({ run }) => !references.has(run));
    if (counted.length === 1) for (const { run, symbol } of each) tellAlone(run, symbol, facts);
  }
}

/** A name that edits of more runs share than change any one symbol. */
function tellThemes(left: Set<Beside>, runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const counted = new Set(runs.flatMap(({ id, isReference }) => (isReference ? [] : [id])));
  const widest = Math.max(0, ...sharedSymbols(left, runs).map(({ editors }) => countedIn(editors, counted)));
  const theme = widestTheme([...left].filter(({ run }) => counted.has(run)));
  const members = [...left].filter(({ symbol }) => theme !== undefined && symbol.change.identifiers.includes(theme));
  const editors = countedIn(new Map(members.map(({ run, symbol }) => [run, symbol])), counted);
  if (theme === undefined || editors <= widest || editors === counted.size) return;
  tellTheme(theme, members, runs, facts);
  for (const each of members) left.delete(each);
}

function besidesOf(run: CodeRun, places: Places): Beside[] {
  const own = places.of.get(run.id);
  return run.symbols
    .filter(({ key, change }) => !own?.has(key) && !run.helpers.has(key) && change.kind !== "imports")
    .filter(({ change, file }) => file.broken === null || (change.status === "edited" && change.kind !== "code"))
    .map((symbol) => ({ run: run.id, symbol }));
}

/** What at least two runs change, the widest first; symbols that the same runs change are one row. */
function sharedSymbols(besides: ReadonlySet<Beside>, runs: readonly CodeRun[]): Shared[] {
  const counted = new Set(runs.flatMap(({ id, isReference }) => (isReference ? [] : [id])));
  const shared = [...groupBy(besides, ({ symbol }) => symbol.key)]
    .map(([key, each]) => ({ keys: [key], editors: new Map(each.map(({ run, symbol }) => [run, symbol])) }))
    .filter(({ editors }) => countedIn(editors, counted) >= 2 && countedIn(editors, counted) < counted.size)
    .filter(({ editors }) => ![...editors.values()].every(isNewValue));
  const merged = [...groupBy(shared, ({ editors }) => [...editors.keys()].sort(compareText).join()).values()];
  return merged
    .map((group) => ({
      keys: group.flatMap(({ keys }) => keys).sort(compareText),
      editors: group.length === 1 && group[0] ? group[0].editors : together(group),
    }))
    .sort(
      (a, b) =>
        countedIn(b.editors, counted) - countedIn(a.editors, counted) || compareText(a.keys.join(), b.keys.join()),
    );
}

/** A constant somebody needs for something else. */
function isNewValue({ change }: ChangedSymbol): boolean {
  return change.kind === "value" && change.status === "added";
}

function countedIn(editors: ReadonlyMap<RunId, unknown>, counted: ReadonlySet<RunId>): number {
  return [...editors.keys()].filter((run) => counted.has(run)).length;
}

/** Of several symbols the first stands for all. */
function together(group: readonly Shared[]): Map<RunId, ChangedSymbol> {
  const [first] = [...group].sort((a, b) => compareText(a.keys.join(), b.keys.join()));
  return first?.editors ?? new Map();
}

function tellShared({ keys, editors }: Shared, runs: readonly CodeRun[], facts: CodeFactsOf, kinds: Kinds): void {
  const [key = ""] = keys;
  const ways = keys.length === 1 ? waysOf(editors, kinds) : new Map<RunId, string>();
  const all = keys.length === 1 ? sharedLabel([...editors.values()], [], kinds) : undefined;
  const names = keys.slice(0, 2).map((each) => symbolLabel(each, false));
  const subject = `${names.join(", ")}${keys.length > 2 ? ` and ${keys.length - 2} more` : ""}`;
  const plural = keys.length > 1;
  for (const { id, symbols } of runs) {
    const symbol = editors.get(id);
    // Where it makes the change, or what a theme tells of, is not left alone.
    if (!symbol && symbols.some((each) => keys.includes(each.key))) continue;
    const way = ways.get(id) ?? "";
    const told = way !== "" ? way : (all ?? verb(symbol));
    facts.of(id, {
      slot: `code beside ${key}`,
      aspect: "beside",
      value: symbol ? `changed ${way}` : "absent",
      label: symbol ? told : plural ? "untouched" : untouched(editors),
      title: titleOf(subject, plural ? "" : ` (\`${fileOf(key)}\`)`),
      topic: `what becomes of ${subject}`,
      subject,
      weight: 0.5,
      quiet: true,
      lack: !symbol,
      evidence: symbol ? [{ file: symbol.file.path, line: symbol.change.line }] : [],
    });
  }
}

function titleOf(subject: string, where: string): string {
  const title = `Besides: what becomes of ${subject}${where}?`;
  return [...title].length <= 80 ? title : `Besides: what becomes of ${subject}?`;
}

const otherwise = "changed otherwise";

/**
 * By run the way it changes a symbol, in words, where at least two change it alike (the same facts, or equal program text
 * where there are none) and the ways can be told apart.
 */
function waysOf(editors: ReadonlyMap<RunId, ChangedSymbol>, kinds: Kinds): Map<RunId, string> {
  const ways = [...groupBy(editors, ([, symbol]) => wayOf(symbol, [...editors.values()], kinds))];
  const alone = ways.filter(([, members]) => members.length === 1);
  if (alone.length === ways.length) return new Map();
  const labels = ways.map(([way, members]): [string, string] => {
    if (members.length === 1 && alone.length > 1) return [way, otherwise];
    const symbols = members.map(([, symbol]) => symbol);
    const others = ways.flatMap(([other, each]) => (other === way ? [] : each.map(([, symbol]) => symbol)));
    return [way, sharedLabel(symbols, others, kinds) ?? verb(symbols[0])];
  });
  const told = labels.filter(([, label]) => label !== otherwise).map(([, label]) => label);
  // Two ways in the same words would hide their difference.
  if (new Set(told).size < told.length) return new Map();
  const words = new Map(labels);
  return new Map(
    ways.flatMap(([way, members]) => members.map(([run]): [RunId, string] => [run, words.get(way) ?? way])),
  );
}

function wayOf(symbol: ChangedSymbol, all: readonly ChangedSymbol[], kinds: Kinds): string {
  const own = toldBy(symbol, kinds);
  if (!symbol.isTranslated) return own;
  // Long texts are told by their beginning and a hash, which knows nothing of other names: what most write is meant.
  const others = all.filter((other) => !other.isTranslated).map((other) => toldBy(other, kinds));
  return mostCommon(others.filter((other) => withoutHashes(other) === withoutHashes(own))) ?? own;
}

function toldBy(symbol: ChangedSymbol, kinds: Kinds): string {
  return [...saidIn(symbol, kinds)].sort(compareText).join() || symbol.change.normal;
}

function withoutHashes(text: string): string {
  return text.replace(/#[0-9a-f]{8}\b/g, "#");
}

/** Asked for again and again of one change, which several runs may share. */
const said = new WeakMap<SymbolChange, ReadonlySet<string>>();

function saidIn({ change }: ChangedSymbol, kinds: Kinds): ReadonlySet<string> {
  const known =
    said.get(change) ??
    new Set(change.facts.filter(({ slight, kind }) => !slight && kinds.get(kind)?.textual !== true).map(nameOf));
  said.set(change, known);
  return known;
}

function nameOf({ kind, slot, value, gone }: CodeFact): string {
  return JSON.stringify([kind, slot, value, gone]);
}

/** The two things that say most of what all of some runs do to a symbol and not all others do. */
function sharedLabel(
  symbols: readonly ChangedSymbol[],
  others: readonly ChangedSymbol[],
  kinds: Kinds,
): string | undefined {
  const inAll = (all: readonly ChangedSymbol[], name: string) => all.every((symbol) => saidIn(symbol, kinds).has(name));
  const told = (symbols[0]?.change.facts ?? []).flatMap((fact) => {
    const { kind, slot, shown, gone, slight } = fact;
    const words = kinds.get(kind);
    if (!words || words.textual || words.weight < 1 || kind === "symbol" || slight || !inAll(symbols, nameOf(fact)))
      return [];
    if (others.length > 0 && inAll(others, nameOf(fact))) return [];
    return [{ weight: words.weight, label: words.label(shown, { slot, where: "", gone }) }];
  });
  const best = told.sort((a, b) => b.weight - a.weight || compareText(a.label, b.label));
  const labels = [...new Set(best.map(({ label }) => label))].slice(0, 2);
  return labels.length > 0 ? labels.join("; ") : undefined;
}

function verb(symbol: ChangedSymbol | undefined): string {
  const status = symbol?.change.status;
  return status === "added" || status === "removed" ? status : "changed";
}

function untouched(editors: ReadonlyMap<RunId, ChangedSymbol>): string {
  return [...editors.values()].every(({ change }) => change.status === "added") ? "not added" : "untouched";
}

/** The name that edits of most runs share; the longest of several. */
function widestTheme(besides: readonly Beside[]): string | undefined {
  const runsBy = new Map<string, Set<RunId>>();
  for (const { run, symbol } of besides) {
    for (const name of isNewValue(symbol) ? [] : symbol.change.identifiers) {
      // What begins with a sigil is a local variable.
      if (empty.test(name) || name.startsWith("$")) continue;
      const runs = runsBy.get(name) ?? new Set();
      runs.add(run);
      runsBy.set(name, runs);
    }
  }
  const [best] = [...runsBy]
    .filter(([, runs]) => runs.size >= fewest)
    .sort(([a, one], [b, other]) => other.size - one.size || b.length - a.length || compareText(a, b));
  return best?.[0];
}

function tellTheme(theme: string, members: readonly Beside[], runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const names = [...new Set(members.map(({ symbol }) => symbol.key))].sort(compareText);
  const files = new Set(names.map((key) => partsOfKey(key).file));
  const shown = names.slice(0, 2).map((key) => symbolLabel(key, files.size > 1));
  const where = `${shown.join(", ")}${names.length > 2 ? " …" : ""}`;
  const editors = new Map(members.map(({ run, symbol }) => [run, symbol]));
  for (const { id } of runs) {
    const symbol = editors.get(id);
    facts.of(id, {
      slot: `code beside ${theme}`,
      aspect: "beside",
      value: symbol ? "edited" : "absent",
      label: symbol ? `edits in ${where}` : "none",
      title: `Besides: are there edits around \`${theme}\`?`,
      topic: `edits around \`${theme}\``,
      subject: `\`${theme}\``,
      weight: 0.5,
      lack: !symbol,
      evidence: symbol ? [{ file: symbol.file.path, line: symbol.change.line }] : [],
    });
  }
}

function tellAlone(run: RunId, { key, change, file }: ChangedSymbol, facts: CodeFactsOf): void {
  const subject = `${symbolLabel(key, false)}${change.status === "added" ? " (new)" : change.status === "removed" ? " (gone)" : ""}`;
  facts.of(run, {
    slot: `code symbol ${key}`,
    parents: [rootSlots.run],
    aspect: "presence",
    value: "present",
    label: "yes",
    absentLabel: "no",
    title: `Is ${symbolLabel(key, false)} in \`${fileOf(key)}\` ${change.status === "text" ? "reworded" : change.status}?`,
    topic: subject,
    subject,
    weight: 0.5,
    object: true,
    evidence: [{ file: file.path, line: change.line }],
  });
}
