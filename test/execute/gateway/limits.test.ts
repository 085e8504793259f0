import { expect, test } from "vitest";
import { anthropicStream, ask, events, gatewayTo, json, realKey, startMaker, streamCost } from "./maker.js";

const busy = (headers: Record<string, string> = {}, status = 429) =>
  json(status, { type: "error", error: { type: "rate_limit_error", message: "slow down" } }, headers);

/** A clock that only sleeping moves. */
function patience() {
  const slept: number[] = [];
  let time = 1_000_000;
  return {
    slept,
    now: () => time,
    sleep: async (ms: number) => {
      slept.push(ms);
      time += ms;
    },
  };
}

test("a run that has spent its budget is refused in its maker's form, with a status nobody tries again", async () => {
  const maker = await startMaker(events(anthropicStream));
  const { run } = await gatewayTo(maker);
  const [poor, rich] = [run({ budgetUsd: streamCost }), run({ budgetUsd: 10 * streamCost })];
  await (await ask(poor)).text();
  const refused = await ask(poor);
  expect(refused.status).toBe(400);
  expect(refused.headers.get("x-should-retry")).toBe("false");
  expect(await refused.json()).toEqual({
    type: "error",
    error: { type: "invalid_request_error", message: "multirun: its budget of $0.06 is used up" },
  });
  expect(poor.metered()).toMatchObject({ requests: 1, stopped: { outcome: "over_budget" } });
  expect((await ask(rich)).status).toBe(200);
});

test("the budget of all runs holds over runs and over workers", async () => {
  const maker = await startMaker(events(anthropicStream));
  const { run } = await gatewayTo(maker, { totalBudgetUsd: 1, alreadySpentUsd: 1 - streamCost });
  const [first, second] = [run(), run()];
  await (await ask(first)).text();
  await expect.poll(() => first.metered().requests).toBe(1);
  expect((await ask(second)).status).toBe(400);
  expect(second.metered().stopped).toEqual({
    outcome: "over_budget",
    reason: "the budget of $1.00 for all runs is used up",
  });
  expect(maker.asked).toHaveLength(1);
});

test("with a budget no model passes whose price nobody knows", async () => {
  const maker = await startMaker(events(anthropicStream));
  const run = (await gatewayTo(maker)).run({ budgetUsd: 1 });
  expect((await ask(run, { model: "brand-new" })).status).toBe(400);
  expect(run.metered().stopped?.reason).toContain('"brand-new" costs, so its budget cannot be kept: add it to prices');
  expect(maker.asked).toHaveLength(0);
});

test("bad weather passes: the gateway waits as long as it is asked to, and the agent sees the answer only", async () => {
  const clock = patience();
  const maker = await startMaker(busy({ "retry-after": "7" }), busy({}, 529), busy({}, 503), events(anthropicStream));
  const run = (await gatewayTo(maker, clock)).run({ deadline: clock.now() + 600_000 });
  expect((await ask(run)).status).toBe(200);
  // What a maker asks for once, then twice as long each time: 2 s before the third try, 4 s before the fourth.
  expect(clock.slept).toEqual([7_000, 2_000, 4_000]);
  expect(run.metered().stopped).toBeNull();
});

test("a maker that asks one run to wait is left alone by all", async () => {
  const maker = await startMaker(busy({ "retry-after": "1" }), events(anthropicStream));
  const { run } = await gatewayTo(maker);
  const first = ask(run());
  await expect.poll(() => maker.asked.length).toBe(1);
  const asked = performance.now();
  await Promise.all([first, ask(run())]);
  expect(performance.now() - asked).toBeGreaterThan(900);
  expect(maker.asked).toHaveLength(3);
});

test.each([
  ["a quota that is used up", busy({}, 402), "used up its quota"],
  ["credit that is used up", json(400, { error: { message: "Your credit balance is too low" } }), "used up its quota"],
  ["OpenAI's hard limit", json(429, { error: { code: "insufficient_quota" } }), "used up its quota"],
  [
    "a day's limit",
    json(429, { error: { details: [{ violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel" }] }] } }),
    'the day\'s quota for the model "test-model" is used up (429)',
  ],
  ["a wait beyond the deadline", busy({ "retry-after": "86400" }), "asks for more time than there is"],
])("%s is told from weather that passes", async (_, reply, words) => {
  const maker = await startMaker(reply);
  const run = (await gatewayTo(maker)).run();
  expect((await ask(run)).status).toBe(400);
  expect(maker.asked).toHaveLength(1);
  expect(run.metered().stopped).toMatchObject({ outcome: "overloaded" });
  expect(run.metered().stopped?.reason).toContain(words);
});

test("weather that does not pass ends a run as overloaded, within its time", async () => {
  const clock = patience();
  const maker = await startMaker(busy({}, 529));
  const run = (await gatewayTo(maker, clock)).run({ deadline: clock.now() + 60_000 });
  expect((await ask(run)).status).toBe(400);
  expect(run.metered().stopped).toEqual({
    outcome: "overloaded",
    reason: "the model's maker answers 529, after 6 tries",
  });
  expect(clock.slept.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(60_000);
});

test("a maker that is away is tried again, then said to be away", async () => {
  const clock = patience();
  const maker = await startMaker(() => undefined);
  await maker.close();
  const run = (await gatewayTo(maker, clock)).run({ deadline: clock.now() + 10_000 });
  expect((await ask(run)).status).toBe(400);
  expect(run.metered().stopped?.reason).toMatch(
    /^127\.0\.0\.1:\d+ could not be reached \(ECONNREFUSED\), after 4 tries$/,
  );
});

test("a wrong key ends every run at the first answer, with one line that names its variable and not its value", async () => {
  const maker = await startMaker(events(anthropicStream));
  const { Secret } = await import("../../../src/model/secret.js");
  const { run, warnings } = await gatewayTo(maker, { keys: { anthropic: new Secret("sk-wrong-key") } });
  const runs = [run(), run(), run()];
  for (const each of runs) expect((await ask(each)).status).toBe(400);
  expect(maker.asked).toHaveLength(1);
  for (const each of runs) {
    expect(each.metered().stopped).toEqual({
      outcome: "refused",
      reason: "the key in ANTHROPIC_API_KEY was refused (401): set one that may use the model",
    });
  }
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).not.toContain("sk-wrong-key");
});

test("that its maker does not know a model is the agent's to hear, and kept in case it gives up", async () => {
  const maker = await startMaker(events(anthropicStream));
  const { run } = await gatewayTo(maker);
  const [wrong, right] = [run(), run()];
  expect((await ask(wrong, { model: "no-such-model" })).status).toBe(404);
  expect(wrong.metered()).toMatchObject({
    stopped: null,
    refused: { outcome: "refused", reason: 'the model "no-such-model" is not known to its maker (404)' },
  });
  for (const each of [wrong, right]) expect((await ask(each)).status).toBe(200);
});

test("a protocol without a key says which variable to set", async () => {
  const maker = await startMaker(events(anthropicStream));
  const run = (await gatewayTo(maker, { keys: {} })).run();
  expect((await ask(run)).status).toBe(400);
  expect(run.metered().stopped?.reason).toBe("there is no key for this model: set ANTHROPIC_API_KEY");
});

test("what a maker refuses for the request's own sake is the agent's to hear, without the key in it", async () => {
  const maker = await startMaker(json(400, { error: { message: `max_tokens too large for ${realKey}` } }));
  const run = (await gatewayTo(maker)).run();
  const answer = await ask(run);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ error: { message: "max_tokens too large for ***" } });
  expect(run.metered().stopped).toBeNull();
});

test("what a run waits for when it is given up is known, and is forgotten once it comes", async () => {
  const maker = await startMaker(busy({ "retry-after": "1" }, 529), events(anthropicStream));
  const run = (await gatewayTo(maker)).run();
  const asking = ask(run);
  await expect
    .poll(() => run.metered().refused)
    .toEqual({
      outcome: "overloaded",
      reason: "the model's maker answers 529, and was still waited for",
    });
  expect((await asking).status).toBe(200);
  expect(run.metered()).toMatchObject({ stopped: null, refused: null });
});
