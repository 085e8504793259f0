import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endProcesses } from "../../src/clients/end-processes.js";
import {
  bootId,
  familyOf,
  isAlive,
  listMarked,
  livingProcesses,
  type RunningProcess,
  readPs,
  startTimeOf,
} from "../../src/clients/processes.js";

const experiment = () => `test-${randomBytes(6).toString("hex")}`;

const headOf = (pid: number) => ({ pid, startTime: startTimeOf(pid) ?? 0 });

/** A shell line in a session of its own; ended with all it started when the test has ended. */
function start(line: string, environment: Record<string, string> = {}): ChildProcess & { pid: number } {
  const env = { PATH: process.env["PATH"] ?? "", ...environment };
  const child = spawn("/bin/sh", ["-c", line], { env, detached: true, stdio: "ignore" });
  const { pid } = child;
  if (pid === undefined) throw new Error("the test's own shell did not start");
  const experiment = environment["MULTIRUN_EXPERIMENT"];
  const find = familyOf(headOf(pid), experiment === undefined ? undefined : { experiment });
  onTestFinished(async () => {
    expect(await endProcesses(find, { graceMs: 0 })).toEqual([]);
  });
  return Object.assign(child, { pid });
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 10_000, interval: 10 }).toBe(true);
}

test("processes are found by the exact values of their marks", async () => {
  const id = experiment();
  const marked = start("exec sleep 300", { MULTIRUN_EXPERIMENT: id, MULTIRUN_RUN: "r01" });
  start("exec sleep 300", { MULTIRUN_EXPERIMENT: `${id}-2`, MULTIRUN_RUN: "r01" });
  start("exec sleep 300", { XMULTIRUN_EXPERIMENT: id, OTHER: `MULTIRUN_EXPERIMENT=${id}` });
  const startTime = startTimeOf(marked.pid);
  await until(() => listMarked({ experiment: id })[0]?.name === "sleep");
  expect(listMarked({ experiment: id })).toEqual([
    expect.objectContaining({ pid: marked.pid, group: marked.pid, startTime, experiment: id, run: "r01" }),
  ]);
  expect(listMarked({ experiment: id, run: "r02" })).toEqual([]);
});

test("two attempts of one run are told apart by their task files", async () => {
  const id = experiment();
  const marks = { MULTIRUN_EXPERIMENT: id, MULTIRUN_RUN: "r01" };
  start("exec sleep 300", { ...marks, MULTIRUN_TASK_FILE: "/w/r01-1/task.md" });
  const second = start("exec sleep 300", { ...marks, MULTIRUN_TASK_FILE: "/w/r01-2/task.md" });
  await until(() => listMarked({ experiment: id }).length === 2);
  const found = listMarked({ experiment: id, taskFile: "/w/r01-2/task.md" });
  expect(found.map((each) => each.pid)).toEqual([second.pid]);
});

test("a child that emptied its environment is found by its marked parent", async () => {
  const id = experiment();
  start("env -i sleep 300 & sleep 300", { MULTIRUN_EXPERIMENT: id });
  await until(() => listMarked({ experiment: id }).filter((each) => each.name === "sleep").length === 2);
});

test("neither we nor anyone above us is ever listed", () => {
  const pids = livingProcesses().map((each) => each.pid);
  expect(pids).not.toContain(process.pid);
  expect(pids).not.toContain(process.ppid);
  expect(pids).not.toContain(1);
});

test("a process is alive under its own start time only, and dead as a zombie", async () => {
  const parent = start("sleep 300 & echo; exec sleep 300");
  const startTime = startTimeOf(parent.pid) ?? 0;
  expect(isAlive(parent.pid, startTime)).toBe(true);
  expect(isAlive(parent.pid, startTime - 1)).toBe(false);
  await until(() => livingProcesses().some((each) => each.parent === parent.pid));
  const child = livingProcesses().find((each) => each.parent === parent.pid);
  if (!child) throw new Error("the child is not there");
  await until(() => livingProcesses().find((each) => each.pid === parent.pid)?.name === "sleep");
  process.kill(child.pid, "SIGKILL"); // Its parent is `sleep` and collects nobody.
  await until(() => !isAlive(child.pid, child.startTime));
  expect(existsSync(`/proc/${child.pid}`)).toBe(true);
});

test("ps gives the same family as /proc", async () => {
  const parent = start("sleep 300 & wait");
  await until(() => livingProcesses().some((each) => each.parent === parent.pid));
  const shape = ({ pid, parent, group, name }: RunningProcess) => ({ pid, parent, group, name });
  const isOurs = (each: RunningProcess) => each.group === parent.pid;
  const table = readPs().filter(isOurs);
  expect(table.map(shape)).toEqual(livingProcesses().filter(isOurs).map(shape));
  expect(table).toHaveLength(2);
  for (const each of table) expect(Math.abs(each.startTime - Date.now() / 1_000)).toBeLessThan(30);
});

test("the id of this start of the machine stays the same", () => {
  expect(bootId()).toMatch(/^\S{8,}$/);
  expect(bootId()).toBe(bootId());
});

test("a family ends with its group, whose number means nothing afterwards", async () => {
  const child = start("exec sleep 300");
  const find = familyOf(headOf(child.pid), undefined);
  expect(find().map((each) => each.pid)).toEqual([child.pid]);
  process.kill(child.pid, "SIGKILL");
  await once(child, "exit");
  expect(find()).toEqual([]);
});

test("TERM is enough for those who heed it", async () => {
  const child = start("exec sleep 300");
  const exit = once(child, "exit");
  expect(await endProcesses(familyOf(headOf(child.pid), undefined), { graceMs: 10_000 })).toEqual([]);
  expect((await exit)[1]).toBe("SIGTERM");
});

test.each([true, false])("a process with another start time is somebody else's (as leader: %s)", async (asLeader) => {
  const child = start("exec sleep 300");
  const [found] = familyOf(headOf(child.pid), undefined)();
  if (!found) throw new Error("the child is not there");
  const stranger = { ...found, startTime: found.startTime - 1 };
  const leader = asLeader ? { leader: stranger } : {};
  await endProcesses(() => [stranger], { graceMs: 20, deadlineMs: 20, ...leader });
  expect(isAlive(found.pid, found.startTime)).toBe(true);
});

test("nothing is killed before all that could still fork is frozen", async () => {
  const [first, second] = [start("exec sleep 300"), start("exec sleep 300")];
  let searches = 0;
  let frozen = false;
  const find = () => {
    searches++;
    if (searches === 4) frozen = stops(first.pid) && stops(second.pid);
    const visible = searches < 3 ? [first.pid] : [first.pid, second.pid];
    return livingProcesses().filter((each) => visible.includes(each.pid));
  };
  expect(await endProcesses(find, { graceMs: 0 })).toEqual([]);
  expect(frozen).toBe(true);
});

/** Waits without giving way, as the searches do not either. */
function stops(pid: number): boolean {
  const deadline = Date.now() + 2_000;
  while (Date.now() < deadline) if (readFileSync(`/proc/${pid}/stat`, "latin1").includes(") T ")) return true;
  return false;
}

test("what cannot be ended is given back after the deadline", async () => {
  const ghost = { pid: 1, parent: 0, group: 1, session: 1, startTime: startTimeOf(1) ?? 0, name: "init", cpuMs: 0 };
  expect(await endProcesses(() => [ghost], { graceMs: 10, deadlineMs: 50 })).toEqual([ghost]);
});

test("a bomb whose parts leave their group and ignore TERM is frozen and ended", async () => {
  const folder = await mkdtemp(join(tmpdir(), "multirun-bomb-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = join(folder, "bomb.sh");
  // Each part replaces whatever dies below it; three levels of three keep the machine usable.
  const text =
    'trap "" TERM\nn=$1\n[ "$n" -gt 0 ] || exec sleep 300\nwhile :; do for i in 1 2 3; do setsid -w sh "$0" $((n-1)) & done; wait; done\n';
  await writeFile(script, text);
  const id = experiment();
  start(`exec sh ${script} 3`, { MULTIRUN_EXPERIMENT: id });
  await until(() => listMarked({ experiment: id }).length >= 40);
  expect(await endProcesses(() => listMarked({ experiment: id }), { graceMs: 100 })).toEqual([]);
  expect(listMarked({ experiment: id })).toEqual([]);
}, 20_000);
