import fc from "fast-check";
import { expect, test } from "vitest";
import { traceEvent } from "../../../src/model/agent.js";
import { adapters, eventsOf, parserOf, stream } from "./support.js";

const recordings = adapters.flatMap((adapter) =>
  ["done", { claude: "overloaded", codex: "cut", gemini: "cut", opencode: "refused" }[adapter.name]].map(
    (what) => [`${adapter.name}-${what}`, adapter] as const,
  ),
);

test.each(recordings)("%s, cut at any byte, reads as what was whole before the cut", (name, adapter) => {
  const bytes = Buffer.from(stream(name));
  const whole = eventsOf(adapter, stream(name)).filter(({ kind }) => kind !== "note");
  fc.assert(
    fc.property(fc.nat(bytes.length), (at) => {
      const events = eventsOf(adapter, bytes.subarray(0, at).toString("utf8"));
      const said = events.filter(({ kind }) => kind !== "note");
      // Text that comes in pieces may be shorter than it became.
      const known = said.filter(({ kind }) => kind !== "text");
      expect(whole.filter(({ kind }) => kind !== "text").slice(0, known.length)).toEqual(known);
    }),
    { numRuns: 60 },
  );
});

test.each(adapters.map((each) => [each.name, each] as const))("%s reads any line without harm", (_, adapter) => {
  const { push, end } = parserOf(adapter);
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc.string().map((text) => `{"type":"result","text":${text}`),
  );
  fc.assert(
    fc.property(line, (text) => void push(text).map((event) => traceEvent.parse(event))),
    { numRuns: 300 },
  );
  for (const event of end()) traceEvent.parse(event);
});

test.each(adapters.map((each) => [each.name, each] as const))(
  "%s reads its own events with other things in the places of their values",
  (_, adapter) => {
    const lines = stream(`${adapter.name}-done`).trimEnd().split("\n");
    const anything = fc.oneof(
      fc.constant(-1),
      fc.constant(1e308),
      fc.constant(Number.MAX_SAFE_INTEGER),
      fc.constant(null),
      fc.constant({}),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.nat(200), anything, (at, place, value) => {
        let left = place;
        const changed = JSON.stringify(JSON.parse(lines[at] ?? ""), (_key, old) => (left-- === 0 ? value : old));
        for (const event of eventsOf(adapter, changed ?? "")) traceEvent.parse(event);
      }),
      { numRuns: 300 },
    );
  },
);

test.each(adapters.map((each) => [each.name, each] as const))(
  "%s reads no document too deep to be written",
  (_, adapter) => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const lines = [
      `{"type":"assistant","message":{"id":"m","model":"x","content":[{"type":"tool_use","name":"Bash","input":${deep}}]}}`,
      `{"type":"item.completed","item":{"type":"file_change","changes":${deep}}}`,
      `{"type":"tool_use","tool_id":"1","tool_name":"x","parameters":${deep}}`,
      `{"type":"tool_use","part":{"type":"tool","tool":"bash","state":{"status":"completed","input":${deep}}}}`,
    ];
    for (const event of eventsOf(adapter, lines.join("\n"))) expect(event.kind).toBe("note");
  },
);

test("lines that are no JSON are told three times and then counted", () => {
  const events = eventsOf(adapters[0] as (typeof adapters)[0], "one\ntwo\n::error::three\nfour\nfive");
  expect(events).toHaveLength(4);
  expect(events.at(-1)).toEqual({ kind: "note", text: "5 lines could not be read" });
});
