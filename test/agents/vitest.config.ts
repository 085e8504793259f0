import { defineConfig } from "vitest/config";
import { texts } from "../../scripts/texts.js";

/** The real agents: takes a network to install them and minutes to run them, so `npm test` leaves them out. */
export default defineConfig({
  plugins: [texts()],
  test: {
    include: ["test/agents/*.test.ts"],
    globalSetup: ["test/agents/install.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
