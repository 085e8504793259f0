import { expect, test } from "vitest";
import { sumUsage } from "../../../src/execute/trace-usage.js";
import type { AgentName } from "../../../src/model/agent.js";
import { adapter, eventsOf, stream } from "./support.js";

/** The three answers of a run that went well, as the stub gave them: 1001, 1002 and 1003 read, 51, 52 and 53 written. */
const allTokens = { input: 3_006, output: 156, cached: 600 };

const read = (name: AgentName, what: string) => eventsOf(adapter(name), stream(`${name}-${what}`));
const tools = (events: ReturnType<typeof read>) =>
  events.flatMap((event) => (event.kind === "tool" ? [`${event.name}${event.denied ? " denied" : ""}`] : []));
const result = (events: ReturnType<typeof read>) => events.findLast(({ kind }) => kind === "result");

test.each([
  ["claude", ["Write", "Bash"], { costUsd: 0.011538, tokens: allTokens }],
  ["codex", ["shell", "shell"], { costUsd: null, tokens: allTokens }],
  ["gemini", ["write_file", "run_shell_command"], { costUsd: null, tokens: allTokens }],
  ["opencode", ["write", "bash"], { costUsd: expect.closeTo(0.011538), tokens: allTokens }],
] as const)(
  "a run of %s that went well tells its text, its tools, its result and what it used",
  (name, used, usage) => {
    const events = read(name, "done");
    expect(events.flatMap((event) => (event.kind === "text" ? [event.text] : []))).toEqual([
      "On it.",
      "On it.",
      "All done.",
    ]);
    expect(tools(events)).toEqual(used);
    expect(result(events)).toMatchObject({ ok: true });
    expect(sumUsage(events)).toEqual(usage);
  },
);

test("claude that was denied its tools says so, though it ended well", () => {
  const events = read("claude", "denied");
  expect(result(events)).toMatchObject({ ok: true });
  expect(tools(events)).toEqual(["Write", "Bash", "Write denied", "Bash denied"]);
});

test("a tool that a rule of opencode's forbids was denied", () => {
  expect(tools(read("opencode", "denied"))).toEqual(["write", "bash denied"]);
});

test("claude that calls an error a success is not believed", () => {
  const events = read("claude", "overloaded");
  expect(stream("claude-overloaded")).toContain('"subtype":"success"');
  expect(result(events)).toMatchObject({ ok: false, text: expect.stringContaining("529") });
  expect(sumUsage(events)).toEqual({ costUsd: 0.003828, tokens: { input: 1_001, output: 51, cached: 200 } });
});

test("claude's tries are notes", () => {
  const notes = read("claude", "overloaded").filter(({ kind }) => kind === "note");
  expect(notes).toContainEqual({ kind: "note", text: "try 1 of 2 failed: 529" });
});

test("claude that is ended before its last word used at least what its messages say, each counted once", () => {
  const lines = stream("claude-done").split("\n").slice(0, 7);
  expect(lines.filter((line) => line.includes('"msg_1"')).length).toBe(2);
  const usage = sumUsage(eventsOf(adapter("claude"), lines.join("\n")));
  expect(usage).toEqual({ costUsd: null, tokens: { input: 2_003, output: 2, cached: 400 }, atLeast: true });
});

test("codex whose stream of answers was cut failed, and what it used is not known", () => {
  const events = read("codex", "cut");
  expect(result(events)).toMatchObject({ ok: false, text: expect.stringContaining("stream disconnected") });
  expect(sumUsage(events)).toEqual({ costUsd: null, tokens: null });
});

test("gemini whose stream of answers was cut failed, and tells what it used until then", () => {
  const events = read("gemini", "cut");
  expect(result(events)).toMatchObject({ ok: false, text: expect.stringContaining("terminated") });
  expect(sumUsage(events)).toEqual({ costUsd: null, tokens: { input: 1_001, output: 51, cached: 200 } });
});

test("opencode that was refused failed, and used at least what its steps say", () => {
  const events = read("opencode", "refused");
  expect(result(events)).toMatchObject({ ok: false, text: "slow down" });
  expect(sumUsage(events)).toMatchObject({ tokens: { input: 1_001, output: 51, cached: 200 }, atLeast: true });
});

test("a price of nothing for tokens that were used is a price opencode does not know", () => {
  const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } };
  const part = { type: "step-finish", id: "p1", reason: "stop", cost: 0, tokens };
  expect(sumUsage(eventsOf(adapter("opencode"), JSON.stringify({ type: "step_finish", part })))).toEqual({
    costUsd: null,
    tokens: { input: 10, output: 5, cached: 0 },
  });
});

test("what agents of an agent's own used is in no stream, so that the sum is a least", () => {
  const task = { type: "tool", tool: "task", callID: "c1", state: { status: "completed", input: {} } };
  const opencode = `${JSON.stringify({ type: "tool_use", part: task })}\n${stream("opencode-done")}`;
  expect(sumUsage(eventsOf(adapter("opencode"), opencode))).toMatchObject({ tokens: allTokens, atLeast: true });
  const item = { id: "i1", type: "collab_tool_call", tool: "spawn_agent", prompt: "Help me." };
  const codex = `${JSON.stringify({ type: "item.completed", item })}\n${stream("codex-done")}`;
  expect(sumUsage(eventsOf(adapter("codex"), codex))).toMatchObject({ tokens: allTokens, atLeast: true });
});
