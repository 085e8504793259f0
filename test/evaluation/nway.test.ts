import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { divisionOf, type Labels, labels, type Sentence } from "../../bench/nway/labels.js";
import { scoreSet } from "../../bench/nway/score.js";
import type { Report } from "../../src/model/report.js";
import type { SchemaTable } from "../../src/model/schema.js";
import { experimentOf, reportOf } from "../support/report.js";
import { column, id, key, run, snapshot, table, unique } from "../support/runs.js";

const names = ["ann", "bea", "cem", "dov", "eve", "fay"];
const base = { schema: snapshot([]), checks: null };

const notes = (...more: string[]) =>
  table("notes", {
    columns: [id(), column("body", "text", { notNull: !more.includes("loose") })],
    constraints: [key("id"), ...(more.includes("unique") ? [unique("body")] : [])],
  });

/** Five runs make notes, three of them with a unique body, one of those with a body that may be empty; fay makes nothing. */
function report(): Report {
  const made: (SchemaTable | undefined)[] = [
    notes("unique", "loose"),
    notes("unique"),
    notes("unique"),
    notes(),
    notes(),
  ];
  const runs = names.map((variant, at) => {
    const mine = made[at];
    const record = { variant };
    return mine
      ? run(at + 1, { schema: snapshot([mine]), record })
      : run(at + 1, { schema: snapshot([]), files: [], outcome: "no_change", record });
  });
  const plan = experimentOf(names.length).runs.map((each, at) => ({ ...each, variant: names[at] ?? "" }));
  const variants = names.flatMap((name) => experimentOf(1).variants.map((each) => ({ ...each, name })));
  return reportOf(runs, base, { experiment: { runs: plan, variants } });
}

function parsed(sentences: object[], more: object = {}): Labels {
  return labels.parse({ set: "notes", source: ["made up"], tuned: true, runs: names, sentences, ...more });
}

const idle = { kind: "state", text: "no schema", runs: ["fay"] };
const split = (unique: string[], about: string) => ({
  kind: "split",
  text: "unique or not",
  options: { unique, not: "rest" },
  about,
});

const grade = (...sentences: object[]) => scoreSet(report(), parsed(sentences)).sentences[0]?.grade;

test("a split is fully said where it divides the same runs and is about the same thing", () => {
  expect(grade(split(["ann", "bea", "cem"], "unique"), idle)).toBe("full");
});

test("a split is partly said where one run is elsewhere, or where it is about something else", () => {
  expect(grade(split(["ann", "bea"], "unique"), idle)).toBe("partly");
  expect(grade(split(["ann", "bea", "cem"], "colour"), idle)).toBe("partly");
});

test("a split that divides other runs is missed", () => {
  expect(grade(split(["ann", "dov"], "unique"), idle)).toBe("missed");
});

test("a split in which one run is alone is said where that run's row says so", () => {
  expect(grade({ ...split(["ann"], "body"), text: "may be null" }, idle)).toBe("full");
  expect(grade({ kind: "odd", run: "ann", about: "body" })).toBe("full");
  expect(grade({ kind: "odd", run: "ann", about: "colour" })).toBe("partly");
  expect(grade({ kind: "odd", run: "bea", about: "body" })).toBe("missed");
});

test("what all agree on is said by a line of what is agreed, and by no other", () => {
  expect(grade({ kind: "agreed", text: "a key", about: "key.*generated" })).toBe("full");
  expect(grade({ kind: "agreed", text: "unique", about: "unique" })).toBe("missed");
});

test("a state is said of the runs that are in it", () => {
  expect(grade(idle)).toBe("full");
  expect(grade({ ...idle, runs: ["bea"] })).toBe("missed");
});

test("names are told together in one entry, or not at all", () => {
  expect(grade({ kind: "naming", text: "names", names: ["notes", "memos"] })).toBe("missed");
});

test("rows that no sentence has are told, except for those that are expected", () => {
  expect(scoreSet(report(), parsed([idle])).unlabelled.join("\n")).toMatch(/unique/);
  const expected = parsed([idle, split(["ann", "bea", "cem"], "unique"), { kind: "odd", run: "ann", about: "body" }]);
  expect(scoreSet(report(), expected).unlabelled).toEqual([]);
  expect(scoreSet(report(), parsed([idle], { noise: ["unique", "body"] })).unlabelled).toEqual([]);
});

test("labels name runs of their set only", () => {
  const wrong = parsed([split(["zoe"], "unique")]);
  const [sentence] = wrong.sentences;
  expect(() => divisionOf(sentence as Sentence & { kind: "split" }, wrong)).toThrow(/zoe/);
});

test("every set of labels can be read, and divides runs that it has", async () => {
  const folder = new URL("../../bench/nway/", import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));
  expect(files.length).toBeGreaterThanOrEqual(3);
  for (const file of files) {
    const each = labels.parse(JSON.parse(await readFile(new URL(file, folder), "utf8")));
    expect(`${each.set}.json`).toBe(file);
    for (const sentence of each.sentences) if (sentence.kind === "split") divisionOf(sentence, each);
  }
});
