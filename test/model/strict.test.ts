import { expect, test } from "vitest";
import { configSchema } from "../../src/model/config.js";
import { nearest, parseStrict } from "../../src/model/strict.js";
import { errorOf } from "../support/expect.js";

const origin = { name: "multirun.yml" };

test.each([
  [{ timout: "30m" }, 'multirun.yml: unknown key "timout"; did you mean "timeout"?'],
  [{ runs: 0 }, "multirun.yml: runs: 0: must be from 1 to 256"],
  [{ runs: 257 }, "multirun.yml: runs: 257: must be from 1 to 256"],
  [{ runs: 2.5 }, "multirun.yml: runs: 2.5: must be a whole number from 1 to 256"],
  [
    { timeout: "soon" },
    'multirun.yml: timeout: "soon" is no duration between 1ms and 24d; write for example 90s, 30m or 2h',
  ],
  [
    { timeout: "400d" },
    'multirun.yml: timeout: "400d" is no duration between 1ms and 24d; write for example 90s, 30m or 2h',
  ],
  [{ database: { provder: "none" } }, 'multirun.yml: unknown key "database.provder"; did you mean "provider"?'],
  [{ budget: { perRun: 0 } }, "multirun.yml: budget.perRun: 0: must be more than 0 US dollars"],
  [{ variants: [{ name: "a", modle: "x" }] }, 'multirun.yml: unknown key "variants[0].modle"; did you mean "model"?'],
  [{ checks: [""] }, 'multirun.yml: checks[0]: "": a command cannot be empty'],
  [{ checks: [{ run: "t", reprot: "a" }] }, 'multirun.yml: unknown key "checks[0].reprot"; did you mean "report"?'],
  [{ checks: { run: "t", format: "tap" } }, "a format needs a report"],
  [{ checks: { run: "t", report: "-", format: "junit" } }, "only tap and go can be read from what a check prints"],
])("%j is refused by name and rule", async (config, message) => {
  const error = await errorOf(() => parseStrict(configSchema, config, origin));
  expect(error.code).toBe("bad_input");
  expect(error.message).toContain(message);
});

test.each(["/etc/passwd", "../out.xml", "a/../../out.xml", "..", "reports/", "a*/out.xml", ""])(
  "a report at %j, which is no file inside the repo, is refused",
  async (report) => {
    const error = await errorOf(() => parseStrict(configSchema, { checks: { run: "t", report } }, origin));
    expect(error.message).toContain(
      "must be a file inside the repo, whose name may hold *, or - for what the check prints",
    );
  },
);

test.each(["-", "out.xml", "a/b c/ü.xml", "..out", ".out/x"])("a report at %j is taken", (report) => {
  expect(configSchema.parse({ checks: { run: "t", report } }).checks).toEqual([{ run: "t", report }]);
});

test("a word far from every known one gets no suggestion", () => {
  expect(nearest("xyzzy", ["timeout", "runs"])).toBeUndefined();
});
