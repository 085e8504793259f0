import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runId } from "../../src/model/ids.js";
import { openSpending } from "../../src/pipeline/spending.js";
import { anthropicStream, ask, events, gatewayTo, startMaker, streamCost } from "../execute/gateway/maker.js";
import { temporaryFolder } from "../support/repository.js";

const r01 = runId.parse("r01");

test("what a run was charged before a crash counts toward its budget and the budget of all, and in its sum", async () => {
  const file = join(temporaryFolder(), "spending.jsonl");
  const maker = await startMaker(events(anthropicStream));
  const first = await openSpending(file);
  const gateway = await gatewayTo(maker);
  const run = gateway.gateway.open({
    budgetUsd: null,
    deadline: Date.now() + 60_000,
    onCharge: (charge) => first.add(r01, charge),
  });
  await (await ask(run)).text();
  await expect.poll(() => run.metered().usage.costUsd).toBe(streamCost);
  await first.written();
  // The next line was being written when the power went.
  appendFileSync(file, '{"run":"r01","char');

  const second = await openSpending(file);
  expect(second.totalUsd).toBe(streamCost);
  expect(second.of(runId.parse("r02"))).toEqual([]);
  const { gateway: later } = await gatewayTo(maker, { alreadySpentUsd: second.totalUsd });
  const limits = { deadline: Date.now() + 60_000, earlier: second.of(r01) };
  const again = later.open({ ...limits, budgetUsd: streamCost });
  expect((await ask(again)).status).toBe(400);
  expect(again.metered()).toMatchObject({ stopped: { outcome: "over_budget" }, usage: { costUsd: streamCost } });
  const richer = later.open({ ...limits, budgetUsd: 1.5 * streamCost });
  await (await ask(richer)).text();
  await expect.poll(() => richer.metered().usage.costUsd).toBe(2 * streamCost);
});
