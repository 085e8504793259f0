import { toJson, writeDurably } from "../../clients/files.js";
import { findExperiment, folderAt } from "../../pipeline/folder.js";
import { synthesizeFolder } from "../../pipeline/synthesize.js";
import { explainDecision } from "../../report/explain.js";
import { renderMarkdown } from "../../report/markdown.js";
import type { SynthesizeOptions } from "../options.js";
import { present, refuseBoth } from "../present.js";

/** `multirun synthesize DIR`: the report again, from what lies there. */
export async function synthesize(name: string, options: SynthesizeOptions): Promise<void> {
  refuseBoth(options);
  const path = findExperiment(name);
  const folder = folderAt(path);
  const report = await synthesizeFolder(path);
  const explained = options.explain === undefined ? undefined : explainDecision(report, options.explain);
  await writeDurably(folder.report.json, toJson(report));
  await writeDurably(folder.report.markdown, renderMarkdown(report));
  present({ report, folder: folder.path, cancelled: false, explained }, options);
}
