import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attack, modes, openAttack } from "../support/attack.js";

describe.each(modes)("what an agent reaches for, sandbox %s", (mode) => {
  test("what is others': siblings, the home, the repo", async () => {
    const opened = openAttack();
    const { place } = opened;
    mkdirSync(join(place.folder, "private"));
    place.write("private/mine.txt", "mine and nobody else's");
    const script = `
      echo "$MULTIRUN_RUN" > own.txt
      for each in ../../r0*/repo/own.txt ${place.folder}/private/mine.txt ${place.repo}/app.txt ${place.out}/ledger.jsonl; do
        cat "$each" 2> /dev/null | grep -v "^$MULTIRUN_RUN$" >> seen.txt
      done
      true`;
    const { record, read } = await attack(script, { mode, runs: 2, opened });
    expect(record()).toMatchObject({ outcome: "completed", patch: { applies: true } });
    const seen = read("runs/r01/patch.diff") + read("runs/r02/patch.diff");
    // Without a sandbox it runs as the user, as the documentation says.
    if (mode === "bwrap") expect(seen).not.toMatch(/nobody else|"event"|^\+one/m);
    else expect(seen).toContain("mine and nobody else's");
  });

  test("settings, hooks and attributes that it plants for git run nothing of its own", async () => {
    const opened = openAttack();
    const trap = join(opened.place.folder, "trapped");
    const script = `
      touch_it='touch ${trap}'
      for key in core.fsmonitor core.sshCommand diff.external diff.x.textconv filter.x.clean filter.x.smudge core.pager core.editor; do
        git config "$key" "$touch_it"
      done
      git config core.hooksPath "$PWD/hooks"; git config include.path "$PWD/more"; git config core.worktree /
      mkdir hooks; printf '#!/bin/sh\\n%s\\n' "$touch_it" | tee hooks/pre-commit hooks/post-checkout hooks/post-index-change > .git/hooks/pre-commit
      chmod +x hooks/* .git/hooks/pre-commit
      printf '[core]\\n\\tfsmonitor = %s\\n' "$touch_it" > more
      echo '* filter=x diff=x' > .gitattributes
      cp more "$HOME/.gitconfig"
      echo work >> app.txt`;
    const { record } = await attack(script, { mode, opened });
    expect(record()).toMatchObject({ outcome: "completed", patch: { applies: true } });
    expect(record().patch?.changed.map(({ path }) => path)).toContain("app.txt");
    expect(existsSync(trap)).toBe(false);
  });

  test("links out of its workspace are kept as links, and nothing behind them is read", async () => {
    const opened = openAttack();
    const { place } = opened;
    mkdirSync(join(place.folder, "private"));
    const mine = place.write("private/mine.txt", "mine and nobody else's");
    const script = `
      ln -s ${mine} link; ln -sf ${mine} app.txt; ln -s ${place.folder} folder; ln -sf ${mine} "$MULTIRUN_CLAIMS_FILE"
      rm -f .git/info/exclude; mkdir -p .git/info; ln -s ${mine} .git/info/exclude`;
    const { record, read } = await attack(script, { mode, opened });
    expect(record()).toMatchObject({ outcome: "completed", patch: { applies: true } });
    expect(read("runs/r01/patch.diff")).toContain("new file mode 120000");
    expect(read("runs/r01/patch.diff")).not.toContain("nobody else's");
    expect(existsSync(join(place.out, "runs/r01/claims.json"))).toBe(false);
  });
});
