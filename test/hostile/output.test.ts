import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attack, modes } from "../support/attack.js";

/** What a GitHub runner or a terminal would act on, at the start of what either takes for a line. */
const acted = /(?:^|[\r\n])\s*::|##\[|(?![\r\n\t])\p{Cc}/u;

describe.each(modes)("what an agent prints, sandbox %s", (mode) => {
  test("a hundred megabytes on one line leave a log within its limit, and the work", async () => {
    const script = "head -c 100000000 /dev/zero | tr '\\0' a; echo work >> app.txt";
    const { record, place } = await attack(script, { mode });
    const { outcome, agent, patch } = record();
    expect({ outcome, files: patch?.files, bytes: agent?.output.stdoutBytes }).toEqual({
      outcome: "completed",
      files: 1,
      bytes: 100_000_000,
    });
    // Where the middle is left out, what may be the half of a secret goes with it.
    const dropped = (agent?.output.droppedBytes ?? 0) - (100_000_000 - 1024 * 1024);
    expect(dropped).toBeGreaterThanOrEqual(0);
    expect(dropped).toBeLessThan(1_000);
    expect(statSync(join(place.out, "runs/r01/stdout.log")).size).toBeLessThan(1024 * 1024 + 200);
  });

  test("commands for a runner and for a terminal reach no log of ours, and no report, raw", async () => {
    const commands =
      "::set-env name=X::1\\n  ::error::x\\rover\\r::warning::y\\n##[error]z\\n\\033[2J\\033]0;title\\007\\n";
    const last = "\\r::stop-commands::x ##[add-mask]y \\033[31mred\\n";
    const path = '"$(printf "::error::x\\r::warning::\\033[2J##[group]")"';
    const script = `printf '${commands}'; printf '${commands}${last}' >&2; echo x > ${path}; exit 3`;
    const flags = ["--check", "printf '::error::x\\n\\033[2J##[error]'; exit 1"];
    const { record, ended, place, read } = await attack(script, { mode, flags });
    expect(record()).toMatchObject({ outcome: "crashed", partial: true, patch: { files: 1, applies: true } });
    expect(ended.stderr).not.toMatch(acted);
    const shown = await place.run("synthesize", place.out);
    for (const text of [shown.stdout, shown.stderr, read("report.md")]) expect(text).not.toMatch(acted);
  });

  test("what is no text, or half a character, harms nothing", async () => {
    const half = "printf 'caf\\303'";
    const claims = `printf '{"version":1,"summary":"\\\\ud800 caf\\303"}' > "$MULTIRUN_CLAIMS_FILE"`;
    const script = `head -c 100000 /dev/zero; ${half} >&2; ${claims}; echo work >> app.txt; ${half}`;
    const { record, ended, read } = await attack(script, { mode });
    expect(record()).toMatchObject({
      outcome: "completed",
      agent: { output: { stdoutBytes: 100_004, stderrBytes: 4 } },
    });
    expect(read("runs/r01/stdout.log")).toBe(`${"\0".repeat(100_000)}caf\ufffd`);
    expect(JSON.parse(ended.stdout)).toMatchObject({ version: 1 });
  });
});
