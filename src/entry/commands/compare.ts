import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { toJson, writeDurably } from "../../clients/files.js";
import { badInput } from "../../model/error.js";
import { gatherFolder } from "../../pipeline/compare/compare.js";
import { type Gathered, reportOf, writeExperiment } from "../../pipeline/compare/gathered.js";
import { gatherRefs } from "../../pipeline/compare/refs.js";
import { refuseUsed } from "../../pipeline/folder.js";
import { explainDecision } from "../../report/explain.js";
import { renderMarkdown } from "../../report/markdown.js";
import { cancelOnSignals, createDeps } from "../deps.js";
import type { CompareOptions } from "../options.js";
import { present, refuseBoth } from "../present.js";
import { readRepoConfig } from "../settings.js";

/** `multirun compare`: runs that somebody else made, as files or as branches → report. */
export async function compare(refs: readonly string[], options: CompareOptions): Promise<void> {
  refuseBoth(options);
  if (options.out !== undefined) await refuseUsed(resolve(options.out));
  const gathered = await gather(refs, options);
  const report = await reportOf(gathered);
  const explained = options.explain === undefined ? undefined : explainDecision(report, options.explain);
  const folder = options.out === undefined ? undefined : await writeExperiment(options.out, gathered);
  if (folder) {
    await writeDurably(folder.report.json, toJson(report));
    await writeDurably(folder.report.markdown, renderMarkdown(report));
  }
  present({ report, explained, cancelled: false, ...(folder ? { folder: folder.path } : {}) }, options);
}

async function gather(refs: readonly string[], options: CompareOptions): Promise<Gathered> {
  const { from, base, reference, repo = "." } = options;
  const { aliases, distinct } = await readRepoConfig(resolve(repo));
  const overrides = { aliases, distinct };
  const common = { deps: createDeps(), cancel: cancelOnSignals(), temporary: tmpdir(), reference, overrides };
  try {
    if (from !== undefined && refs.length === 0) {
      return await gatherFolder({ ...common, from, base: base === undefined ? undefined : { repo, ref: base } });
    }
    if (from === undefined && base !== undefined) {
      return await gatherRefs({ ...common, base, refs, repo });
    }
  } catch (error) {
    // A signal from the terminal reaches git as well, which then fails in its own words.
    throw common.cancel.signal.aborted ? common.cancel.signal.reason : error;
  }
  throw badInput(
    from === undefined ? "compare: neither --from nor --base is there" : "compare: --from goes with no refs",
    "Write multirun compare --from DIR [--base REF], or multirun compare --base REF REF REF…",
  );
}
