import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anthropicStream, events, realKey, startMaker } from "../execute/gateway/maker.js";
import { reportIn, type Sandbox, sandbox } from "../support/cli.js";

/** An agent that asks its model so often, does its work whatever it hears, and ends well. */
function agent(place: Sandbox, { model, times = 1 }: { model: string; times?: number }): string {
  const program = place.write(
    "agent.mjs",
    `import { writeFileSync } from "node:fs";
for (let at = 0; at < ${times}; at++) {
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", {
    method: "POST",
    headers: { "x-api-key": process.env.ANTHROPIC_API_KEY, "content-type": "application/json" },
    body: JSON.stringify({ model: ${JSON.stringify(model)}, max_tokens: 10, stream: true, messages: [] }),
  });
  await answer.text();
}
writeFileSync("app.txt", "done\\n");
`,
  );
  return `node ${program}`;
}

test("a wrong key ends all runs as refused, in one line, whatever their agents make of it", async () => {
  const maker = await startMaker(events(anthropicStream));
  const place = sandbox({ ANTHROPIC_API_KEY: "sk-wrong-0123456789", ANTHROPIC_BASE_URL: maker.url });
  const ended = await place.experiment(agent(place, { model: "claude-opus-4-5" }), { runs: 3 }).ended;
  const { runs } = reportIn(ended);
  expect(runs.map(({ outcome, costUsd }) => ({ outcome, costUsd }))).toEqual(
    Array(3).fill({ outcome: "refused", costUsd: 0 }),
  );
  expect(runs[0]?.reason).toContain("the key in ANTHROPIC_API_KEY was refused (401)");
  expect(ended.stderr.match(/no further call to /g)).toHaveLength(1);
});

test("a model whose price nobody knows is refused under a budget, and the report says so", async () => {
  const maker = await startMaker(events(anthropicStream));
  const place = sandbox({ ANTHROPIC_API_KEY: realKey, ANTHROPIC_BASE_URL: maker.url });
  const ended = await place.experiment(agent(place, { model: "brand-new" }), { flags: ["--budget", "5"] }).ended;
  expect(reportIn(ended).runs[0]).toMatchObject({ outcome: "refused", reason: expect.stringContaining('"brand-new"') });
  expect(maker.asked).toEqual([]);
});

test("a budget is one budget over kill -9 and resume, and resume without the key is refused", async () => {
  const maker = await startMaker(events(anthropicStream));
  const keys = { ANTHROPIC_API_KEY: realKey, ANTHROPIC_BASE_URL: maker.url };
  const place = sandbox(keys);
  // At the built-in price one call is a cent and a half and a bit: the third is one too many.
  const command = `${agent(place, { model: "claude-opus-4-5", times: 2 })}; sleep 300`;
  const running = place.experiment(command, { flags: ["--budget", "0.03", "--timeout", "8s"] });
  await expect.poll(() => maker.asked.length, { timeout: 20_000 }).toBe(2);
  await expect
    .poll(() => readFileSync(join(place.out, "spending.jsonl"), "utf8").split("\n").length, { timeout: 5_000 })
    .toBe(3);
  running.child.kill("SIGKILL");
  await running.ended;
  const without = sandbox();
  const refused = await without.run("resume", place.out);
  expect(refused.code, refused.stderr).toBe(2);
  expect(refused.stderr).toContain("the experiment has a budget, and no key for a model is set");
  const resumed = await place.run("resume", place.out, "--json");
  const [run] = reportIn(resumed).runs;
  expect(maker.asked).toHaveLength(2);
  expect(run).toMatchObject({ outcome: "over_budget", reason: "the budget of $0.03 for all runs is used up" });
  expect(run?.costUsd).toBeGreaterThan(0.03);
});
