import { schemaOf } from "../../pipeline/databases.js";
import { describeSchema } from "../../report/databases.js";
import { createDeps } from "../deps.js";
import type { CommonOptions } from "../options.js";
import { say, sayJson } from "../say.js";
import { urlGiven } from "../settings.js";

/** `multirun schema URL`: what a database is made of. */
export async function schema(url: string, options: CommonOptions): Promise<void> {
  const snapshot = await schemaOf(urlGiven(createDeps(), url));
  if (options.json) sayJson(snapshot);
  else say(describeSchema(snapshot));
}
