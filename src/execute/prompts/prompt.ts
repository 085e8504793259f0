import type { Contract, ForbidRule } from "../../model/contract.js";
import database from "./database.md";
import { fill } from "./fill.js";
import preamble from "./preamble.md";

export interface PromptOptions {
  /** The variant's prompt and the task, as a command agent would read them. */
  task: string;
  contract: Contract;
  /** Milliseconds since the epoch when the agent starts and when it will be stopped. */
  now: number;
  deadline: number;
  claimsFile: string;
  /** True where DATABASE_URL is set. */
  hasDatabase: boolean;
}

/** What an agent with an adapter reads: how it works here, its contract, its deadline, then the task. */
export function renderPrompt(options: PromptOptions): string {
  const { task, contract, now, deadline, claimsFile, hasDatabase } = options;
  const minutes = Math.max(1, Math.floor((deadline - now) / 60_000));
  return fill(preamble, {
    deadline: new Date(deadline).toISOString(),
    minutes: `${minutes} ${minutes === 1 ? "minute" : "minutes"}`,
    database: hasDatabase ? database : "",
    contract: contractLines(contract).join(""),
    claimsFile,
    task,
  });
}

function contractLines({ allow, deny, forbid = [], limits = {}, require }: Contract): string[] {
  const line = (what: string, values: readonly string[] | undefined) =>
    values === undefined || values.length === 0 ? [] : [`- ${what}: ${values.join(", ")}\n`];
  const most = limitWords.flatMap(([name, words]) => (limits[name] === undefined ? [] : `${limits[name]} ${words}`));
  return [
    ...line("Change only files that match", allow),
    ...line("Do not change files that match", deny),
    ...line(
      "Forbidden",
      forbid.map((rule) => forbidWords.get(rule) ?? rule),
    ),
    ...line("Change at most", most),
    ...line("Of each of these, leave a new or changed file that matches", require),
  ];
}

const limitWords = [
  ["files", "files"],
  ["lines", "lines added and deleted together"],
  ["bytes", "bytes of patch"],
] as const;

const forbidWords: ReadonlyMap<string, string> = new Map<ForbidRule, string>([
  ["new dependencies", "new dependencies"],
  ["deleted tests", "deleted tests (also emptied, skipped or with fewer assertions)"],
  ["migrations that drop", "migrations that drop tables, columns, schemas or types"],
]);
