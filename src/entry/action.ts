import { getInput, setFailed, setOutput, summary } from "@actions/core";
import { toJson, writeDurably } from "../clients/files.js";
import { badInput, MultirunError, messageOf } from "../model/error.js";
import type { Report } from "../model/report.js";
import { nearest } from "../model/strict.js";
import { folderAt } from "../pipeline/folder.js";
import { synthesizeFolder } from "../pipeline/synthesize.js";
import { renderMarkdown } from "../report/markdown.js";

/** What the action can do so far: an experiment folder → report, step summary, outputs. */
const commands = ["synthesize"] as const;

try {
  const command = getInput("command", { required: true });
  if (command !== "synthesize") {
    const near = nearest(command, commands);
    throw badInput(
      `command: "${command}" is none of ${commands.join(", ")}`,
      near ? `Did you mean "${near}"?` : "Use one of them.",
    );
  }
  await synthesize(getInput("experiment", { required: true }));
} catch (error) {
  const hint = error instanceof MultirunError && error.hint ? ` ${error.hint}` : "";
  setFailed(`${messageOf(error)}${hint}`);
}

async function synthesize(path: string): Promise<void> {
  const folder = folderAt(path);
  const report = await synthesizeFolder(path);
  const markdown = renderMarkdown(report);
  await writeDurably(folder.report.json, toJson(report));
  await writeDurably(folder.report.markdown, markdown);
  await summary.addRaw(markdown).write();
  setOutput("class", classOf(report));
  setOutput("expected-differences", report.summary.expectedDifferences);
  setOutput("report", folder.report.json);
  if (!report.runs.some((run) => run.counted)) throw badInput(report.summary.headline, "Look at the runs' reasons.");
}

/** The least agreement among the decisions. */
function classOf({ decisions }: Report): string {
  const order = ["scattered", "split", "strong", "insufficient"] as const;
  return order.find((each) => decisions.some((decision) => decision.class === each)) ?? "consensus";
}
