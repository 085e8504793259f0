import type { Report } from "../model/report.js";
import { withoutCommands } from "../model/text.js";
import { foldBlocks } from "./markdown-folds.js";
import { decisionTable } from "./markdown-table.js";
import { type Block, clip, code, safeText } from "./markdown-text.js";
import {
  agreementsOf,
  candidateSentence,
  caveatOf,
  circumstances,
  elapsedOf,
  namesOnly,
  referenceSentence,
  resourcesSentence,
  runList,
  runsSentence,
  unreadableSentence,
  upTo,
} from "./phrases.js";
import { contradictionsOf, costOf, limitsSentence } from "./supervision.js";

/** GitHub refuses bodies over 65,536 characters; the rest is room for what is put around the report. */
const bodyLimit = 60_000;

/** A report as GitHub Markdown: verdict first, then what needs an answer, then what is shared, then the folds. */
export function renderMarkdown(report: Report, { limit = bodyLimit } = {}): string {
  const blocks = [head(report), decisionTable(report), ...sharedBlocks(report), ...foldBlocks(report), foot(report)];
  return withoutCommands(
    cutToFit(
      blocks.filter((block): block is Block => block !== undefined),
      limit,
    ),
  );
}

/** Cuts at block boundaries only, so that no table, fold or code span is left open, and says what was cut. */
function cutToFit(blocks: readonly Block[], limit: number): string {
  const whole = `${blocks.map(({ text }) => text).join("\n\n")}\n`;
  if (whole.length <= limit) return whole;
  const notice = (names: string[]) =>
    `Cut to stay under ${limit} characters; left out: ${names.join(", ")}. report.json holds all of it.`;
  const longest = notice(blocks.map(({ name }) => name)).length;
  const kept: string[] = [];
  const dropped: string[] = [];
  let room = limit - longest - 4;
  for (const { name, text } of blocks) {
    if (text.length + 2 > room) dropped.push(name);
    else {
      kept.push(text);
      room -= text.length + 2;
    }
  }
  return `${[...kept, notice(dropped)].join("\n\n")}\n`;
}

function head(report: Report): Block {
  const [runs = "", ...rest] = circumstances(report);
  const title = [`${runs} of ${code(clip(report.experiment.task.title))}`, ...rest, ...elapsedOf(report)];
  const verdict = safeText(report.summary.headline);
  const [first = verdict, ...others] = verdict.split(/(?<=\.) (?=\p{Lu})/u);
  const lines = [
    `**multirun · ${title.join(" · ")}**`,
    "",
    [`**${first}**`, ...others, `${safeText(runsSentence(report))}${caveatOf(report)}`].join(" "),
  ];
  return { name: "verdict", text: lines.join("\n") };
}

function sharedBlocks(report: Report): (Block | undefined)[] {
  const agreed = agreementsOf(report).map(
    ({ who, statements }) => `**${who}:** ${upTo(statements.map(safeText), 8, "; ")}.`,
  );
  const risks = report.risks
    .slice(0, 8)
    .map(
      ({ title, runs, of }) =>
        `⚠ ${safeText(title)} · ${runs.length} of ${of} <sub>${safeText(runList(runs, 10))}</sub>`,
    );
  const more = report.risks.length > 8 ? [`and ${report.risks.length - 8} more in report.json`] : [];
  const odd = report.oddOneOut.map(({ run, statements }) => `${code(run)} ${upTo(statements.map(safeText), 2, "; ")}`);
  const names = namesOnly(report).map(safeText);
  const untrue = contradictionsOf(report).map(safeText);
  const reference = referenceSentence(report);
  const unread = unreadableSentence(report);
  return [
    unread ? { name: "what could not be read", text: `⚠ ${safeText(unread)}` } : undefined,
    reference ? { name: "the reference", text: safeText(reference) } : undefined,
    agreed.length > 0 ? { name: "what the runs agree on", text: agreed.join("<br>\n") } : undefined,
    risks.length > 0 ? { name: "risks", text: `**Risk:** ${[...risks, ...more].join("<br>\n")}` } : undefined,
    untrue.length > 0 ? { name: "untrue claims", text: `**Said, and not so:** ${upTo(untrue, 8, "; ")}` } : undefined,
    odd.length > 0 ? { name: "odd ones out", text: `**Odd one out:** ${upTo(odd, 8, " · ")}` } : undefined,
    names.length > 0 ? { name: "names", text: `**Names only:** ${upTo(names, 8, "; ")}` } : undefined,
  ];
}

function foot(report: Report): Block {
  const { text, leaked, kept } = resourcesSentence(report);
  const lost =
    leaked.length > 0
      ? ` · ⚠ not given back: ${upTo(
          leaked.map((id) => code(clip(id))),
          10,
          ", ",
        )}`
      : "";
  const held =
    kept.length > 0
      ? ` · kept: ${upTo(
          kept.map((id) => code(clip(id))),
          10,
          ", ",
        )}`
      : "";
  const limits = limitsSentence(report);
  const candidate = candidateSentence(report);
  const spent = [candidate, costOf(report)].map((each) => (each === undefined ? "" : `${safeText(each)} · `)).join("");
  const lines = [`${spent}${text}${lost}${held}`, ...(limits ? [safeText(limits)] : [])];
  return { name: "resources", text: lines.join("<br>\n") };
}
