import { inspect } from "node:util";
import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../src/model/duration.js";
import { experimentId, runIds } from "../../src/model/ids.js";
import { redact, Secret } from "../../src/model/secret.js";

test.each([
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["2h", 7_200_000],
  ["1.5h", 5_400_000],
  ["250ms", 250],
])("%s is %d ms", (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each(["", "5", "m", "-5m", "5 m", "1e3s", "∞"])('"%s" is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test("durations read well", () => {
  expect([950, 12_400, 83_000, 7_260_000].map(formatDuration)).toEqual(["0.9s", "12s", "1m 23s", "2h 01m"]);
});

test("run ids differ in more than letter case and none is a prefix path of another", () => {
  const ids = runIds(256);
  expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(256);
  expect(ids.every((id) => !id.includes("/"))).toBe(true);
  expect(ids.at(-1)).toBe("r256");
});

test.each(["Add", "a/b", "-a", "a-", "", "a".repeat(41), "a b", "ä"])('"%s" is no experiment id', (text) => {
  expect(experimentId.safeParse(text).success).toBe(false);
});

test("no string form of a secret shows it", () => {
  const secret = new Secret("hunter2-hunter2");
  expect([`${secret}`, JSON.stringify({ secret }), inspect({ secret })].join()).not.toContain("hunter2");
  expect(secret.reveal()).toBe("hunter2-hunter2");
});

test("redaction takes the longest secret first", () => {
  const secrets = [new Secret("abcd"), new Secret("abcdefgh")];
  expect(redact("x abcdefgh y abcd z", secrets)).toBe("x *** y *** z");
});
