import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { toolFolders } from "../../../src/isolate/sandbox/visible.js";
import { temporaryFolder } from "../../support/repository.js";

/** A home as people have it: programs in all the places where installers put them, and logins beside them. */
function homeOf(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}): string {
  const home = join(temporaryFolder(), "person");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    if (text.startsWith("#!")) chmodSync(join(home, path), 0o755);
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    symlinkSync(target, join(home, path));
  }
  return home;
}

interface Asked {
  /** Folders of the search path, below the home. */
  path?: string[];
  commands?: string[];
  hidden?: string[];
  agent?: string[];
}

/** What is shown of a home, as paths below it. */
async function shownOf(home: string, { path = [], commands = [], hidden = [], agent = [] }: Asked): Promise<string[]> {
  const within = (paths: string[]) => paths.map((each) => join(home, each));
  const around = { path: within(path).join(":"), home, hidden: within(hidden), commands, expose: [] };
  const shown = await toolFolders(around, within(agent));
  return shown
    .filter((each) => each.startsWith(`${home}/`) || each === home)
    .map((each) => each.slice(home.length + 1));
}

const program = "#!/bin/sh\n";

test("a tool's programs and libraries are shown, its logins are not", async () => {
  const home = homeOf({
    ".fly/bin/fly": program,
    ".fly/config.yml": "canary",
    ".claude/bin/claude": program,
    ".claude/.credentials.json": "canary",
    ".codex/bin/codex": program,
    ".codex/auth.json": "canary",
    ".pulumi/bin/pulumi": program,
    ".pulumi/credentials.json": "canary",
    ".aws/bin/aws": program,
    ".aws/credentials": "canary",
    ".azure/bin/az": program,
    ".azure/msal_token_cache.json": "canary",
    "work/app/bin/serve": program,
    "work/app/.env": "canary",
    ".pyenv/shims/python": program,
    ".pyenv/versions/3/bin/python": program,
    ".pyenv/libexec/pyenv": program,
  });
  const path = [".fly", ".claude", ".codex", ".pulumi", ".aws", ".azure", "work/app"].map((each) => `${each}/bin`);
  expect(await shownOf(home, { path: [...path, ".pyenv/shims"] })).toEqual(
    [...path, ".pyenv/libexec", ".pyenv/shims", ".pyenv/versions"].sort(byLength),
  );
});

test("the folder of programs in a home is shown, the home is not, also where a link leads into it", async () => {
  const home = homeOf({ "bin/tool": program, secret: "canary" }, { ".local/bin/tool": "../../bin/tool" });
  expect(await shownOf(home, { path: ["bin"] })).toEqual(["bin"]);
  expect(await shownOf(home, { path: [".local/bin"] })).toEqual(["bin/tool", ".local/bin"]);
  expect(await shownOf(home, { path: [""] })).toEqual([]);
  expect(await shownOf(home, { agent: [""] })).toEqual([]);
});

test("a folder that is a link to what may not be shown is not shown", async () => {
  const home = homeOf(
    { ".ssh/id": "canary", "repo/.git/config": "", "tool/bin/tool": program },
    { "tool/lib": "../.ssh", "tool/share": "../repo", "links/bin": "../.ssh" },
  );
  expect(await shownOf(home, { path: ["tool/bin", "links/bin"], hidden: ["repo"] })).toEqual(["tool/bin"]);
});

test("a virtual environment comes with the interpreter it was made with", async () => {
  const home = homeOf(
    {
      "venv/pyvenv.cfg": "home = x\n",
      "venv/bin/black": program,
      "venv/lib/black.py": "",
      "pythons/3/bin/python3": program,
      "pythons/3/lib/os.py": "",
      "pythons/3/secret": "canary",
    },
    { "venv/bin/python3": "../../pythons/3/bin/python3", ".local/bin/black": "../../venv/bin/black" },
  );
  const shown = [".local/bin", "venv/bin", "venv/lib", "venv/pyvenv.cfg", "pythons/3/bin", "pythons/3/lib"];
  expect(await shownOf(home, { path: [".local/bin"] })).toEqual(shown.sort(byLength));
});

test("a settings file that a command line names is shown alone, a script with what lies beside it but dot files", async () => {
  const home = homeOf({
    ".ssh/config": "",
    ".ssh/id": "canary",
    ".tool/run.sh": program,
    ".tool/token": "canary",
    "agents/run.sh": program,
    "agents/part.sh": "",
    "agents/.env": "canary",
    "agents/settings": "",
  });
  const naming = (path: string) => shownOf(home, { commands: [`tool --with '${join(home, path)}'`] });
  expect(await naming(".ssh/config")).toEqual([".ssh/config"]);
  expect(await naming(".tool/run.sh")).toEqual([".tool/run.sh"]);
  expect(await naming("agents/settings")).toEqual(["agents/settings"]);
  expect(await naming("agents/run.sh")).toEqual(["agents/run.sh", "agents/part.sh", "agents/settings"].sort(byLength));
});

test("what rustup starts is shown where cargo's programs are, its logins are not", async () => {
  const home = homeOf({
    ".cargo/bin/cargo": program,
    ".cargo/credentials.toml": "canary",
    ".rustup/toolchains/stable/bin/cargo": program,
    ".rustup/settings.toml": "",
  });
  const shown = [".cargo/bin", ".rustup/toolchains", ".rustup/settings.toml"];
  expect(await shownOf(home, { path: [".cargo/bin"] })).toEqual(shown.sort(byLength));
});

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}
