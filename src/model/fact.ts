import type { BaseFile } from "./code.js";
import type { RunId } from "./ids.js";
import type { CheckResult, RunRecord, Unreadable } from "./record.js";
import type { RowChanges } from "./rows.js";
import type { SchemaSnapshot } from "./schema.js";

export type Dimension = "schema" | "data" | "code" | "checks" | "dependencies";

/** Structure, security and data 3; integrity and type 2; payload column 1.5; naming 1; default and index .5. */
export type Weight = 3 | 2 | 1.5 | 1 | 0.5;

/** The two slots everything hangs below; having them in common links nothing. */
export const rootSlots = { run: "run", schema: "schema" } as const;

const negation = "not ";

/** As a parent: the slot must be absent from a run for the fact to be applicable to it. */
export function unless(slot: string): string {
  return `${negation}${slot}`;
}

/** The slot that must be absent, where a parent says so. */
export function absentSlot(parent: string): string | undefined {
  return parent.startsWith(negation) ? parent.slice(negation.length) : undefined;
}

/** What hurts about a choice: a `consequence` is shown beside its option, `damage` in every report, even where all agree. */
export interface FactRisk {
  kind: "consequence" | "damage";
  text: string;
}

/** A choice a run takes once for many objects, in words that name none of them. */
export interface Convention {
  /** Which: `key type`. */
  of: string;
  title: string;
  topic: string;
  /** What this object has of it: finer differences (the length of a string) are no matter of convention. */
  value: string;
  label: string;
  /** What objects with any value of it have in common, where others may have something else instead: `timestamp`. */
  family?: string;
}

/** Facts of one ladder are steps of one question: all of them, none, or only these. */
export interface Ladder {
  /** Which: facts about one table, or of one kind anywhere. */
  of: string;
  /** The question, in which `…` stands for the steps. */
  title: string;
  /** The same where steps of several such ladders are one choice: `…` then stands for the subjects of the facts. */
  wideTitle: string;
  step: string;
}

/** How a thing that is there could hold what other runs hold in another way. */
export interface Carrier {
  form: "table" | "reference" | "list" | "plain";
  /** Its own name, without the table it stands in. */
  name: string;
  /** Slot and name of the table it is or stands in. */
  table: string;
  tableName: string;
  /** Both names as titles show them. */
  said: { name: string; table: string };
  /** Slots of the tables it leads to. */
  targets: string[];
  /** `created_at` and its like, which say nothing about what a table is for: the name all of a kind share. */
  generic: string | null;
}

/** What an index is for, so that those of one table can be told together. */
export interface Indexing {
  /** Slot of the table, and its name as titles show it. */
  table: string;
  said: string;
  /** What its first key is, as titles show it, and the slot of that column; null for an expression. */
  lead: string;
  column: string | null;
  /** What a search index finds: `full text`. Null for one that looks up values. */
  finds: string | null;
  method: string;
}

/**
 * One observed statement about one run: a choice it made, never what merely follows from one. Titles, labels and topics
 * are plain text in which names stand between back-ticks; whoever renders them escapes them.
 */
export interface Fact {
  run: RunId;
  dimension: Dimension;
  /** Identity of the thing the choice is about, equal in all runs that have it: `table public.teams`. */
  slot: string;
  /** The slots that must be present in a run for this fact to be applicable to it; empty: always applicable. */
  parents: string[];
  /** What was chosen about it: `presence`, `type`, `on delete`. A slot and an aspect make one question. */
  aspect: string;
  /** The choice, comparable between runs. For `presence` only `present` is stated; absence is concluded. */
  value: string;
  /** The choice in plain words. */
  label: string;
  /** The words for not having it. Where it is set, runs that could have stated the fact and did not are given this choice. */
  absentLabel?: string | undefined;
  /** True where the stated choice is the lack of something: in an unfinished run it is missing instead. */
  lack: boolean;
  /** The question it answers, at most 80 characters. */
  title: string;
  /** The same as a noun phrase, for lists: `type of \`teams.name\``. */
  topic: string;
  /** The thing itself as lists name it: `\`teams\``. Part of the title. */
  subject: string;
  /** True where the fact states that a named object is there (a table, a column, a file). */
  object: boolean;
  weight: Weight;
  risk: FactRisk | null;
  /** True where it is no news as long as all runs say the same. */
  quiet?: boolean | undefined;
  /** True where it is told as a risk and never as a choice. */
  riskOnly?: boolean | undefined;
  /** Other slots it is tied to by structure (the referenced table), and themes: facts of one theme that divide the runs alike are one. */
  links: string[];
  convention?: Convention | undefined;
  ladder?: Ladder | undefined;
  carrier?: Carrier | undefined;
  indexing?: Indexing | undefined;
  /** Files of the experiment folder or the workspace the fact was read from. */
  evidence: { file: string; line: number | null }[];
}

/** What a run left behind, read and validated. Null: not there, or not readable. */
export interface RunArtifacts {
  id: RunId;
  record: RunRecord | null;
  schema: SchemaSnapshot | null;
  rows: RowChanges | null;
  checks: CheckResult[] | null;
  patch: string | null;
  /** The file its database was loaded from, where somebody else made it. */
  sql?: { file: string; text: string };
  /** What is or was there and could not be read, by the record, the captures themselves and the reading of both. */
  unreadable: Unreadable[];
  /** What was left out of `schema` because the run made too much of it; undefined before anything was. */
  omitted?: Omitted;
  /** True where the run itself uses other names than those by which it is compared. */
  renamed?: boolean;
  /** What the run itself calls its new columns, by slot, where that is another name. */
  ownNames?: ReadonlyMap<string, string>;
  /** The words of those other names: what is said here → what the run itself says. */
  ownWords?: ReadonlyMap<string, string>;
}

/** Things a run made beyond the number that is compared: they are counted only. */
export interface Omitted {
  tables: readonly { schema: string; name: string }[];
  /** Objects of other kinds, how many of each. */
  others: ReadonlyMap<string, number>;
}

export interface BaseArtifacts {
  schema: SchemaSnapshot | null;
  checks: CheckResult[] | null;
  /** By path, those that runs touch; undefined where nobody has them. */
  files?: ReadonlyMap<string, BaseFile>;
  /** By check, the tests all runs are asked about; undefined before the runs were looked at together. */
  tests?: ReadonlyMap<string, ComparedTests>;
}

/** What a run says of a test. `absent`: it tells others and not this one. A broken test is broken in whichever way. */
export type TestState = "pass" | "fail" | "skip" | "unstable" | "absent";

/** Tests of one check of which base and all runs say the same: one question. */
export interface TestGroup {
  slot: string;
  /** Sorted, at least one. */
  ids: readonly string[];
  /** What base says of them; null where it does not know them. */
  base: TestState | null;
  /** True where they pass wherever they are told. */
  steady: boolean;
}

/** What runs are compared by, of the tests one check reports. */
export interface ComparedTests {
  groups: readonly TestGroup[];
  /** Tests of base; null where it reports none. */
  base: { has(id: string): boolean } | null;
  /** True where the check's own result is but what follows from these tests, in base and all runs. */
  followed: boolean;
  /** Tests beyond the number of questions that is asked. */
  beyond: number;
}

/** What one extractor read in one run. */
export interface Reading {
  facts: Fact[];
  /** False where part could not be read: what is not stated is then unknown, and no absence. */
  complete: boolean;
  /** Slots of which nothing is known, although the rest was read. */
  unknown?: string[];
}

/** One kind of fact. A new kind is a new file in `facts/` that exports one of these. */
export interface Extractor {
  dimension: Dimension;
  /** Undefined where the run holds nothing this extractor could read: the run is then missing from its questions. */
  read(run: RunArtifacts, base: BaseArtifacts): Reading | undefined;
}

/** Everything that was read about one run. */
export interface RunFacts {
  run: RunId;
  facts: Fact[];
  /** How far each dimension could be read. */
  dimensions: Record<Dimension, "complete" | "partial" | "unreadable">;
  /**
   * Equal for runs that left the very same patch, schema and rows; null where anything is not readable. Worked out when it
   * is asked for: a whole schema goes in, and few runs are ever told apart by it.
   */
  content(): string | null;
  /** Slots of which nothing is known: their questions are missing in this run. */
  unknown: string[];
  /** False where anything of the run that is compared or counted could not be read. */
  readable: boolean;
  /** True where the run itself uses other names than most. */
  renamed: boolean;
}
