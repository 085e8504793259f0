import { setTimeout as delay } from "node:timers/promises";
import { createGit } from "../clients/git.js";
import type { Deps, Log } from "../model/deps.js";
import { MultirunError } from "../model/error.js";
import { plainLine } from "../model/text.js";

/** Progress goes to stderr, so that stdout holds the result and nothing else. */
const log: Log = {
  info: (line) => process.stderr.write(`${plainLine(line)}\n`),
  warn: (line) => process.stderr.write(`warning: ${plainLine(line)}\n`),
};

/** The outside world as the stages see it. */
export function createDeps(): Deps {
  const { env } = process;
  return {
    log,
    git: createGit(env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"),
    now: Date.now,
    sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}),
    environment: env,
  };
}

/**
 * Aborts on the first SIGINT, SIGTERM or SIGHUP, so that agents end and everything goes back. The second one leaves at
 * once; sweep finds the rest.
 */
export function cancelOnSignals(): AbortController {
  const cancel = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (cancel.signal.aborted) process.exit(130);
      log.info(`${name}: ending the agents and giving everything back; once more to leave at once`);
      cancel.abort(new MultirunError("cancelled", `cancelled by ${name}`));
    });
  }
  return cancel;
}
