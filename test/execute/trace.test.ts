import { readFileSync, statSync, symlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { claude } from "../../src/execute/agents/claude.js";
import { jsonLines } from "../../src/execute/agents/parser.js";
import { Trace } from "../../src/execute/trace.js";
import { LineSplitter } from "../../src/execute/trace-lines.js";
import { sumUsage } from "../../src/execute/trace-usage.js";
import { type TraceEvent, traceEvent } from "../../src/model/agent.js";
import { Secret } from "../../src/model/secret.js";

/** `{"text":"one"}` is the text "one". */
function says(value: unknown): TraceEvent[] {
  return [{ kind: "text", ...(value as { text: string }) }];
}

/** A trace whose every line of input is one text. */
async function trace(secrets: Secret[] = [], parser = jsonLines(says)) {
  const folder = await mkdtemp(join(tmpdir(), "multirun-trace-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "trace.jsonl");
  const written = (): TraceEvent[] => {
    const lines = readFileSync(path, "utf8").split("\n");
    expect(lines.pop()).toBe("");
    return lines.map((line) => traceEvent.parse(JSON.parse(line)));
  };
  return { path, trace: new Trace({ path, parser, secrets }), written };
}

const text = (value: string): TraceEvent => ({ kind: "text", text: value });

test("an event is on disk as soon as its line is whole", async () => {
  const { trace: own, written } = await trace();
  own.write(Buffer.from('{"text":"on'));
  expect(written()).toEqual([]);
  own.write(Buffer.from('e"}\n{"text":"two'));
  expect(written()).toEqual([text("one")]);
  own.write(Buffer.from('"}'));
  own.close();
  expect(written()).toEqual([text("one"), text("two")]);
});

test("a stream that ends in the middle of a line leaves a note", async () => {
  const { trace: own, written } = await trace();
  own.write(Buffer.from('{"text":"one"}\n{"text":"tw'));
  expect(own.close().result).toBeNull();
  expect(written()).toEqual([text("one"), { kind: "note", text: 'a line that could not be read: {"text":"tw' }]);
});

test("secrets are in no event, also where JSON had hidden them behind escapes", async () => {
  const { path, trace: own } = await trace([new Secret("p@ss/word\u00e9")]);
  own.write(Buffer.from('{"text":"the p@ss/word\\u00e9 and \\u0070@ss\\/word\u00e9"}\n'));
  own.close();
  expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(text("the *** and ***"))}\n`);
});

test("half a secret is not left where a text is cut", async () => {
  const { path, trace: own } = await trace([new Secret("p@ss-word")]);
  for (const length of [19_995, 255, 260, 265]) own.write(Buffer.from(`${"x".repeat(length)}p@ss-word\n`));
  own.write(Buffer.from(`{"text":"${"x".repeat(19_995)}p@ss-word"}\n`));
  own.close();
  expect(readFileSync(path, "utf8")).not.toContain("p@");
});

test("the file stays within its limit, and what is not kept and the last word stand at its end", async () => {
  const { path, trace: own, written } = await trace([], claude.parser?.());
  const said = {
    type: "assistant",
    message: { id: "m", model: "x", content: [{ type: "text", text: "x".repeat(30_000) }] },
  };
  for (let i = 0; i < 300; i++) own.write(Buffer.from(`${JSON.stringify(said)}\n`));
  own.write(
    Buffer.from(`${JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "Done." })}\n`),
  );
  expect(own.close().result).toEqual({ ok: true, text: "Done." });
  expect(statSync(path).size).toBeLessThan(4.1 * 1024 * 1024);
  const events = written();
  expect(events[0]).toEqual(text(`${"x".repeat(20_000)}… (10000 more characters)`));
  const dropped = 301 - (events.length - 2);
  expect(events.slice(-2)).toEqual([
    { kind: "note", text: `${dropped} more events are not kept: the trace is full` },
    { kind: "result", ok: true, text: "Done." },
  ]);
});

test("a line of 50 MB is told by its length and takes no memory", async () => {
  const { trace: own, written } = await trace();
  const chunk = Buffer.alloc(64 * 1024, "x");
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 800; i++) own.write(chunk);
  expect(process.memoryUsage().rss - before).toBeLessThan(30 * 1024 * 1024);
  own.write(Buffer.from('\n{"text":"after"}\n'));
  own.close();
  expect(written()).toEqual([{ kind: "note", text: "a line of 52428800 bytes is not kept" }, text("after")]);
});

test("a line that comes byte by byte is one line", async () => {
  const { trace: own, written } = await trace();
  const line = `{"text":"${"x".repeat(200_000)}"}\n`;
  for (const byte of Buffer.from(line)) own.write(Uint8Array.of(byte));
  own.close();
  expect(written()).toEqual([text(`${"x".repeat(20_000)}… (180000 more characters)`)]);
});

test("a flood of lines is read up to a limit", async () => {
  const { trace: own, written } = await trace();
  for (let i = 0; i < 20; i++) own.write(Buffer.from("\n".repeat(30_000)));
  own.write(Buffer.from('{"text":"after"}\n'));
  own.close();
  expect(written()).toEqual([{ kind: "note", text: "after 500000 lines nothing is read" }]);
});

test("a link in place of the trace is not followed", async () => {
  const { path } = await trace();
  const link = `${path}.link`;
  symlinkSync(path, link);
  expect(() => new Trace({ path: link, parser: jsonLines(() => []), secrets: [] })).toThrow("EEXIST");
});

test("lines are the same however the bytes come", () => {
  const whole = Buffer.from("one\n\ntwö 😀\nthree");
  const cuts = fc.array(fc.nat(whole.length), { maxLength: 6 });
  fc.assert(
    fc.property(cuts, (places) => {
      const at = [0, ...places.sort((a, b) => a - b), whole.length];
      const splitter = new LineSplitter(100);
      const lines = at.slice(1).flatMap((end, index) => splitter.push(whole.subarray(at[index], end)));
      expect([...lines, ...splitter.end()]).toEqual([
        { text: "one" },
        { text: "" },
        { text: "twö 😀" },
        { text: "three" },
      ]);
    }),
  );
});

const used = (message: string, input: number, costUsd: number | null = null): TraceEvent => ({
  kind: "usage",
  message,
  usage: { costUsd, tokens: { input, output: 1, cached: 0 } },
});
const done = (usage?: Extract<TraceEvent, { kind: "result" }>["usage"]): TraceEvent => ({
  kind: "result",
  ok: true,
  text: "",
  ...(usage ? { usage } : {}),
});

test("each message counts once, by what is said of it last", () => {
  expect(sumUsage([used("a", 1, 0.5), used("b", 10, 0.25), used("a", 2, 1), done()])).toEqual({
    costUsd: 1.25,
    tokens: { input: 12, output: 2, cached: 0 },
  });
});

test("a sum with an unknown part is a least", () => {
  expect(sumUsage([used("a", 1, 0.5), used("b", 10), done()])).toMatchObject({ costUsd: 0.5, atLeast: true });
});

test("the final figures are the sum, and not added to it", () => {
  const final = { costUsd: 0.75, tokens: { input: 12, output: 5, cached: 3 } };
  expect(sumUsage([used("a", 1, 0.5), done(final)])).toEqual(final);
});

test("figures that no sum can hold do not break it", () => {
  const most = Number.MAX_SAFE_INTEGER;
  const usage = sumUsage([used("a", most, Number.MAX_VALUE), used("b", most, Number.MAX_VALUE), done()]);
  expect(usage).toMatchObject({ costUsd: Number.MAX_VALUE, tokens: { input: most } });
});

test("nothing said is nothing known", () => {
  expect(sumUsage([])).toEqual({ costUsd: null, tokens: null });
});
