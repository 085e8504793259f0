import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, constants } from "node:zlib";
import type { Plugin } from "rolldown";
import { treeLanguages } from "../src/facts/code/languages.js";

const { resolve } = createRequire(import.meta.url);

/**
 * Writes the parser and one file per grammar beside the bundle, compressed: together they are 17 MB, of which a run
 * needs one or two grammars. A bundle without the parser gets none. Quality 9 takes seconds instead of minutes for a tenth more size, and the same input gives
 * the same bytes.
 */
export function grammars(): Plugin {
  return {
    name: "grammars",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
      if (!modules.some((id) => /[\\/]node_modules[\\/]web-tree-sitter[\\/]/.test(id))) return;
      const files = [
        ["runtime", "web-tree-sitter/web-tree-sitter.wasm"],
        ...treeLanguages.map((name) => [name, `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`]),
      ] as const;
      for (const [name, file] of files) {
        const bytes = readFileSync(resolve(file));
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 9,
          [constants.BROTLI_PARAM_LGWIN]: 22,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        };
        this.emitFile({
          type: "asset",
          fileName: `grammars/${name}.wasm.br`,
          source: brotliCompressSync(bytes, { params }),
        });
      }
    },
  };
}
