import { createHash } from "node:crypto";
import { basename } from "node:path";
import { parse } from "yaml";
import { type TaskFrontMatter, taskFrontMatter } from "../model/config.js";
import { badInput, messageOf } from "../model/error.js";
import { parseStrict } from "../model/strict.js";

export interface Task {
  title: string;
  /** What the agent reads: everything below the front matter. */
  text: string;
  sha256: string;
  /** Where it came from: a path, or `-` for standard input. */
  source: string;
  settings: TaskFrontMatter;
}

const frontMatter = /^---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/;
const titleLength = 120;

/**
 * Reads a Markdown task with optional front matter (title, n, checks, contract, seed).
 * @throws MultirunError `bad_input`: empty task, front matter that is no YAML or has an unknown key
 */
export function readTask(content: string, source: string): Task {
  const match = frontMatter.exec(content);
  if (!match && /^---[ \t]*\r?\n/.test(content)) {
    throw badInput(`task ${source}: its front matter has no end`, "Close it with a line of three dashes.");
  }
  const settings = match ? parseFrontMatter(match[1] ?? "", source) : {};
  const text = content.slice(match?.[0].length ?? 0).trim();
  if (text === "") {
    throw badInput(`task ${source}: it has no text`, "Write what the agents shall do below the front matter.");
  }
  return {
    title: settings.title ?? titleOf(text, source),
    text: `${text}\n`,
    sha256: createHash("sha256").update(`${text}\n`).digest("hex"),
    source,
    settings,
  };
}

function parseFrontMatter(yaml: string, source: string): TaskFrontMatter {
  let data: unknown;
  try {
    data = parse(yaml);
  } catch (error) {
    throw badInput(
      `task ${source}: its front matter is no YAML: ${messageOf(error)}`,
      "Correct the lines between ---.",
    );
  }
  return parseStrict(taskFrontMatter, data ?? {}, { name: `task ${source}` });
}

/** The first heading, else the first line. */
function titleOf(text: string, source: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}\s+\S/.test(line))?.replace(/^#{1,6}\s+/, "");
  const title = heading ?? lines.find((line) => line !== "") ?? basename(source);
  return title.length > titleLength ? `${[...title].slice(0, titleLength - 1).join("")}…` : title;
}
