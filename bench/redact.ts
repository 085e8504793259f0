import { createHash } from "node:crypto";
import { createRedactor } from "../src/model/redactor.js";
import { Secret } from "../src/model/secret.js";

const megabyte = 1_000_000;
const chunkBytes = 64 * 1024;
const chunks = 2_000;
const rounds = 5;
const secretCount = 20;

/** Texts as agents print them: one that resembles no secret, base64 without end, and NUL bytes. */
const texts: Record<string, Buffer> = {
  prose: filled(
    (at) => `[${at}] compiled src/model/file-${at % 97}.ts in ${at % 13} ms, 0 errors; GET /teams/${at} 200\n`,
  ),
  base64: filled((at) => `${digest(`line ${at}`).toString("base64")}\n`),
  zeros: Buffer.alloc(chunkBytes),
};

/**
 * How fast text passes when 20 secrets are looked for in it, each in all its written forms and over line ends, against the
 * same loop that only passes it on. Target: 100 MB/s. The last line is JSON for others to check.
 */
export async function run(): Promise<Record<string, unknown>> {
  const secrets = Array.from(
    { length: secretCount },
    (_, at) => new Secret(`sk-${digest(`${at}`).toString("base64")}`),
  );
  const begun = performance.now();
  createRedactor(secrets);
  const buildMs = round1(performance.now() - begun);
  const before = process.memoryUsage();
  const figures: Record<string, unknown> = { name: "redact", secrets: secretCount, buildMs };
  let slowest = Number.POSITIVE_INFINITY;
  for (const [name, text] of Object.entries(texts)) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const redactor = createRedactor(secrets);
      theirs.push(speed(text, (chunk) => chunk));
      ours.push(speed(text, redactor.push));
    }
    const perSecond = Math.round(median(ours));
    slowest = Math.min(slowest, perSecond);
    figures[name] = { mbPerSecond: perSecond, passedOnMbPerSecond: Math.round(median(theirs)) };
    console.log(`${name}: ${perSecond} MB/s, only passed on ${Math.round(median(theirs))} MB/s`);
  }
  const after = process.memoryUsage();
  const grownMb = round1((after.rss - before.rss) / megabyte);
  return { ...figures, grownMb, missed: slowest < 100 ? ["100 MB/s"] : [] };
}

/** MB for each second of processor time, whoever else uses the machine. What comes out is copied, as if it were to wait. */
function speed(text: Buffer, through: (chunk: Buffer) => Uint8Array): number {
  const target = Buffer.alloc(2 * chunkBytes);
  const begun = process.cpuUsage();
  for (let at = 0; at < chunks; at++) target.set(through(text));
  const { user, system } = process.cpuUsage(begun);
  return (chunks * text.length) / Math.max(1, user + system);
}

function filled(line: (at: number) => string): Buffer {
  const lines: string[] = [];
  for (let at = 0, length = 0; length < chunkBytes; at++) {
    lines.push(line(at));
    length += line(at).length;
  }
  return Buffer.from(lines.join("")).subarray(0, chunkBytes);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}
