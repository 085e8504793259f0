import { rowsBetween } from "../../pipeline/databases.js";
import { describeRows } from "../../report/databases.js";
import { createDeps } from "../deps.js";
import type { CommonOptions } from "../options.js";
import { say, sayJson } from "../say.js";
import { urlGiven } from "../settings.js";

/** `multirun rows URL URL`: in which rows a database differs from another. */
export async function rows(base: string, run: string, options: CommonOptions): Promise<void> {
  const deps = createDeps();
  const changes = await rowsBetween(urlGiven(deps, base), urlGiven(deps, run));
  if (options.json) sayJson(changes);
  else say(describeRows(changes));
}
