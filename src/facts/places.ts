import type { RunArtifacts } from "../model/fact.js";
import type { RunId } from "../model/ids.js";
import type { Decision } from "../model/report.js";
import { changedLines } from "./patch-lines.js";

/** A line of a file, counted from 1. */
interface Place {
  file: string;
  line: number;
}

type Places = ReadonlyMap<string, readonly Place[]>;

/** `team_id`, or `@scope/left-pad` as a whole. */
const token = /[@\p{L}_$][\p{L}\p{N}_$./@-]*/gu;
/** Nobody wrote longer lines by hand, and nobody could find anything in them. */
const longest = 2_000;
const comment = /^\s*(?:--|\/\/|#|\*|\/\*)/;

/**
 * Adds to what decisions stand on where the runs' own files say so: the first line a run wrote that names the thing, under
 * the name the run gave it. A run whose files never name it keeps the artifact alone.
 */
export function tellPlaces(decisions: readonly Decision[], runs: readonly RunArtifacts[]): Decision[] {
  const facts = decisions.flatMap((each) => each.facts);
  const wanted = new Set(facts.flatMap(({ topic }) => namesIn(topic).flat()));
  const placers = new Map(runs.map((run) => [run.id, placerOf(run, wanted)]));
  return decisions.map((decision) => ({
    ...decision,
    facts: decision.facts.map((fact) => ({ ...fact, evidence: fact.evidence.flatMap(withPlace(fact.topic, placers)) })),
  }));
}

type Evidence = Decision["facts"][number]["evidence"][number];
type Placer = (names: readonly string[][]) => Place | undefined;

function withPlace(topic: string, placers: ReadonlyMap<RunId, Placer>): (each: Evidence) => Evidence[] {
  const names = namesIn(topic);
  return (each) => {
    const place = each.line === null ? placers.get(each.run)?.(names) : undefined;
    return place ? [each, { run: each.run, ...place }] : [each];
  };
}

/** The name a topic ends with, and its parts: `` type of `teams.name` `` names `teams.name`, or `name` after `teams`. */
function namesIn(topic: string): string[][] {
  const last = topic
    .match(/`[^`]+`/g)
    ?.at(-1)
    ?.slice(1, -1)
    .toLowerCase();
  return last === undefined ? [] : last.includes(".") ? [[last], last.split(".")] : [[last]];
}

function placerOf(run: RunArtifacts, wanted: ReadonlySet<string>): Placer {
  const own = (name: string) => run.ownWords?.get(name)?.toLowerCase() ?? name;
  const places = findPlaces(run, new Set([...wanted].map(own)));
  return (names) => names.map((each) => placeOf(each.map(own), places)).find((each) => each !== undefined);
}

/** Where the last name stands, after the one before it where that stands in the same file. */
function placeOf(names: readonly string[], places: Places): Place | undefined {
  const [last = "", home = ""] = [...names].reverse();
  const candidates = places.get(last) ?? [];
  const homes = places.get(home) ?? [];
  return (
    candidates.find((each) => homes.some(({ file, line }) => file === each.file && line <= each.line)) ?? candidates[0]
  );
}

/** SQL before all else: where a run has both, it is what made the schema. */
function findPlaces({ patch, sql }: RunArtifacts, wanted: ReadonlySet<string>): Places {
  const places = new Map<string, Place[]>();
  const files = patch === null ? [] : changedLines(patch, () => true);
  const written = files.map(({ path, added }) => ({ file: path, lines: added }));
  const isSql = ({ file }: { file: string }) => file.endsWith(".sql");
  const loaded = sql
    ? [{ file: sql.file, lines: sql.text.split("\n").map((text, at) => ({ text, line: at + 1 })) }]
    : [];
  for (const { file, lines } of [...loaded, ...written.filter(isSql), ...written.filter((each) => !isSql(each))]) {
    for (const { text, line } of lines) {
      if (text.length > longest || comment.test(text)) continue;
      for (const name of namesOn(text)) {
        if (!wanted.has(name)) continue;
        const known = places.get(name);
        if (known === undefined) places.set(name, [{ file, line }]);
        else known.push({ file, line });
      }
    }
  }
  return places;
}

/** Names as wholes and in their parts, in small letters. */
function* namesOn(text: string): Generator<string> {
  for (const [found] of text.matchAll(token)) {
    const name = found.toLowerCase();
    yield name;
    const parts = name.split(/[./@-]/);
    if (parts.length > 1) yield* parts;
  }
}
