import { type ChildProcess, fork } from "node:child_process";
import { once, setMaxListeners } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openGateway } from "../src/execute/gateway/gateway.js";
import { runProgram } from "../src/execute/program.js";
import { createNetwork } from "../src/isolate/network/network.js";
import { bubblewrap, inBubblewrap, type View } from "../src/isolate/sandbox/bubblewrap.js";
import { probeSandbox } from "../src/isolate/sandbox/probe.js";
import { systemFolders } from "../src/isolate/sandbox/system.js";
import { experimentId, runId } from "../src/model/ids.js";
import { Secret } from "../src/model/secret.js";
import { median } from "./repository.js";

const path = process.env["PATH"] ?? "";
const rounds = 5;

/**
 * The gateway against a direct connection, turn and turn about: what a streamed chunk takes longer (target ≤ 2 ms), what
 * goes through (≥ 200 MB/s), and our memory with fifty streams (< 150 MB). A program's start in the sandbox against one
 * without (≤ 50 ms more), with the machine's network and with one of its own. The watch over twenty silent programs in a repo of 50,000 files (< 0.5 % of a processor).
 */
export async function run(): Promise<Record<string, unknown>> {
  // First, while nothing else has made this process large.
  const gateway = await gatewayFigures();
  return { name: "execute", ...gateway, ...(await sandboxFigures()), ...(await watchFigures()) };
}

async function gatewayFigures(): Promise<Record<string, unknown>> {
  const peer = fork(join("bench", "execute-peer.mjs"), { stdio: "inherit" });
  const port = Number(await said(peer));
  const direct = { url: `http://127.0.0.1:${port}` };
  const gateway = await openGateway({
    keys: { anthropic: new Secret("real") },
    upstreams: { anthropic: direct.url },
    totalBudgetUsd: null,
    alreadySpentUsd: 0,
    staggerMs: 0,
    now: Date.now,
    sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
    log: console,
  });
  const { access, metered } = gateway.open({ budgetUsd: null, deadline: Date.now() + 600_000 });
  const through = { url: access.urls.anthropic, token: access.token.reveal() };
  const ask = async (job: string, at: object) => {
    peer.send({ job, at });
    return Number(await said(peer));
  };
  const both = async (job: string) => {
    const pairs: [number, number][] = [];
    for (let round = 0; round < rounds; round++) pairs.push([await ask(job, through), await ask(job, direct)]);
    return [median(pairs.map(([one]) => one)), median(pairs.map(([, one]) => one))] as const;
  };
  try {
    await ask("many", through);
    const fiftyStreamsMb = Math.round(process.resourceUsage().maxRSS / 1024);
    const [chunkMs, directChunkMs] = await both("latency");
    const [mbPerSecond, directMbPerSecond] = await both("bulk");
    if (metered().usage.tokens?.output !== 9 * (50 + 2 * rounds)) throw new Error("not every answer was metered");
    return {
      chunkMs: round2(chunkMs - directChunkMs),
      directChunkMs: round2(directChunkMs),
      mbPerSecond: Math.round(mbPerSecond),
      directMbPerSecond: Math.round(directMbPerSecond),
      fiftyStreamsMb,
    };
  } finally {
    peer.disconnect();
    await gateway.close();
  }
}

async function said(peer: ChildProcess): Promise<unknown> {
  const [message] = await once(peer, "message");
  return message;
}

async function sandboxFigures(): Promise<Record<string, unknown>> {
  const probe = await probeSandbox(path);
  if (!probe.available) return { sandboxMs: null, why: probe.reason };
  return inFolder(async (folder) => {
    const system = await systemFolders();
    const view = { system, hidden: [], readOnly: [], writable: [folder], cwd: folder, network: undefined };
    const holder = {
      experiment: experimentId.parse("bench-20260101-000000-0000"),
      run: runId.parse("r01"),
      attempt: 1,
    };
    const network = await createNetwork({ allow: [], folder: join(folder, "network") }).around(holder, undefined);
    const closed = { ...view, network: network?.sandbox };
    const ways = { inside: view, closed, bare: null };
    const times = { inside: [] as number[], closed: [] as number[], bare: [] as number[] };
    for (let round = 0; round < 20; round++) {
      for (const way of ["inside", "closed", "bare"] as const) {
        times[way].push(await started(folder, `${way}-${round}`, ways[way]));
      }
    }
    await network?.close();
    async function started(cwd: string, name: string, view: View | null): Promise<number> {
      const begun = performance.now();
      await runProgram({
        program: { file: "/bin/true", args: [] },
        wrap: view ? (program) => inBubblewrap(program, view) : undefined,
        cwd,
        environment: { PATH: path },
        output: { stdout: join(cwd, name) },
        timeoutMs: 60_000,
        graceMs: 1_000,
        secrets: [],
      });
      return performance.now() - begun;
    }
    const over = (way: "inside" | "closed") => round2(median(times[way]) - median(times.bare));
    return {
      sandbox: bubblewrap,
      sandboxMs: over("inside"),
      closedNetworkMs: over("closed"),
      bareStartMs: round2(median(times.bare)),
    };
  });
}

const watched = 20;
const watchMs = 65_000;

async function watchFigures(): Promise<Record<string, unknown>> {
  return inFolder(async (folder) => {
    for (let at = 0; at < 500; at++) {
      await mkdir(join(folder, `${at}`));
      await Promise.all(Array.from({ length: 100 }, (_, n) => writeFile(join(folder, `${at}`, `${n}`), "")));
    }
    const stop = new AbortController();
    setMaxListeners(watched, stop.signal);
    const programs = Array.from({ length: watched }, (_, at) =>
      runProgram({
        program: { file: "sleep", args: ["600"] },
        cwd: folder,
        environment: { PATH: path },
        output: { stdout: join(folder, `log-${at}`) },
        watch: { stallMs: 600_000, firstSignMs: 600_000, signs: [], workspace: folder },
        signal: stop.signal,
        timeoutMs: 600_000,
        graceMs: 1_000,
        secrets: [],
      }),
    );
    await wait(1_000);
    const before = process.cpuUsage();
    await wait(watchMs);
    const { user, system } = process.cpuUsage(before);
    stop.abort();
    await Promise.all(programs);
    return { watched, watchCpuPercent: round2((user + system) / 10 / watchMs) };
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "multirun-bench-execute-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function round2(value: number): number {
  return Math.round(100 * value) / 100;
}
