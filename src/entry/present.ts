import type { Report } from "../model/report.js";
import type { Finished } from "../pipeline/start.js";
import { renderTerminal } from "../report/terminal.js";
import { exitCodeOf } from "./exit.js";
import type { CommonOptions } from "./options.js";

/** Prints a report on stdout, as JSON or for people, and sets the exit code. */
export function present({ report, folder, cancelled }: Finished, options: CommonOptions): void {
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : forPeople(report, folder));
  process.exitCode = exitCodeOf(report, cancelled);
}

function forPeople(report: Report, folder: string): string {
  const { columns, isTTY } = process.stdout;
  return renderTerminal(report, {
    columns: Math.min(columns ?? 80, 100),
    color: isTTY === true && !process.env["NO_COLOR"],
    where: folder,
  });
}
