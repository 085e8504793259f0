import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { createRedactor } from "../../model/redactor.js";
import type { Secret } from "../../model/secret.js";

/**
 * Writes a star for every letter and digit of the secrets in a file: lines, and so the hunks of a patch, stay as they are.
 * @returns how many secrets there were; the file is left alone where there was none
 */
export async function maskFile(path: string, secrets: readonly Secret[]): Promise<number> {
  if (secrets.length === 0) return 0;
  const redactor = createRedactor(secrets, "mask");
  const masked = `${path}.masked`;
  const file = await open(masked, "wx");
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
      await file.writeFile(redactor.push(chunk));
    await file.writeFile(redactor.flush());
  } finally {
    await file.close();
  }
  if (redactor.found() > 0) await rename(masked, path);
  else await rm(masked);
  return redactor.found();
}
