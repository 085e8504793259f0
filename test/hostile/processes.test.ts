import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attack, expectHarmless, modes, openAttack } from "../support/attack.js";
import { ledgerOf, reportIn } from "../support/cli.js";

const forever = 'trap "" TERM HUP; while :; do sleep 1; done';

describe.each(modes)("what an agent does with processes, sandbox %s", (mode) => {
  test("daemons, in sessions of their own and forked twice, end with the run that leaves them", async () => {
    const script = `
      nohup sh -c '${forever}' > /dev/null 2>&1 &
      (setsid sh -c '${forever}' &)
      setsid sh -c '(setsid sh -c "while :; do sleep 1; done" &) &'
      echo work >> app.txt`;
    const { record } = await attack(script, { mode });
    expect(record()).toMatchObject({ outcome: "completed", partial: false, patch: { files: 1, applies: true } });
  });

  test("two hundred children end with the run that leaves them", async () => {
    const script = "i=0; while [ $i -lt 200 ]; do sleep 300 & i=$((i+1)); done; echo work >> app.txt";
    const { record } = await attack(script, { mode });
    expect(record()).toMatchObject({ outcome: "completed", patch: { files: 1, applies: true } });
  });

  test("an agent that ignores TERM, as all its children do, is ended at its deadline, its work kept as partial", async () => {
    const script = `echo half > app.txt\nfor i in 1 2 3 4 5; do (${forever}) & done\nsetsid sh -c '${forever}' &\n${forever}`;
    const { report } = await attack(script, { mode, runs: 2, flags: ["--timeout", "1s"] });
    const cut = { outcome: "timed_out", partial: true, counted: true, patch: { files: 1, applies: true } };
    expect(report.runs).toMatchObject([cut, cut]);
  });

  test("one that hangs after good work has stalled, its work kept as partial", async () => {
    const script = "echo good >> app.txt; echo done; exec sleep 300";
    const { record } = await attack(script, { mode, flags: ["--stall", "1s"] });
    expect(record()).toMatchObject({ outcome: "stalled", partial: true, patch: { files: 1, applies: true } });
  });

  test("one that changes nothing has changed nothing, whatever it says", async () => {
    const script = `echo '{"version":1,"filesChanged":["app.txt"]}' > "$MULTIRUN_CLAIMS_FILE"; echo "all done"`;
    const { record } = await attack(script, { mode });
    expect(record()).toMatchObject({ outcome: "no_change", partial: false, patch: { files: 0 } });
    expect(record().flags).toEqual(["claims_contradicted"]);
  });

  test("one that kills its parent ends nobody but itself in a sandbox, and without one is cleared up after", async () => {
    const opened = openAttack();
    const { place, before } = opened;
    const once = join(place.folder, "killed");
    const script = `echo work >> app.txt; test -e ${once} || { : 2> /dev/null > ${once}; kill -9 $PPID; sleep 300; }`;
    if (mode === "bwrap") {
      const { record } = await attack(script, { mode, opened, flags: ["--timeout", "3s"] });
      expect(record()).toMatchObject({ partial: true, patch: { files: 1 } });
      return;
    }
    const agent = place.write("agent/agent.sh", script);
    const killed = await place.experiment(`exec sh ${agent}`, { flags: ["--sandbox", mode] }).ended;
    expect(killed.code).toBe(null);
    expect(existsSync(once)).toBe(true);
    expect(ledgerOf(place.out).some((line) => line.event === "state" && line.state === "running")).toBe(true);
    const resumed = await place.run("resume", place.out, "--json");
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(reportIn(resumed).runs).toMatchObject([{ outcome: "completed", patch: { files: 1, applies: true } }]);
    expectHarmless(place, { before, ended: resumed });
  });
});
