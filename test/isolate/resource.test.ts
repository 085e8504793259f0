import { expect, test } from "vitest";
import { type Held, inOrderOfRelease } from "../../src/isolate/resource.js";
import { experimentId } from "../../src/model/ids.js";

test("each holder is named once, and base after all that was copied from it", () => {
  const held = (kind: Held["kind"], run: Held["holder"]["run"], attempt = 1): Held => ({
    kind,
    id: `${kind} ${run} ${attempt}`,
    holder: { experiment: experimentId.parse("demo"), run, attempt },
  });
  const [others, base] = inOrderOfRelease([
    held("database", "base"),
    held("database", "r01" as Held["holder"]["run"]),
    held("database", "reference"),
    held("role", "base"),
    held("role", "r01" as Held["holder"]["run"]),
    held("role", "r01" as Held["holder"]["run"], 2),
  ]);
  expect(others.map(({ run, attempt }) => `${run}-${attempt}`)).toEqual(["r01-1", "reference-1", "r01-2"]);
  expect(base.map(({ run }) => run)).toEqual(["base"]);
});
