import { toJson, writeDurably } from "../../clients/files.js";
import { findExperiment, folderAt } from "../../pipeline/folder.js";
import { synthesizeFolder } from "../../pipeline/synthesize.js";
import { renderMarkdown } from "../../report/markdown.js";
import type { CommonOptions } from "../options.js";
import { present } from "../present.js";

/** `multirun synthesize DIR`: the report again, from what lies there. */
export async function synthesize(name: string, options: CommonOptions): Promise<void> {
  const path = findExperiment(name);
  const folder = folderAt(path);
  const report = await synthesizeFolder(path);
  await writeDurably(folder.report.json, toJson(report));
  await writeDurably(folder.report.markdown, renderMarkdown(report));
  present({ report, folder: folder.path, cancelled: false }, options);
}
