import type { Extractor, Reading, RunArtifacts } from "../model/fact.js";
import { runSlot } from "./matching.js";
import { changedLines, type FileLines, type PatchLine } from "./patch-lines.js";
import { Statements } from "./statement.js";
import { quote } from "./words.js";

interface Manifest {
  /** File names it goes by. */
  file: RegExp;
  registry: string;
  /** What names a dependency within one line: its name, and what version is asked for, if anything is said. */
  entry: RegExp;
  /** Names such lines have that are no dependencies. */
  others?: RegExp;
}

const protocols = "npm|workspace|file|link|portal|patch|catalog|github|gitlab|bitbucket|gist|git|git\\+\\w+|ssh|https?";
const range = `\\s*(?:(?:[~^<>=]|v?\\d)[^"]*|\\*|latest|next|git@[^"]*|(?:${protocols}):[^"]*)`;

/** Manifests in which a dependency is told within one line, whatever stands around it. */
const manifests: readonly Manifest[] = [
  {
    file: /(?:^|\/)package\.json$/,
    registry: "npm",
    entry: new RegExp(String.raw`"((?:@[\w.-]+/)?[\w.-]+)"\s*:\s*"(${range})"`, "g"),
    others:
      /^(?:version|node|npm|yarn|pnpm|bun|vscode|packageManager|main|module|types|license|homepage|repository|bugs|funding|url)$/,
  },
  {
    file: /(?:^|\/)composer\.json$/,
    registry: "composer",
    entry: new RegExp(String.raw`"([\w.-]+/[\w.-]+)"\s*:\s*"(${range}|dev-[^"]*)"`, "g"),
  },
  {
    file: /(?:^|\/)(?:requirements|constraints)[\w.-]*\.(?:txt|in)$|(?:^|\/)requirements\/[\w.-]+\.(?:txt|in)$/,
    registry: "pip",
    entry: /^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*((?:[<>=!~]=?|===|@)[^;#]*)?(?:[;#].*)?$/g,
  },
  {
    file: /(?:^|\/)go\.mod$/,
    registry: "go",
    entry: /^(?!.*\/\/ indirect)(?:require)?\s+((?=[\w-]+\.)[\w.-]+\/[^\s]+)\s+(v[^\s]+)/g,
  },
  { file: /(?:^|\/)Gemfile$/, registry: "gem", entry: /^\s*gem\s+["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?/g },
];

/**
 * Third-party packages a run adds, drops or asks for in another version, as its patch shows them. Manifests whose lines
 * mean something only by the section they stand in are not read here.
 */
export const dependencies: Extractor = {
  dimension: "dependencies",
  read(run: RunArtifacts): Reading | undefined {
    if (run.record?.patch == null || run.patch === null) return undefined;
    const statements = new Statements(run, "dependencies", "patch.diff");
    for (const change of changesIn(run.patch)) state(statements, change);
    return { facts: statements.facts, complete: true };
  },
};

interface Change {
  registry: string;
  name: string;
  /** Versions asked for before and after; undefined where the package is not asked for. */
  before?: string;
  after?: string;
  /** Where it is asked for first in what changed. */
  path: string;
  line: number;
}

/** The packages a patch asks for and base does not, each with its first place. */
export function newDependencies(patch: string): Omit<Change, "before" | "after">[] {
  return changesIn(patch).flatMap(({ registry, name, before, path, line }) =>
    before === undefined ? [{ registry, name, path, line }] : [],
  );
}

function changesIn(patch: string): Change[] {
  return mergeAll(changedLines(patch, (path) => manifestOf(path) !== undefined && !path.includes("node_modules/")));
}

function manifestOf(path: string): Manifest | undefined {
  return manifests.find(({ file }) => file.test(path));
}

/** By package: one that moves from one line, section or manifest to another is neither new nor dropped. */
function mergeAll(files: readonly FileLines[]): Change[] {
  const changes = new Map<string, Change>();
  for (const { path, removed, added } of files) {
    const manifest = manifestOf(path);
    if (manifest === undefined) continue;
    for (const [lines, side] of [
      [removed, "before"],
      [added, "after"],
    ] as const) {
      for (const { name, version, line } of lines.flatMap((each) => entriesOf(each, manifest))) {
        const key = JSON.stringify([manifest.registry, name]);
        const known = changes.get(key);
        // Where it comes in says more than where it was.
        const place = known && (known.after !== undefined || side === "before") ? known : { path, line };
        const { path: at, line: on } = place;
        changes.set(key, { registry: manifest.registry, name, ...known, path: at, line: on, [side]: version });
      }
    }
  }
  return [...changes.values()].filter(({ before, after }) => before !== after);
}

function entriesOf({ text, line }: PatchLine, { entry, others }: Manifest) {
  return [...unescaped(text).matchAll(entry)].flatMap(([, name = "", version = ""]) =>
    others?.test(name) ? [] : [{ name, version: version.trim(), line }],
  );
}

/** JSON may spell a letter by its number. */
function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function state(statements: Statements, { registry, name, before, after }: Change): void {
  const subject = quote(name);
  const slot = `dependency ${registry} ${name}`;
  if (before === undefined) {
    statements.object({
      slot,
      parents: [runSlot],
      title: `Is ${subject} a new dependency?`,
      subject,
      weight: 2,
    });
    return;
  }
  statements.add({
    slot: `known ${slot}`,
    parents: [runSlot],
    aspect: "version",
    value: after ?? "dropped",
    label: after === undefined ? "dropped" : after === "" ? "any version" : quote(after),
    absentLabel: "as before",
    title: `What becomes of the dependency ${subject}?`,
    topic: `dependency ${subject}`,
    subject,
    weight: after === undefined ? 2 : 0.5,
  });
}
