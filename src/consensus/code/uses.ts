import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { baseName } from "./breakage.js";
import { type CodeRun, lastOf, partsOfKey } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { symbolLabel } from "./place.js";

/** Runs that must have a new function before it is asked where they use it. */
const fewest = 3;
/** Where runs use what they have in common in a new file of theirs, and what a run imports and never uses. */
export function tellUses(runs: readonly CodeRun[], aside: ReadonlySet<string>, facts: CodeFactsOf): void {
  const shared = runs.flatMap((run) =>
    run.symbols
      .filter(({ key, change }) => aside.has(key) && change.kind === "function")
      .map(({ key }) => ({ run, key })),
  );
  const byFile = groupBy(
    [...groupBy(shared, ({ key }) => key)].filter(([, each]) => each.filter(isCounted).length >= fewest),
    ([key]) => partsOfKey(key).file,
  );
  for (const functions of byFile.values()) {
    const told = functions
      .map(([key, each]) => ({ key, makers: each.map(({ run }) => run), uses: usesOf(key, each) }))
      .filter(({ uses }) => [...uses.values()].some((keys) => keys.length > 0))
      .sort((a, b) => total(b.uses) - total(a.uses) || compareText(a.key, b.key));
    // The others in its file are there for it.
    if (told[0]) tellUse(told[0], facts);
  }
  for (const run of runs) tellUnused(run, facts);
}

function isCounted({ run }: { run: CodeRun }): boolean {
  return !run.isReference;
}

function total(uses: ReadonlyMap<RunId, readonly string[]>): number {
  return [...uses.values()].reduce((sum, { length }) => sum + length, 0);
}

/** By run the symbols of other files that say the name. */
function usesOf(key: string, makers: readonly { run: CodeRun; key: string }[]): Map<RunId, string[]> {
  return new Map(
    makers.map(({ run }): [RunId, string[]] => {
      const own = run.symbols.find((symbol) => symbol.key === key);
      const name = lastOf(own?.change.name ?? partsOfKey(key).name);
      const users = run.symbols.filter(
        ({ file, change }) => file !== own?.file && change.kind !== "imports" && change.identifiers.includes(name),
      );
      return [run.id, users.map((user) => user.key).sort(compareText)];
    }),
  );
}

interface Use {
  key: string;
  makers: readonly CodeRun[];
  uses: ReadonlyMap<RunId, readonly string[]>;
}

function tellUse({ key, makers, uses }: Use, facts: CodeFactsOf): void {
  const subject = symbolLabel(key, false);
  for (const { id } of makers) {
    const users = uses.get(id) ?? [];
    const names = users.slice(0, 2).map((user) => symbolLabel(user, false));
    const more = users.length > 2 ? ` and ${users.length - 2} more` : "";
    facts.of(id, {
      slot: `code use ${key}`,
      aspect: "use",
      value: users.join("\u0001") || "nowhere",
      label: users.length > 0 ? `in ${names.join(", ")}${more}` : "nowhere: never called",
      title: `Where is ${subject} used?`,
      topic: `where ${subject} is used`,
      subject,
      weight: 2,
      lack: users.length === 0,
    });
  }
}

function tellUnused({ id, reading }: CodeRun, facts: CodeFactsOf): void {
  for (const { path, fileClass, unusedImports = [] } of reading.files) {
    for (const name of fileClass === "source" ? unusedImports : []) {
      facts.of(id, {
        slot: `code unused ${path} ${name}`,
        aspect: "unused",
        value: "unused",
        label: `imports \`${name}\` and never uses it`,
        absentLabel: "no",
        lack: false,
        title: `Is \`${name}\` imported and never used?`,
        topic: `\`${baseName(path)}\``,
        subject: `\`${name}\``,
        weight: 0.5,
        evidence: [{ file: path, line: null }],
      });
    }
  }
}
