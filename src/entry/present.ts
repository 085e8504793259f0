import { badInput } from "../model/error.js";
import type { Report } from "../model/report.js";
import { renderTerminal } from "../report/terminal.js";
import { exitCodeOf } from "./exit.js";
import type { CommonOptions } from "./options.js";
import { say, sayJson } from "./say.js";

export interface Presented {
  report: Report;
  /** Where its files lie, if they do. */
  folder?: string;
  cancelled: boolean;
  /** What is printed instead of the report: one of its decisions, explained. */
  explained?: string | undefined;
}

/** @throws MultirunError `bad_input` */
export function refuseBoth({ json, explain }: { json?: boolean; explain?: string }): void {
  if (json && explain !== undefined) {
    throw badInput("--explain: it is text, which --json cannot print", "Leave one of them out.");
  }
}

/** Prints a report on stdout, as JSON or for people, and sets the exit code. */
export function present({ report, folder, cancelled, explained }: Presented, options: CommonOptions): void {
  if (explained === undefined && options.json) sayJson(report);
  else say(explained ?? forPeople(report, folder));
  process.exitCode = exitCodeOf(report, cancelled);
}

function forPeople(report: Report, folder: string | undefined): string {
  const { columns, isTTY } = process.stdout;
  return renderTerminal(report, {
    columns: Math.min(columns ?? 80, 100),
    color: isTTY === true && !process.env["NO_COLOR"],
    ...(folder === undefined ? {} : { where: folder }),
  });
}
