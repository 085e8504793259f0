import { readFile, writeFile } from "node:fs/promises";
import { expect } from "vitest";

/**
 * Compares with a golden file. `UPDATE_GOLDEN=1 npx vitest run test/report` writes them anew; the difference is then read
 * by a person before it is committed.
 */
export async function expectGolden(name: string, text: string): Promise<void> {
  const path = new URL(`../report/golden/${name}`, import.meta.url);
  if (process.env["UPDATE_GOLDEN"] === "1") await writeFile(path, text);
  expect(text).toBe(await readFile(path, "utf8"));
}
