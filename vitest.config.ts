import { configDefaults, defineConfig } from "vitest/config";
import { texts } from "./scripts/texts.js";

export default defineConfig({
  plugins: [texts()],
  test: {
    include: ["test/**/*.test.ts"],
    // The real agents have a configuration of their own.
    exclude: [...configDefaults.exclude, "test/agents/**"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests start servers and agents: more workers than cores only make them wait for each other.
    maxWorkers: 2,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/entry/**"],
      reporter: ["text-summary"],
      thresholds: { lines: 80, branches: 72 },
    },
  },
});
