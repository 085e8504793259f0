import { badInput } from "../model/error.js";
import { groupBy } from "../model/groups.js";
import type { Decision, Report } from "../model/report.js";
import { deceiving, visible } from "../model/text.js";
import { agreementOf, domainOf, haveNames, referencesOf } from "./phrases.js";

/**
 * All a decision stands on, as plain text: its options, the facts that were merged into it, which names were taken for one
 * thing, and the files and lines it was read from.
 * @throws MultirunError `bad_input` where there is no such decision, naming those there are
 */
export function explainDecision(report: Report, id: string): string {
  const decision = report.decisions.find((each) => each.id === id);
  if (decision === undefined) throw unknown(report, id);
  const parts = [
    head(decision, report),
    section("Options", optionLines(decision)),
    section(`Facts merged: ${decision.facts.length}`, decision.facts.flatMap(factLines)),
    section("Names taken for one thing", nameLines(decision, report)),
    section("Written so", excerptLines(decision)),
    section("Read from", evidenceLines(decision)),
    section("Runs", runLines(report)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function unknown({ decisions }: Report, id: string): Error {
  const ids = decisions.map((each) => each.id);
  const range = ids.length > 12 ? `${ids[0]} to ${ids.at(-1)}` : ids.join(", ");
  return badInput(
    `--explain: "${id}" is no decision of this report`,
    ids.length === 0 ? "It has none: nothing differs that could be explained." : `Name one of these: ${range}.`,
  );
}

/** One line; names need no marks where nothing is rendered. */
function plain(text: string): string {
  return visible(text).replaceAll("`", "");
}

function head(decision: Decision, { runs }: Report): string {
  const { id, title, dimension, weight, ask, main, sameRunsAs } = decision;
  const domain = domainOf(decision, runs);
  const lines = [
    `${id}  ${plain(title)}`,
    `    ${dimension} · ${agreementOf(decision)} · weight ${weight} · disagreement ${decision.disagreement}`,
    ...(domain ? [`    ${domain}`] : []),
    `    ${ask ? "needs an answer" : "needs no answer"}, ${main ? "in the main table" : "among the smaller differences"}`,
    ...(sameRunsAs.length > 0
      ? [`    divides the runs as ${sameRunsAs.join(", ")} does, and is not tied to it by structure`]
      : []),
  ];
  return lines.join("\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function optionLines(decision: Decision): string[] {
  const options = decision.options.map(({ id, label, runs, share, interval: [low, high], risk }) => {
    const percent = (value: number) => Math.round(value * 100);
    const bounds = `${percent(share)} %, 95 %: ${percent(low)}–${percent(high)}`;
    return `${id}  ${plain(label)}${risk ? ` (⚠ ${plain(risk)})` : ""} · ${runs.length} (${bounds}): ${runs.join(" ")}`;
  });
  return [...options, ...referencesOf([decision]).map((text) => `reference ${plain(text)}`)];
}

/** What one run of each option wrote. */
function excerptLines({ options }: Decision): string[] {
  return options.flatMap(({ id, excerpt }) => {
    if (excerpt === undefined) return [];
    const text = excerpt.text
      .split("\n")
      .map((line) => `    ${line.replace(/\t/g, "  ").replace(deceiving, "\ufffd")}`);
    return [`${id}  ${excerpt.run} ${plain(excerpt.file)}:${excerpt.line}`, ...text];
  });
}

/** The first one decides the options, the others follow the same runs or are details. */
function factLines({ slot, aspect, title, answers }: Decision["facts"][number]): string[] {
  const said = answers.map(({ label, runs }) => `    ${plain(label)}: ${runs.join(" ")}`);
  return [`${plain(slot)}, ${plain(aspect)}: ${plain(title)}`, ...said];
}

/** Naming entries about anything the decision's facts speak of. */
function nameLines({ facts }: Decision, { naming }: Report): string[] {
  const spoken = facts.map(({ slot, topic, title }) => `${slot} ${topic} ${title}`).join("\n");
  const concerns = naming.filter(({ options: [usual] }) =>
    (usual?.label.match(/`[^`]+`/g) ?? []).some((name) => mentions(spoken, name.slice(1, -1))),
  );
  if (concerns.length === 0) return ["none: no run was found to call these things otherwise"];
  return concerns.flatMap(({ title, options, likeness }) => [
    `${plain(title)}${likeness === undefined ? "" : ` (aligned by structure, ${likeness.toFixed(2)})`}`,
    ...options.map(({ label, runs }) => `    ${plain(label)}: ${runs.join(" ")}`),
  ]);
}

function mentions(text: string, name: string): boolean {
  const isPart = (character = "") => /[\p{L}\p{N}_$]/u.test(character);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + name.length])) return true;
  }
  return false;
}

function evidenceLines({ facts }: Decision): string[] {
  const all = facts.flatMap(({ evidence }) => evidence);
  const byRun = groupBy(all, ({ run }) => run);
  return [...byRun].map(([run, each]) => {
    const places = each.map(({ file, line }) => `${plain(file)}${line === null ? "" : `:${line}`}`);
    return `${run}  ${[...new Set(places)].join(", ")}`;
  });
}

/** What people call the runs, where that is not their id. */
function runLines({ runs }: Report): string[] {
  if (!haveNames(runs)) return [];
  return runs.map(({ id, variant, reference }) => `${id}  ${plain(variant)}${reference ? " (reference)" : ""}`);
}
