import type { Decision, Option, Report, ReportRun } from "../model/report.js";
import { visible } from "../model/text.js";
import { isUnread } from "./headline.js";
import {
  agreementOf,
  agreementsOf,
  candidateSentence,
  caveatOf,
  circumstances,
  domainOf,
  elapsedOf,
  endingOf,
  failuresOf,
  haveNames,
  labelOf,
  linesOf,
  namesOnly,
  referenceSentence,
  referencesOf,
  resourcesSentence,
  runList,
  runsSentence,
  unreadableSentence,
  upTo,
} from "./phrases.js";
import { contradictionsOf, costOf, limitsSentence } from "./supervision.js";
import { cut, pad, widthOf, wrap } from "./width.js";

export interface TerminalOptions {
  /** Width of the terminal; no line is wider. */
  columns?: number;
  /** ANSI colours; off unless asked for. */
  color?: boolean;
  /** Where the full report lies, shown last. */
  where?: string;
}

interface Page {
  columns: number;
  paint: Paint;
}

type Paint = (style: keyof typeof styles, text: string) => string;

const styles = { bold: 1, red: 31, green: 32, yellow: 33, dim: 2 } as const;
const narrowest = 40;
const optionLimit = 6;
const lineLimit = 8;
/** Runs with names of their own are looked up here by the rest of the report. */
const namedLimit = 24;
const nameRoom = 24;

/** A report for the terminal. Ends with a line break. */
export function renderTerminal(report: Report, { columns = 80, color = false, where }: TerminalOptions = {}): string {
  const paint: Paint = (style, text) => (color ? `\u001b[${styles[style]}m${text}\u001b[0m` : text);
  const page: Page = { columns: Math.max(narrowest, columns), paint };
  const parts = [
    [...headLines(report, page), ...runLines(report.runs, page), ...failureLines(report, page)],
    verdictLines(report, page),
    ...linesOf(report.decisions.filter(({ main }) => main)).map((line) => decisionLines(line, report, page)),
    sharedLines(report, page),
    footLines(report, page, where),
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n")}\n`;
}

/** Back-ticks mark names for renderers that can show them; here they would only be noise. */
function clean(text: string): string {
  return visible(text).replaceAll("`", "");
}

function headLines(report: Report, { columns, paint }: Page): string[] {
  const [time = ""] = elapsedOf(report);
  const rest = ` · ${circumstances(report).join(" · ")}`;
  const room = columns - widthOf(rest) - widthOf(time) - 12;
  const title = `${cut(clean(report.experiment.task.title), Math.max(8, room))}${rest}`;
  const left = pad(title, columns - widthOf(time) - 11);
  return [`${paint("bold", "multirun")}  ${left} ${time}`.trimEnd()];
}

function runLines(runs: readonly ReportRun[], { columns }: Page): string[] {
  const known = haveNames(runs);
  const nameOf = ({ variant, reference }: ReportRun) =>
    `${known ? `${cut(clean(variant), nameRoom)} ` : ""}${reference ? "(reference) " : ""}`;
  const cells = runs.map((run) => `${run.id} ${nameOf(run)}${stateOf(run)}`);
  const width = Math.max(...cells.map(widthOf)) + 3;
  const perLine = Math.max(1, Math.floor((columns + 1) / width));
  const most = perLine * (known ? namedLimit : lineLimit);
  const lines: string[] = [];
  for (let at = 0; at < Math.min(cells.length, most); at += perLine) {
    lines.push(
      `  ${cells
        .slice(at, at + perLine)
        .map((each) => pad(each, width))
        .join("")}`.trimEnd(),
    );
  }
  if (cells.length > most) lines.push(`  and ${cells.length - most} more runs`);
  return lines.map((line) => cut(line, columns));
}

function stateOf(run: ReportRun): string {
  const { checks, outcome } = run;
  const tally = checks && checks.total > 0 ? ` ${checks.passed}/${checks.total} checks` : "";
  if (isUnread(run) && (outcome === "completed" || outcome === "no_change")) return `⚠ partly read${tally}`;
  const doubtful = run.violations.length > 0 || (checks && checks.passed < checks.total);
  if (outcome === "completed") return `${doubtful ? "⚠" : "✔"}${tally}${run.violations.length > 0 ? " contract" : ""}`;
  if (outcome === "no_change") return "– nothing changed";
  return `${outcome === "timed_out" ? "⏱" : "✖"} ${run.partial ? "partial" : endingOf(run)}`;
}

function failureLines(report: Report, { columns }: Page): string[] {
  const unread = unreadableSentence(report);
  return [...failures(report, columns), ...(unread ? [cut(`  ${clean(unread)}`, columns)] : [])];
}

function failures(report: Report, columns: number): string[] {
  return failuresOf(report)
    .slice(0, lineLimit)
    .map(({ runs, words, reason }) =>
      cut(`  ${runs.length} × ${words} (${runList(runs)})${reason === null ? "" : `: ${clean(reason)}`}`, columns),
    );
}

function verdictLines(report: Report, { columns, paint }: Page): string[] {
  const verdict = wrap(`${clean(report.summary.headline)}`, columns - 2);
  const more = wrap(`${runsSentence(report)}${caveatOf(report)}`, columns - 2);
  return [...verdict.map((line) => `  ${paint("bold", line)}`), ...more.map((line) => `  ${line}`)];
}

function decisionLines(line: readonly Decision[], report: Report, page: Page): string[] {
  const [first] = line;
  if (first === undefined) return [];
  const heads = line.flatMap((decision) => titleLines(decision, page));
  const shown = first.options.slice(0, optionLimit).flatMap((option, at) => {
    const labels = line.flatMap((decision) => decision.options[at] ?? []).map((each) => labelOf(each, report));
    const words = labels
      .map(({ mark, label, risk }) => clean(`${mark}${label}${risk === null ? "" : `, ${risk}`}`))
      .join(" / ");
    return optionLines(option, words, page);
  });
  const rest = first.options.length - optionLimit;
  const domain = domainOf(first, report.runs);
  const references = referencesOf(line).flatMap((text) => wrap(clean(text), page.columns - 7));
  return [
    ...heads,
    ...shown,
    ...(rest > 0 ? [`       and ${rest} more`] : []),
    ...references.map((text) => `       ${text}`),
    ...(domain ? wrap(`(${domain})`, page.columns - 7).map((text) => `       ${page.paint("dim", text)}`) : []),
  ];
}

function titleLines(decision: Decision, { columns, paint }: Page): string[] {
  const kind = agreementOf(decision);
  const mark = `${decision.id.padEnd(3)} ${decision.ask ? "?" : " "} `;
  const room = columns - 2 - widthOf(mark) - widthOf(kind) - 2;
  const titles = wrap(clean(decision.title), room);
  const [title = "", ...more] = titles;
  const style = decision.ask ? "yellow" : "green";
  const indent = " ".repeat(2 + widthOf(mark));
  return [`  ${mark}${pad(title, room)}  ${paint(style, kind)}`, ...more.map((text) => `${indent}${text}`)];
}

function optionLines({ id, runs }: Option, words: string, { columns, paint }: Page): string[] {
  const head = `       ${id}  ${String(runs.length).padStart(2)}  `;
  const runRoom = Math.floor((columns - widthOf(head)) * 0.35);
  const labelRoom = columns - widthOf(head) - runRoom - 2;
  const [first = "", ...more] = wrap(words, labelRoom).slice(0, 3);
  const text = (part: string) => (words.includes("⚠") ? paint("red", part) : part);
  const indent = " ".repeat(widthOf(head));
  const who = runsIn(runs, runRoom);
  return [`${head}${text(pad(first, labelRoom))}  ${who}`, ...more.map((part) => `${indent}${text(part)}`)];
}

/** As many runs by name as there is room for. */
function runsIn(runs: readonly string[], room: number): string {
  const fitting = [5, 4, 3, 2, 1]
    .map((most) => runList(runs, most).replaceAll(",", ""))
    .find((text) => widthOf(text) <= room);
  return fitting ?? cut(`${runs.length} runs`, room);
}

function sharedLines(report: Report, page: Page): string[] {
  const { columns, paint } = page;
  const agreed = agreementsOf(report).flatMap(({ who, statements }) =>
    block(`${who}: ${upTo(statements, lineLimit, "; ")}`, columns),
  );
  const risks = report.risks.flatMap(({ title, runs, of }) =>
    block(`⚠ ${title} (${runList(runs)}: ${runs.length} of ${of})`, columns),
  );
  const odd = report.oddOneOut.flatMap(({ run, statements }) =>
    block(`Odd one out: ${run} ${upTo(statements, 2, "; ")}`, columns),
  );
  const untrue = contradictionsOf(report).flatMap((text) => block(`⚠ Said, and not so: ${text}`, columns));
  const folded = report.decisions.filter(({ main }) => !main).length;
  const minor = folded > 0 ? [`  Smaller differences: ${folded}, in the full report`] : [];
  const reference = referenceSentence(report);
  const names = block(`Names only: ${upTo(namesOnly(report), 4, "; ")}`, columns);
  return [
    ...(reference ? block(reference, columns) : []),
    ...agreed,
    ...short(risks).map((line) => paint("red", line)),
    ...short(untrue),
    ...short(odd),
    ...minor,
    ...(report.naming.length > 0 ? names : []),
  ];
}

function block(text: string, columns: number): string[] {
  return wrap(clean(text), columns - 2, 2).map((line) => `  ${line}`);
}

function short(lines: readonly string[]): string[] {
  const most = 2 * lineLimit;
  return lines.length > most
    ? [...lines.slice(0, most), `  and ${lines.length - most} more lines in the full report`]
    : [...lines];
}

function footLines(report: Report, { columns, paint }: Page, where: string | undefined): string[] {
  const { text, leaked, kept } = resourcesSentence(report);
  const candidate = candidateSentence(report);
  const spent = costOf(report);
  const choice = candidate ? block(candidate, columns) : [];
  const lost =
    leaked.length > 0
      ? block(`⚠ not given back: ${upTo(leaked, 10, ", ")}`, columns).map((line) => paint("red", line))
      : [];
  const held = kept.length > 0 ? block(`Kept: ${upTo(kept, 10, ", ")}`, columns) : [];
  const limits = limitsSentence(report);
  const limitLines = limits ? block(limits, columns) : [];
  return [
    ...choice,
    ...limitLines,
    `  ${spent === undefined ? "" : `${spent} · `}${text}`,
    ...lost,
    ...held,
    ...(where ? [cut(`  ${clean(where)}`, columns)] : []),
  ];
}
