import { createHash } from "node:crypto";
import type { BaseArtifacts, Dimension, Extractor, RunArtifacts, RunFacts } from "../model/fact.js";
import type { RunId } from "../model/ids.js";
import { once } from "../model/once.js";
import { matters, unreadableOf } from "../model/unreadable.js";
import { access } from "./access.js";
import { checks } from "./checks.js";
import { columns } from "./columns.js";
import { comments } from "./comments.js";
import { constraints } from "./constraints.js";
import { dependencies } from "./dependencies.js";
import { exclusions } from "./exclusions.js";
import { files } from "./files.js";
import { grants } from "./grants.js";
import { indexes } from "./indexes.js";
import { objects } from "./objects.js";
import { owners } from "./owners.js";
import { relations } from "./relations.js";
import { rows } from "./rows.js";
import { ruleNames } from "./rule-names.js";
import { Sharing } from "./sharing.js";
import { canonical, runState, schemaState, withoutIdentity } from "./state.js";
import { storage } from "./storage.js";
import { tables } from "./tables.js";
import { compareTests } from "./tests.js";

/** Every kind of fact there is. One door is still shut: what code does differently, beyond which files it is in. */
export const extractors: readonly Extractor[] = [
  runState,
  schemaState,
  tables,
  storage,
  columns,
  relations,
  constraints,
  exclusions,
  ruleNames,
  access,
  grants,
  owners,
  indexes,
  objects,
  comments,
  rows,
  checks,
  dependencies,
  files,
];

type Reach = RunFacts["dimensions"][Dimension];

/**
 * Reads everything that can be read about each run. Order of runs is kept and means nothing.
 * @param references runs that are read as all others are, and by which nothing is measured
 */
export function readFacts(
  runs: readonly RunArtifacts[],
  base: BaseArtifacts,
  references: ReadonlySet<RunId> = new Set(),
): RunFacts[] {
  const tests = compareTests(
    runs.filter(({ id }) => !references.has(id)),
    base,
  );
  const sharing = new Sharing();
  return runs.map((run) => readRun(run, { ...base, tests }, sharing));
}

function readRun(run: RunArtifacts, base: BaseArtifacts, sharing: Sharing): RunFacts {
  const none: Reach = "unreadable";
  const dimensions: RunFacts["dimensions"] = { schema: none, data: none, code: none, checks: none, dependencies: none };
  const facts: RunFacts["facts"] = [];
  const unknown: string[] = [];
  const reaches = new Map<Dimension, Reach[]>();
  for (const extractor of extractors) {
    const reading = extractor.read(run, base);
    const reach = reading === undefined ? "unreadable" : reading.complete ? "complete" : "partial";
    reaches.set(extractor.dimension, [...(reaches.get(extractor.dimension) ?? []), reach]);
    // Not as arguments of one call: there may be more of them than a call takes.
    for (const fact of reading?.facts ?? []) facts.push(sharing.share(fact));
    for (const slot of reading?.unknown ?? []) unknown.push(slot);
  }
  for (const [dimension, each] of reaches) dimensions[dimension] = reachOf(each);
  const readable = !unreadableOf(run).some(matters);
  return {
    run: run.id,
    facts,
    dimensions,
    content: once(() => (readable ? contentOf(run) : null)),
    unknown,
    readable,
    renamed: run.renamed ?? false,
  };
}

/** One extractor that could not read leaves its whole dimension partial: its silence must not count as a "no". */
function reachOf(reaches: readonly Reach[]): Reach {
  if (reaches.every((reach) => reach === "complete")) return "complete";
  return reaches.every((reach) => reach === "unreadable") ? "unreadable" : "partial";
}

/** Hash of what the run left: equal means the same patch, the same schema but for catalog identity, the same row counts. */
function contentOf({ record, schema, rows: changes }: RunArtifacts): string | null {
  const patch = record?.patch;
  if (!patch) return null;
  const counts = changes?.tables.map(({ added, removed, changed, ...table }) => ({
    ...table,
    added: added.count,
    removed: removed.count,
    changed: changed.count,
  }));
  const parts = [patch.sha256, schema && withoutIdentity(schema), canonical(counts ?? null)];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
