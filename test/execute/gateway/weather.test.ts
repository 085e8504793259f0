import { expect, test } from "vitest";
import { retryAfter, weatherOf } from "../../../src/execute/gateway/weather.js";
import { ask, gatewayTo, json, model, startMaker } from "./maker.js";

const call = { model: "m", generates: true, keyVariable: "KEY", now: 0 };
const of = (status: number, body: unknown, more: Partial<typeof call> = {}) =>
  weatherOf({ status, headers: {}, body: JSON.stringify(body) }, { ...call, ...more });

/** As Gemini writes it where a minute's limit is reached. */
const minute = {
  error: {
    code: 429,
    message: "You exceeded your current quota, please check your plan and billing details.",
    status: "RESOURCE_EXHAUSTED",
    details: [
      { violations: [{ quotaId: "GenerateRequestsPerMinutePerProjectPerModel-FreeTier" }] },
      { retryDelay: "34.5s" },
    ],
  },
};

test("a minute's limit passes, in as many seconds as it says, whatever its prose speaks of", () => {
  expect(of(429, minute)).toEqual({ kind: "passing", waitMs: 34_500 });
  expect(of(429, [minute])).toEqual({ kind: "passing", waitMs: 34_500 });
});

test("a day's limit is the end of the run that meets it, not of others with other models", () => {
  const violations = [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }];
  expect(of(429, { error: { details: [{ violations }] } })).toMatchObject({ kind: "stop", whom: "run" });
});

test.each([
  [402, {}],
  [429, { error: { type: "insufficient_quota", code: "insufficient_quota" } }],
  [403, { error: { type: "billing_error" } }],
  [400, { error: { type: "invalid_request_error", message: "Your credit balance is too low to access the API." } }],
  [400, { error: { message: "You have reached your specified API usage limits. You will regain access later." } }],
])("an account without money (%i %j) is the end of all", (status, body) => {
  expect(of(status, body)).toMatchObject({ kind: "stop", outcome: "overloaded", whom: "all" });
});

test.each([
  "tools.0.name: 'billing' is no name",
  "the text 'Your credit balance is too low' is not allowed",
  "insufficient_quota is no tool",
])("a bad request that speaks of billing (%s) is the agent's to hear", (message) => {
  expect(of(400, { error: { type: "invalid_request_error", message } })).toEqual({ kind: "pass" });
});

test("a wrong key is the end of all, in each maker's words; a model that it may not use is one run's matter", () => {
  const invalid = { error: { code: 400, details: [{ reason: "API_KEY_INVALID" }] } };
  for (const weather of [of(401, {}), of(400, invalid), of(401, {}, { generates: false })]) {
    expect(weather).toMatchObject({ kind: "stop", outcome: "refused", whom: "all" });
  }
  expect(of(403, { error: { type: "permission_error" } })).toEqual({
    kind: "pass",
    words: 'the key in KEY may not use the model "m" (403)',
  });
  expect(of(403, {}, { generates: false })).toEqual({ kind: "pass" });
});

test("a body that is no JSON, or any other JSON, says nothing", () => {
  for (const body of ["", "{", "[]", "null", "7", '{"error":7}', '{"error":{"details":[7,{"violations":7}]}}']) {
    expect(weatherOf({ status: 429, headers: {}, body }, call)).toEqual({ kind: "passing", waitMs: null });
  }
});

test("how long to wait is said in seconds, in milliseconds, or as a date", () => {
  const now = Date.parse("2026-12-01T12:00:00Z");
  expect(retryAfter({ "retry-after": "1.5" }, now)).toBe(1_500);
  expect(retryAfter({ "retry-after-ms": "250", "retry-after": "9" }, now)).toBe(250);
  expect(retryAfter({ "retry-after": "Tue, 01 Dec 2026 12:00:20 GMT" }, now)).toBe(20_000);
  expect(retryAfter({ "retry-after": "Tue, 01 Dec 2026 11:00:00 GMT" }, now)).toBe(0);
  expect(retryAfter({ "retry-after": "soon" }, now)).toBeNull();
});

test("Gemini's answer to a wrong key ends all runs with one line that names where the key was refused", async () => {
  const maker = await startMaker(json(400, { error: { code: 400, details: [{ reason: "API_KEY_INVALID" }] } }));
  const { run, warnings } = await gatewayTo(maker);
  const [first, second] = [run(), run()];
  for (const each of [first, second]) {
    const url = `${each.access.urls.gemini}/v1beta/models/${model}:generateContent`;
    const headers = { "x-goog-api-key": each.access.token.reveal() };
    expect((await fetch(url, { method: "POST", headers, body: "{}" })).status).toBe(400);
  }
  expect(maker.asked).toHaveLength(1);
  expect(second.metered().stopped?.reason).toContain("GEMINI_API_KEY was refused (400)");
  expect(warnings).toEqual([expect.stringContaining(`no further call to ${new URL(maker.url).host}: `)]);
});

test("a model that a key may not use ends no other run, and is the reason where the agent gives up", async () => {
  const maker = await startMaker(json(403, { error: { type: "permission_error" } }), json(200, { usage: {} }));
  const { run } = await gatewayTo(maker);
  const [first, second] = [run(), run()];
  expect((await ask(first)).status).toBe(403);
  expect(first.metered()).toMatchObject({ stopped: null, refused: { outcome: "refused" } });
  expect((await ask(second)).status).toBe(200);
});
