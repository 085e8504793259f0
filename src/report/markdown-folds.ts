import { formatDuration } from "../model/duration.js";
import type { Decision, Report, ReportRun } from "../model/report.js";
import { visible } from "../model/text.js";
import { isUnread, plural } from "./headline.js";
import { type Block, cell, clip, code, safeText } from "./markdown-text.js";
import { agreementOf, detailsOf, endingOf, type Failure, failuresOf, linesOf, runList, upTo } from "./phrases.js";

const foldLimit = 40;

/** What only some readers want: closed until clicked. */
export function foldBlocks(report: Report): (Block | undefined)[] {
  const minor = linesOf(report.decisions.filter((decision) => !decision.main));
  const smaller = minor.flatMap((line) =>
    line.map(
      (decision) =>
        `${decision.id} ${safeText(decision.title)} ${optionsInLine(decision)} · ${agreementOf(decision)}${decision.counted < decision.of ? `, ${decision.of - decision.counted} not asked or missing` : ""}`,
    ),
  );
  const details = report.decisions
    .filter(({ main }) => main)
    .flatMap((decision) => detailsOf(decision).map((detail) => `${decision.id} ${safeText(detail)}`));
  const shared = report.agreed.flatMap((each) => each.details.map(safeText));
  const asked = report.decisions.filter(({ ask, main }) => ask && main);
  const failures = failuresOf(report).map(failure);
  return [
    fold("Runs · checks, size, time, cost", runsTable(report.runs)),
    failures.length > 0
      ? { name: "failures", text: `**Did not end by themselves:** ${upTo(failures, 8, " · ")}` }
      : undefined,
    fold("Smaller differences", list(smaller)),
    fold("Details of the decisions", list(details)),
    fold("Agreed in detail", list(shared)),
    asked.length > 0 ? fold("Answer and run again", answers(asked)) : undefined,
  ];
}

function failure({ runs, words, reason }: Failure): string {
  const why = reason === null ? "" : ` ${code(clip(reason))}`;
  return `${runs.length} × ${words}${why} <sub>${safeText(runList(runs, 10))}</sub>`;
}

function fold(title: string, content: string): Block | undefined {
  if (content === "") return undefined;
  return { name: title, text: `<details><summary>${title}</summary>\n\n${content}\n\n</details>` };
}

function list(items: readonly string[]): string {
  const more = items.length > foldLimit ? [`- and ${items.length - foldLimit} more in report.json`] : [];
  return [...items.slice(0, foldLimit).map((item) => `- ${item}`), ...more].join("\n");
}

function optionsInLine({ options }: Decision): string {
  return upTo(
    options.map(({ label, runs, id }) => `**${id}** ${safeText(label)} ${runs.length}`),
    4,
    " · ",
  );
}

function runsTable(runs: readonly ReportRun[]): string {
  const rows = runs.map((run) => {
    const { checks, patch, durationMs, costUsd, usageAtLeast, variant } = run;
    const size = sizeOf(patch);
    const kept = run.relatives.length > 0 ? `same as ${runList(run.relatives)}` : "";
    const cells = [
      code(run.id),
      variant === "" ? "" : code(variant),
      [endingOf(run), ...(isUnread(run) ? ["partly read"] : []), ...(breaks(run) ? ["⚠ contract"] : [])].join(", "),
      checks ? `${checks.passed}/${checks.total}` : "",
      size,
      formatDuration(durationMs),
      costUsd === null ? "" : `${usageAtLeast ? "≥ " : ""}$${costUsd.toFixed(2)}`,
      safeText(run.reference ? "reference, not counted" : kept),
    ];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  return [
    "| Run | Variant | Ended | Checks | Change | Time | Cost | |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function breaks({ violations }: ReportRun): boolean {
  return violations.length > 0;
}

function sizeOf(patch: ReportRun["patch"]): string {
  if (patch === null || patch.files === 0) return "";
  const { files, added, deleted, applies } = patch;
  return `${plural(files, "file")}, +${added} −${deleted}${applies === false ? ", does not apply" : ""}`;
}

/** A fence that no title can close: titles are one line each and hold no back-ticks here. */
function answers(decisions: readonly Decision[]): string {
  const lines = decisions.map(({ id, title }) => `${id} (${visible(title).replaceAll("`", "")}):`);
  return ["Add to the task what you decide, then run it again:", "", "```", ...lines, "```"].join("\n");
}
