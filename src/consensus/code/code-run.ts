import type { CodeFact, CodeReading, FileReading, SymbolChange } from "../../model/code.js";
import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { type Newcomer, nameAlike } from "./cluster.js";
import { lendHelpers, nameLent } from "./helpers.js";
import { type Translate, translatorOf } from "./own-words.js";
import { splitTests, testedIn } from "./tests-of.js";

/** A fact and where it counts. */
export interface PlacedFact extends CodeFact {
  /** Key of the symbol it counts in. */
  symbol: string;
  /** The symbol whose text says it, where that is a helper the symbol calls. */
  via?: string;
  file: string;
}

/** A symbol a run changed, by the name all runs share. */
export interface ChangedSymbol {
  key: string;
  change: SymbolChange;
  file: FileReading;
  /** True where the run's own words were put in those most runs use. */
  isTranslated?: boolean;
}

/** A run as code decisions see it. */
export interface CodeRun {
  id: RunId;
  /** True where it is aligned with the others and decides nothing. */
  isReference: boolean;
  reading: CodeReading;
  /** Changed symbols of source files whose program text differs. */
  symbols: ChangedSymbol[];
  facts: PlacedFact[];
  /** New files by the path most runs give to what they hold. */
  paths: ReadonlyMap<FileReading, string>;
  /** New functions and the symbols that call them: they are told as part of their callers. */
  helpers: Map<string, string[]>;
}

const touched = new WeakMap<CodeRun, ReadonlySet<string>>();

/** Whether a run changes the symbol of this key; to be asked when keys no longer change. */
export function touches(run: CodeRun, key: string): boolean {
  const keys = touched.get(run) ?? new Set(run.symbols.map((symbol) => symbol.key));
  touched.set(run, keys);
  return keys.has(key);
}

const separator = "::";

export function keyOf(file: string, name: string): string {
  return `${file}${separator}${name}`;
}

/** File and name of a symbol. */
export function partsOfKey(key: string): { file: string; name: string } {
  const at = key.indexOf(separator);
  return { file: key.slice(0, at), name: key.slice(at + separator.length) };
}

type OwnWords = ReadonlyMap<RunId, ReadonlyMap<string, string>>;

/** The runs with what they made under other names called alike. */
export function alignRuns(
  readings: readonly CodeReading[],
  references: ReadonlySet<RunId>,
  ownWords: OwnWords = new Map(),
): CodeRun[] {
  const translators = new Map(readings.map(({ run }) => [run, translatorOf(ownWords.get(run))]));
  const say = (run: RunId, text: string) => translators.get(run)?.(text) ?? text;
  const paths = alignedPaths(readings, say);
  const place = placer();
  const runs = [...readings]
    .sort((a, b) => compareText(a.run, b.run))
    .map((reading) => ({
      ...codeRun(reading, { paths, place, say: translators.get(reading.run) }),
      isReference: references.has(reading.run),
    }));
  alignSymbols(runs);
  alignHelpers(runs);
  return runs;
}

/** The same, with helpers told as part of their callers. */
export function gather(
  readings: readonly CodeReading[],
  references: ReadonlySet<RunId>,
  ownWords: OwnWords = new Map(),
): CodeRun[] {
  const runs = alignRuns(readings, references, ownWords);
  const aside = newAside(runs);
  for (const run of runs) lendHelpers(run, aside);
  nameLent(runs);
  for (const run of runs) {
    // What is in a file that only some runs have follows from their having it.
    run.facts = splitTests(run.facts).filter(({ symbol, kind }) => reaching.has(kind) || !aside.has(symbol));
    for (const fact of testedIn(run.facts)) run.facts.push(fact);
  }
  return runs;
}

type PlaceFacts = (change: SymbolChange, symbol: string, file: string) => readonly PlacedFact[];

/** Puts facts in their place. What several runs do alike was read once, and is placed once. */
function placer(): PlaceFacts {
  const known = new Map<SymbolChange, { symbol: string; file: string; facts: PlacedFact[] }>();
  return (change, symbol, file) => {
    const before = known.get(change);
    if (before?.symbol === symbol && before.file === file) return before.facts;
    const facts = change.facts.map(
      // Written out: there may be hundreds of thousands of them.
      ({ kind, slot, value, shown, gone, slight, line }): PlacedFact => ({
        kind,
        slot,
        value,
        shown,
        gone,
        slight,
        line,
        symbol,
        file,
      }),
    );
    known.set(change, { symbol, file, facts });
    return facts;
  };
}

interface Around {
  paths: ReadonlyMap<FileReading, string>;
  place: PlaceFacts;
  say: Translate | undefined;
}

function codeRun(reading: CodeReading, { paths, place, say }: Around): Omit<CodeRun, "isReference"> {
  const symbols: ChangedSymbol[] = [];
  const facts: PlacedFact[] = [];
  for (const file of reading.files) {
    if (file.fileClass !== "source" && file.fileClass !== "config") continue;
    const path = paths.get(file) ?? file.oldPath ?? file.path;
    for (const own of file.symbols) {
      if (own.status === "text") continue;
      const change = say ? { ...own, facts: own.facts.map((fact) => translated(fact, say)) } : own;
      const key = keyOf(path, say ? say(change.name) : change.name);
      if (file.fileClass === "source") symbols.push({ key, change, file, ...(say ? { isTranslated: true } : {}) });
      for (const fact of place(change, key, file.path)) facts.push(fact);
    }
  }
  return { id: reading.run, reading, symbols, facts, paths, helpers: new Map() };
}

function translated(fact: CodeFact, say: Translate): CodeFact {
  return { ...fact, slot: say(fact.slot), value: say(fact.value) };
}

/** What says something even in a file or function that only some runs have. */
export const reaching: ReadonlySet<string> = new Set(["route", "env", "table", "setting", "error-class"]);

/** Had by this part of the runs, a new file is part of the task. */
const usual = 0.8;

/** Symbols of new source files that only some runs add. */
export function newAside(runs: readonly CodeRun[]): ReadonlySet<string> {
  const counted = runs.filter(({ isReference, reading }) => !isReference && reading.state === "changed");
  const added = counted.flatMap(({ id, symbols }) =>
    symbols.filter(({ file }) => file.status === "added").map(({ key }) => ({ id, file: partsOfKey(key).file })),
  );
  const makers = new Map(
    [...groupBy(added, ({ file }) => file)].map(([file, each]) => [file, new Set(each.map(({ id }) => id)).size]),
  );
  const isAside = (file: string) => makers.has(file) && (makers.get(file) ?? 0) < usual * counted.length;
  return new Set(
    runs.flatMap(({ symbols }) => symbols.flatMap(({ key }) => (isAside(partsOfKey(key).file) ? [key] : []))),
  );
}

/** New files by the name most runs give to what they hold. */
function alignedPaths(
  readings: readonly CodeReading[],
  say: (run: RunId, text: string) => string,
): Map<FileReading, string> {
  const files = new Map<Newcomer, FileReading>();
  for (const { run, files: all } of readings) {
    for (const file of all) {
      if (file.status !== "added" || file.fileClass !== "source") continue;
      const ending = /\.\w+$/.exec(file.path)?.[0] ?? "";
      const features = new Set(file.symbols.flatMap(({ name, facts }) => [`symbol ${name}`, ...facts.map(featureOf)]));
      files.set({ run, name: say(run, file.path), block: ending, features }, file);
    }
  }
  const names = nameAlike([...files.keys()]);
  return new Map([...files].map(([newcomer, file]) => [file, names.get(newcomer) ?? newcomer.name]));
}

function alignSymbols(runs: readonly CodeRun[]): void {
  const owners = new Map<Newcomer, { run: CodeRun; symbol: ChangedSymbol }>();
  for (const run of runs) {
    for (const symbol of run.symbols) {
      const { kind, status, facts } = symbol.change;
      if (status !== "added" || kind === "imports" || kind === "code") continue;
      const features = new Set(facts.filter((fact) => fact.kind !== "symbol").map(featureOf));
      const block = `${kind} ${symbol.key.replace(/[^.:]*$/, "")}`;
      owners.set({ run: run.id, name: symbol.key, block, features }, { run, symbol });
    }
  }
  for (const [newcomer, name] of nameAlike([...owners.keys()])) {
    const owner = owners.get(newcomer);
    if (owner && name !== newcomer.name) renameSymbol(owner.run, owner.symbol, name);
  }
}

/**
 * New functions that edited symbols call, by what they do, in whichever file they stand: helpers live where they are used.
 * Those of one name are one already if they do half the same.
 */
function alignHelpers(runs: readonly CodeRun[]): void {
  const owners = new Map<Newcomer, { run: CodeRun; symbol: ChangedSymbol }>();
  for (const run of runs) {
    const added = run.symbols.filter(({ change }) => change.status === "added" && change.kind === "function");
    if (added.length === 0) continue;
    const factsOf = groupBy(run.facts, ({ symbol }) => symbol);
    const called = new Set(run.facts.filter(({ kind, gone }) => kind === "call" && !gone).map(({ slot }) => slot));
    for (const symbol of added) {
      const own = lastOf(partsOfKey(symbol.key).name);
      if (!called.has(own) && !called.has(lastOf(symbol.change.name))) continue;
      const features = new Set((factsOf.get(symbol.key) ?? []).filter((fact) => fact.kind !== "symbol").map(featureOf));
      const ending = /\.\w+$/.exec(symbol.file.path)?.[0] ?? "";
      owners.set({ run: run.id, name: symbol.key, block: `${ending}${own}`, features }, { run, symbol });
    }
  }
  for (const [newcomer, name] of nameAlike([...owners.keys()])) {
    const owner = owners.get(newcomer);
    if (owner && name !== newcomer.name) renameSymbol(owner.run, owner.symbol, name);
  }
}

function featureOf({ kind, slot, value }: CodeFact): string {
  return `${kind} ${slot} ${value}`;
}

function renameSymbol(run: CodeRun, symbol: ChangedSymbol, key: string): void {
  const [old, now] = [partsOfKey(symbol.key).name, partsOfKey(key).name];
  const [called, nowCalled] = [lastOf(old), lastOf(now)];
  // Other runs may hold the very same facts.
  for (const [at, fact] of run.facts.entries()) {
    if (fact.symbol === symbol.key) {
      run.facts[at] = { ...fact, symbol: key, slot: fact.kind === "symbol" ? now : fact.slot };
    } else if (fact.kind === "call" && fact.slot === called) run.facts[at] = { ...fact, slot: nowCalled };
  }
  symbol.key = key;
}

export function lastOf(name: string): string {
  return name.split(".").at(-1) ?? name;
}
