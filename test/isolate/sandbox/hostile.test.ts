import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTimeOf } from "../../../src/clients/processes.js";
import { systemFolders } from "../../../src/isolate/sandbox/system.js";
import { openPlace, withoutSandbox } from "./place.js";

const hostile = test.skipIf(withoutSandbox);

hostile("siblings, the user's home and repo, and the harness's own files are not there", async () => {
  const { run, sibling, home, repository, workspace } = await openPlace();
  writeFileSync(join(home, "secret"), "canary");
  writeFileSync(join(sibling.repo, "secret"), "canary");
  const places = [
    join(sibling.repo, "secret"),
    join(home, "secret"),
    join(repository.path, "a.txt"),
    join(repository.path, ".git", "config"),
    join(workspace.gitDir, "HEAD"),
    "/var/lib",
    "/sys/kernel",
  ];
  const { text } = await run(`for each in ${places.join(" ")}; do cat "$each" 2>&1 || ls "$each"; done`);
  expect(text).not.toContain("canary");
  expect(text.match(/No such file or directory/g)).toHaveLength(2 * places.length);
  expect((await run(`ls ${join(workspace.folder, "..")}`)).text).toBe("r01-1\n");
});

hostile("a link out of the workspace leads nowhere, and alternates of its own show it nothing", async () => {
  const { run, workspace, home, sibling } = await openPlace();
  writeFileSync(join(home, "secret"), "canary");
  symlinkSync(join(home, "secret"), join(workspace.repo, "link"));
  const { text } = await run(
    `cat link; echo ${join(sibling.repo, ".git", "objects")} >> .git/objects/info/alternates; git status`,
  );
  expect(text).not.toContain("canary");
  expect(text).toContain("unable to normalize alternate object path");
});

hostile("it can write where its own files are, and nowhere else", async () => {
  const { run, workspace, repository } = await openPlace();
  const objects = join(repository.path, ".git", "objects");
  const outside = ["/usr/x", "/etc/x", "/opt/x", "/x", `${objects}/x`, `${workspace.folder}/x`, workspace.taskFile];
  const { text } = await run(`for each in ${outside.join(" ")}; do touch "$each" && echo "wrote $each"; done`);
  // What is made in a folder that exists inside only is gone with it.
  const inMemory = [`${workspace.folder}/x`, workspace.taskFile];
  expect(text.match(/wrote (.*)/g)).toEqual(inMemory.map((each) => `wrote ${each}`));
  for (const each of inMemory) expect(existsSync(each)).toBe(false);
  expect(readdirSync(objects)).not.toContain("x");
});

hostile("no process but its own can be seen, signalled or read", async () => {
  const { run } = await openPlace();
  const line = `ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} && echo reached; cat /proc/${process.pid}/environ`;
  const { text } = await run(`${line}; kill -9 -1; echo on`);
  expect(Number(text.split("\n")[0])).toBeLessThan(8);
  expect(text).not.toContain("reached");
  expect(startTimeOf(process.pid)).toBeDefined();
});

hostile("it has no rights to gain, whoever started it", async () => {
  const { run } = await openPlace();
  const { text } = await run(
    "grep -E 'CapEff|NoNewPrivs' /proc/self/status; mount -t tmpfs none /mnt; cat /etc/shadow",
  );
  expect(text).toMatch(/CapEff:\s+0+\n/);
  expect(text).toMatch(/NoNewPrivs:\s+1/);
  expect(text).not.toContain("root:");
  expect(text).toMatch(/mount: .*(?:permission denied|must be superuser|does not exist)/);
});

hostile(
  "nothing outlives it: not in a session of its own, not forked twice, not with an emptied environment",
  async () => {
    const { run, workspace } = await openPlace();
    const daemon =
      "(env -i setsid sh -c 'trap \"\" TERM HUP; echo up > up; while :; do sleep 1; date > alive; done' &)";
    const { end } = await run(`${daemon}; ${daemon}; until [ -s up ]; do sleep 0.01; done; exit 3`);
    expect(end).toMatchObject({ exitCode: 3, timedOut: false });
    const alive = join(workspace.repo, "alive");
    const written = existsSync(alive) ? readFileSync(alive, "utf8") : "";
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(existsSync(alive) ? readFileSync(alive, "utf8") : "").toBe(written);
  },
);

hostile("at its deadline it hears TERM and has its grace; what ignores it is killed with all it holds", async () => {
  const { run, workspace } = await openPlace();
  const said = await run("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done", { timeoutMs: 500 });
  expect(said).toMatchObject({ text: expect.stringMatching(/^up\n[\s\S]*bye\n$/), end: { timedOut: true } });
  const busy = (name: string) => `while :; do date +%N > ${name}; sleep 0.02; done`;
  const deaf = `trap '' TERM; (env -i setsid sh -c 'trap "" TERM; ${busy("daemon")}' &); ${busy("agent")}`;
  const { end } = await run(deaf, { timeoutMs: 1_000, graceMs: 200 });
  expect(end).toMatchObject({ timedOut: true });
  const written = () => ["daemon", "agent"].map((name) => readFileSync(join(workspace.repo, name), "utf8"));
  const last = written();
  expect(last).toEqual([expect.stringMatching(/^\d+\n$/), expect.stringMatching(/^\d+\n$/)]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(written()).toEqual(last);
});

hostile("settings of the kernel cannot be written, whoever started it", async () => {
  const { run } = await openPlace();
  const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
  // Each gets what it holds, so that a hole would change nothing.
  const files = ["/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/pid_max"];
  const { text } = await run(`for each in ${files.join(" ")}; do cat $each > $each && echo wrote; done; echo on`);
  expect(text).not.toContain("wrote");
  expect(text.match(/Read-only file system|Permission denied/g)).toHaveLength(files.length);
  expect(text).toContain("on\n");
  expect((await run("echo x > /proc/sysrq-trigger && echo wrote")).text).not.toContain("wrote");
  expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(before);
});

hostile("it can trace no process of the machine's, nor change what one of them may do", async () => {
  const { run } = await openPlace();
  const line = `for each in mem maps environ cwd root fd; do ls -l /proc/${process.pid}/$each; done; prlimit --pid ${process.pid} --nofile=1`;
  const { text } = await run(line);
  expect(text.match(/No such file|No such process|prlimit: /g)?.length).toBeGreaterThanOrEqual(6);
  expect(text).not.toMatch(/->/);
});

hostile("what not everybody may read under /etc is empty", async () => {
  const { run } = await openPlace();
  const { secretFiles, secretFolders } = await systemFolders();
  expect(secretFiles).toContain("/etc/shadow");
  const { text } = await run(
    `for each in ${secretFiles.join(" ")}; do test -s "$each" && echo "there is $each"; done; ` +
      `for each in ${secretFolders.join(" ")} /var/empty; do ls -A "$each" 2>/dev/null; done; true`,
  );
  expect(text).toBe("");
});

hostile("a socket of the host's is not reached by its path", async () => {
  const { run, home } = await openPlace();
  const socket = join(home, "agent.sock");
  const server = createServer((client) => client.end("canary"));
  server.listen(socket);
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve(undefined))));
  const script = `require("net").connect(${JSON.stringify(socket)}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))`;
  expect((await run(`node -e '${script}'`)).text).toBe("ENOENT\n");
});

hostile("what it keeps in memory's folders is bounded", async () => {
  const { run } = await openPlace();
  const { text } = await run("head -c 700M /dev/zero > /tmp/big; stat -c %s /tmp/big");
  expect(Number(/\d+\s*$/.exec(text)?.[0])).toBeLessThanOrEqual(512 * 1024 * 1024);
});
