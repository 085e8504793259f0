import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/repository.js";
import { openPlace, path, withoutSandbox } from "./place.js";

const friendly = test.skipIf(withoutSandbox);

friendly("git works: the history is there, and a commit of the agent's is in its own clone", async () => {
  const { run, workspace } = await openPlace();
  const { text, end } = await run(
    "git log --oneline | wc -l && echo b > b.txt && git add b.txt && git commit -qm b && git status --short",
  );
  expect(text.trim()).toBe("1");
  expect(end.exitCode).toBe(0);
  expect(readFileSync(join(workspace.repo, "b.txt"), "utf8")).toBe("b\n");
});

friendly("repo, home, TMPDIR and the claims file can be written, and what is written stays", async () => {
  const { run, workspace } = await openPlace();
  const line =
    'echo 1 > file && echo 2 > "$HOME/file" && echo 3 > "$TMPDIR/file" && echo 4 > "$MULTIRUN_CLAIMS_FILE.new"';
  const { end } = await run(
    `${line} && mv "$MULTIRUN_CLAIMS_FILE.new" "$MULTIRUN_CLAIMS_FILE" && mkdir -p "$XDG_CACHE_HOME"`,
  );
  expect(end.exitCode).toBe(0);
  const { repo, home, tmp, claimsFile } = workspace;
  const files = [join(repo, "file"), join(home, "file"), join(tmp, "file"), claimsFile];
  expect(files.map((each) => readFileSync(each, "utf8").trim())).toEqual(["1", "2", "3", "4"]);
});

friendly("node and npm run, names resolve, and there is a clock, randomness and shared memory", async () => {
  const { run } = await openPlace();
  const { text, end } = await run(
    "node -p 1+1 && npm --version && id -un && date +%Y && head -c 4 /dev/urandom | wc -c && touch /dev/shm/x",
  );
  expect(text).toMatch(/^2\n\d+\.\d+\.\d+\n/);
  expect(end.exitCode).toBe(0);
});

friendly("python runs, from wherever the search path has it, and so does a script of npm's", async () => {
  const { run, workspace } = await openPlace();
  const { text } = await run(
    "if command -v python3 > /dev/null; then python3 -c 'import json; print(json.dumps(1))'; else echo 1; fi",
  );
  expect(text).toBe("1\n");
  writeFileSync(join(workspace.repo, "package.json"), JSON.stringify({ scripts: { hello: "node -p 6*7" } }));
  expect((await run("npm run --silent hello")).text).toBe("42\n");
});

friendly("exit codes are its own, and output comes as it is written", async () => {
  const { run } = await openPlace();
  expect((await run("exit 42")).end).toMatchObject({ exitCode: 42, signal: null });
  // As a shell says it: the sandbox lives on to tell.
  expect((await run("kill -9 $$")).end).toMatchObject({ exitCode: 137 });
  expect((await run("echo out; echo err >&2")).text).toBe("out\nerr\n");
});

friendly("five hundred children are no trouble", async () => {
  const { run } = await openPlace();
  const { end } = await run("i=0; while [ $i -lt 500 ]; do true & i=$((i+1)); done; wait");
  expect(end.exitCode).toBe(0);
});

friendly("the loopback of the machine is there: its database can be reached", async () => {
  const { run } = await openPlace();
  const { createServer } = await import("node:net");
  const server = createServer((client) => client.end("hello"));
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  const script = `require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d)))`;
  expect((await run(`node -e '${script}'`)).text).toBe("hello\n");
  server.close();
});

/** A home with a tool installed the usual ways, and credentials beside it. */
function homeWithTools(): { home: string; searchPath: string } {
  const home = join(temporaryFolder(), "person");
  const program = (at: string, text: string) => {
    mkdirSync(join(home, at, ".."), { recursive: true });
    writeFileSync(join(home, at), text);
    chmodSync(join(home, at), 0o755);
  };
  program(
    ".nvm/versions/node/v1/lib/node_modules/tool/cli.sh",
    '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/data"\n',
  );
  program(".nvm/versions/node/v1/lib/node_modules/tool/data", "from nvm\n");
  program(".local/share/agent/versions/3", "#!/bin/sh\necho from share\n");
  program(".local/share/agent/auth.json", "canary");
  program(".local/bin/plain", "#!/bin/sh\necho plain\n");
  program(".ssh/id", "canary");
  program(".config/agent/token", "canary");
  mkdirSync(join(home, ".nvm/versions/node/v1/bin"));
  symlinkSync("../lib/node_modules/tool/cli.sh", join(home, ".nvm/versions/node/v1/bin/tool"));
  symlinkSync("../share/agent/versions/3", join(home, ".local/bin/agent"));
  return { home, searchPath: `${join(home, ".nvm/versions/node/v1/bin")}:${join(home, ".local/bin")}:${path}` };
}

friendly("tools that a person installed at home run, and nothing else of the home is there", async () => {
  const { home, searchPath } = homeWithTools();
  const { run } = await openPlace({ searchPath, home });
  expect((await run("tool && agent && plain")).text).toBe("from nvm\nfrom share\nplain\n");
  const secrets = [".ssh/id", ".config/agent/token", ".local/share/agent/auth.json"].map((each) => join(home, each));
  expect((await run(`cat ${secrets.join(" ")}`)).text).not.toContain("canary");
});

friendly(
  "a script that a command line names is there with what lies beside it; a folder it names, or the machine, is not",
  async () => {
    const folder = temporaryFolder();
    const other = temporaryFolder();
    writeFileSync(join(folder, "agent.sh"), '. "$(dirname "$0")/part.sh"\n');
    writeFileSync(join(folder, "part.sh"), "echo part\n");
    writeFileSync(join(other, "data"), "canary");
    const line = `sh '${join(folder, "agent.sh")}'; cat /proc/self/environ > /dev/null; cat ${other}/* ${other}; ls -d /proc/${process.pid}`;
    const { text } = await (await openPlace({ commands: [line, `ls ${other}`] })).run(line);
    expect(text).toContain("part\n");
    expect(text).not.toContain("canary");
    expect(text).toContain(`/proc/${process.pid}': No such file`);
  },
);

friendly("what the user asks to show is shown, and cannot be written", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "data"), "shown\n");
  const { run } = await openPlace({ expose: [folder] });
  const { text } = await run(`cat ${join(folder, "data")}; touch ${join(folder, "data")}`);
  expect(text).toContain("shown\n");
  expect(text).toContain("Read-only file system");
});
