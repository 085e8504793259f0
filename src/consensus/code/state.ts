import type { CodeReading, PatchState } from "../../model/code.js";
import type { CodeFactsOf } from "./emit.js";

const words: Record<PatchState, string> = {
  changed: "changes production code",
  "text only": "changes only comments or layout",
  "tests only": "changes tests only",
  "scratch only": "adds only scratch files",
  "generated only": "changes generated files only",
  "other files only": "changes no code",
  "no patch": "no patch",
  "does not apply": "the patch does not apply",
};

export const stateSlot = "code state";

/** Whether a run changed what the program does is a row as soon as runs differ in it. */
export function tellStates(readings: readonly CodeReading[], facts: CodeFactsOf): void {
  for (const { run, state } of readings) {
    facts.of(run, {
      slot: stateSlot,
      aspect: "state",
      value: state,
      label: words[state],
      title: "Does the run change production code?",
      topic: "whether production code is changed",
      subject: "production code",
      weight: 3,
      lack: state === "no patch",
      quiet: true,
    });
  }
}
