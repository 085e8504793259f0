import type { Contract } from "../../model/config.js";
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

function contractLines({ allow, deny, forbid, require, maxFiles, maxLines, maxBytes }: Contract): string[] {
  const line = (what: string, values: readonly string[] | undefined) =>
    values === undefined || values.length === 0 ? [] : [`- ${what}: ${values.join(", ")}\n`];
  return [
    ...line("Change only files that match", allow),
    ...line("Do not change files that match", deny),
    ...line("Forbidden", forbid),
    ...line("Among what you change there must be files that match each of", require),
    ...line("Change at most", [
      ...(maxFiles === undefined ? [] : [`${maxFiles} files`]),
      ...(maxLines === undefined ? [] : [`${maxLines} lines`]),
      ...(maxBytes === undefined ? [] : [`${maxBytes} bytes of patch`]),
    ]),
  ];
}
