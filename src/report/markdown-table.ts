import type { Decision, Option, Report } from "../model/report.js";
import { type Block, cell, safeText } from "./markdown-text.js";
import { agreementOf, domainOf, furtherFacts, labelOf, linesOf, referencesOf, runList } from "./phrases.js";

const optionLimit = 8;

/** The main table: one line per choice, decisions that the same runs took alike in one line. */
export function decisionTable(report: Report): Block | undefined {
  const main = linesOf(report.decisions.filter((decision) => decision.main));
  if (main.length === 0) return undefined;
  const rows = main.map((line) => decisionRow(line, report));
  const text = ["| | Decision | Options · runs | Agreement |", "|---|---|---|---|", ...rows].join("\n");
  return { name: "the table of decisions", text };
}

function decisionRow(line: readonly Decision[], report: Report): string {
  const [first] = line;
  if (first === undefined) return "";
  const ids = line.map(({ id, ask }) => `${ask ? "❓ " : ""}${id}`).join("<br>");
  const titles = line.map(
    (decision) => `${safeText(decision.title)}${subscript(furtherFacts(decision).map(({ topic }) => topic))}`,
  );
  const domain = domainOf(first, report.runs);
  const small = [...(domain ? [domain] : []), ...referencesOf(line)];
  const cells = [
    ids,
    titles.join("<br>"),
    options(line, report),
    `${bar(first)} ${agreementOf(first)}${small.map((text) => `<br><sub>${safeText(text)}</sub>`).join("")}`,
  ];
  return `| ${cells.map(cell).join(" | ")} |`;
}

function subscript(topics: readonly string[]): string {
  if (topics.length === 0) return "";
  const more = topics.length > 2 ? ` and ${topics.length - 2} more` : "";
  return `<br><sub>one choice with ${topics.slice(0, 2).map(safeText).join(", ")}${more}</sub>`;
}

/** Decisions of one line answer each option together: runs and letters are the same. */
function options(line: readonly Decision[], report: Report): string {
  const first = line[0]?.options ?? [];
  const shown = first.slice(0, optionLimit).map((option, at) => {
    const labels = line.map((decision) => label(decision.options[at], report));
    return `**${option.id}** ${labels.join(" / ")} · ${option.runs.length} <sub>${safeText(runList(option.runs, 10))}</sub>`;
  });
  const rest = first.length - optionLimit;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join("<br>");
}

function label(option: Option | undefined, report: Report): string {
  if (option === undefined) return "";
  const { mark, label, risk } = labelOf(option, report);
  return `${mark}${safeText(label)}${risk === null ? "" : ` <sub>${safeText(risk)}</sub>`}`;
}

/** ▰▰▰▱▱: one place per counted run, at most twenty. */
function bar({ options, counted }: Decision): string {
  const width = Math.min(counted, 20);
  const full = Math.round(((options[0]?.runs.length ?? 0) / Math.max(1, counted)) * width);
  return `${"▰".repeat(full)}${"▱".repeat(width - full)}`;
}
