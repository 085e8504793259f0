import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "rolldown";

/** What comes with a package without being in it as a module: its files, and files whose licences it does not bring. */
const companions: Record<string, { packages: string[]; notices: string[] }> = {
  "web-tree-sitter": { packages: ["@vscode/tree-sitter-wasm"], notices: ["grammars-licence.txt"] },
};

/** Writes the licence of every bundled package beside the bundle, as those licences ask for. */
export function licences(fileName: string): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
      const folders = new Set(
        modules.flatMap((id) => /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1] ?? []),
      );
      const texts = [...folders].map(describe);
      for (const folder of folders) {
        const { packages, notices } = companions[basename(folder)] ?? { packages: [], notices: [] };
        texts.push(...packages.map((name) => describe(join(dirname(folder), name))));
        texts.push(...notices.map((name) => readFileSync(join("scripts", name), "utf8")));
      }
      const source = texts.sort().join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName, source });
    },
  };
}

function describe(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}
