import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { version } from "../src/model/version.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const source = join(root, "src");
const stages = [
  "trigger",
  "plan",
  "isolate",
  "execute",
  "capture",
  "facts",
  "consensus",
  "verify",
  "report",
  "history",
  "github",
];
const pure = ["model", "facts", "consensus", "report"];

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ path, folder: path.split(sep)[0] ?? "", text: readFileSync(join(source, path), "utf8") }));

/** Folders of ours that a file imports from, types included. */
function imports(file: (typeof files)[number]): string[] {
  const found = [...file.text.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map((match) => match[1] ?? "");
  return found.map((path) => relative(source, join(source, file.path, "..", path)).split(sep)[0] ?? "");
}

function allowed(folder: string): string[] {
  if (folder === "model") return ["model"];
  if (folder === "clients") return ["clients", "model"];
  if (pure.includes(folder)) return [folder, "model"];
  if (stages.includes(folder)) return [folder, "clients", "model"];
  if (folder === "pipeline") return [folder, ...stages, "clients", "model"];
  return [folder, "pipeline", ...stages, "clients", "model"];
}

test.each(files.map((file) => [file.path, file] as const))("%s imports only what stands below it", (_, file) => {
  expect(imports(file).filter((folder) => !allowed(file.folder).includes(folder))).toEqual([]);
});

test("only the entries read the environment or end the process", () => {
  const inner = files.filter((file) => file.folder !== "entry");
  const uses = inner.filter((file) => /(?<!["`])process\.(?:env|argv|exit\(|exitCode)/.test(file.text));
  expect(uses.map((file) => file.path)).toEqual([]);
});

// `node:http` for its table of status codes.
test("consensus reads no clock, no randomness, no locale and no files", () => {
  const impure =
    /Date\.now|new Date\(\)|Math\.random|randomUUID|toLocale|localeCompare|Intl\.|from "node:(?!crypto"|http")/;
  const found = files.filter((file) => ["consensus", "facts"].includes(file.folder) && impure.test(file.text));
  expect(found.map((file) => file.path)).toEqual([]);
});

test("no source file is longer than 300 lines", () => {
  expect(files.filter((file) => file.text.split("\n").length > 301).map((file) => file.path)).toEqual([]);
});

test("the version the command tells is the package's", () => {
  expect(version).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
});
