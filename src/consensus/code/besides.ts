import { rootSlots } from "../../model/fact.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { type ChangedSymbol, type CodeRun, partsOfKey } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { type Places, symbolLabel } from "./place.js";

interface Beside {
  run: RunId;
  symbol: ChangedSymbol;
}

/** Words of the languages themselves tie nothing together. */
const empty =
  /^(?:self|this|cls|if|else|elif|import|from|in|not|for|return|def|and|or|is|None|True|False|null|true|false|const|let|var|function|new|func|public|private|static|final|void|string|int|class|try|except|catch|raise|throw|throws|async|await|err|nil|end|do|then|fn|mut|pub|use|type|package|export|default|with|as|pass|while|break|continue|yield|lambda)$/;

/** Themes that are told; what is left is told symbol by symbol. */
const mostThemes = 4;

/** What runs change besides the place of the change: edits that share a name are one theme, the others stand alone. */
export function tellBesides(runs: readonly CodeRun[], places: Places, facts: CodeFactsOf): void {
  const left = new Set(runs.flatMap((run) => besidesOf(run, places)));
  for (let themes = 0; themes < mostThemes; themes++) {
    const theme = widestTheme(left);
    if (theme === undefined) break;
    const members = [...left].filter(({ symbol }) => symbol.change.identifiers.includes(theme));
    // What all do besides is told by what they all change.
    if (new Set(members.map(({ run }) => run)).size < runs.length) tellTheme(theme, members, runs, facts);
    for (const each of members) left.delete(each);
  }
  for (const { run, symbol } of left) tellAlone(run, symbol, facts);
}

function besidesOf(run: CodeRun, places: Places): Beside[] {
  const own = places.of.get(run.id);
  return run.symbols
    .filter(({ key, change }) => !own?.has(key) && !run.helpers.has(key) && change.kind !== "imports")
    .map((symbol) => ({ run: run.id, symbol }));
}

/** The name that edits of most runs share, of at least two; the longest of several. */
function widestTheme(besides: ReadonlySet<Beside>): string | undefined {
  const runsBy = new Map<string, Set<RunId>>();
  for (const { run, symbol } of besides) {
    for (const name of symbol.change.identifiers) {
      if (empty.test(name)) continue;
      const runs = runsBy.get(name) ?? new Set();
      runs.add(run);
      runsBy.set(name, runs);
    }
  }
  const [best] = [...runsBy]
    .filter(([, runs]) => runs.size >= 2)
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
      weight: 1,
      lack: !symbol,
      evidence: symbol ? [{ file: symbol.file.path, line: symbol.change.line }] : [],
    });
  }
}

function tellAlone(run: RunId, { key, change, file }: ChangedSymbol, facts: CodeFactsOf): void {
  const subject = symbolLabel(key, false);
  const [asks, says] = words[change.status];
  facts.of(run, {
    slot: `code symbol ${key}`,
    parents: [rootSlots.run],
    aspect: "presence",
    value: "present",
    label: says,
    absentLabel: change.status === "removed" ? "kept" : "no",
    title: `Is ${subject} in \`${partsOfKey(key).file.split("/").at(-1)}\` ${asks}?`,
    topic: `${subject} ${asks}`,
    subject,
    weight: 0.5,
    object: true,
    evidence: [{ file: file.path, line: change.line }],
  });
}

const words = {
  edited: ["changed too", "changed"],
  added: ["added", "added"],
  removed: ["removed", "removed"],
  text: ["reworded", "reworded"],
} as const;
