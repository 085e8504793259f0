import { expect, test } from "vitest";
import { askAll, type Participant } from "../../src/consensus/ask/questions.js";
import { decide } from "../../src/consensus/decide/decisions.js";
import { tellReferences } from "../../src/consensus/references.js";
import { readFacts } from "../../src/facts/facts.js";
import type { RunArtifacts } from "../../src/model/fact.js";
import { explainDecision } from "../../src/report/explain.js";
import { renderMarkdown } from "../../src/report/markdown.js";
import { renderTerminal } from "../../src/report/terminal.js";
import { errorOf } from "../support/expect.js";
import { experimentOf, noBase, reportOf } from "../support/report.js";
import { column, id, key, refers, run, snapshot, table } from "../support/runs.js";

/** A table that belongs to a user, under a name, with or without a time, deleted with its user or not. */
function made(n: number, { name = "teams", seats = "integer", cascade = false } = {}): RunArtifacts {
  const users = table("users", { columns: [id()], constraints: [key("id")] });
  const columns = [id(), column("owner_id", "integer"), column("label", "text"), column("seats", seats)];
  const constraints = [key("id"), refers("owner_id", "users", cascade ? "cascade" : "no action")];
  return run(n, { schema: snapshot([table(name, { columns, constraints }), users]), sha256: `${n}` });
}

const base = { ...noBase, schema: snapshot([table("users", { columns: [id()], constraints: [key("id")] })]) };
const counted = [1, 2, 3, 4].map((n) => made(n, { cascade: n > 2 }));

function withReference(reference: RunArtifacts | undefined, runs = counted) {
  const planned = experimentOf(runs.length + 1).runs.map((each, at) =>
    at < runs.length ? each : { ...each, variant: "pr", reference: true as const },
  );
  return reportOf(reference ? [...runs, reference] : runs, base, {
    planned: runs.length + 1,
    experiment: { runs: planned },
  });
}

const onDelete = (report: ReturnType<typeof withReference>) =>
  report.decisions.find(({ title }) => title.includes("deleted"));

test("a decision says which option a reference took, and with how many counted runs", () => {
  const report = withReference(made(5, { cascade: true }));
  const decision = onDelete(report);
  const taken = decision?.options.find(({ reference }) => reference.includes("pr"));
  expect(taken?.runs).toEqual(["r03", "r04"]);
  expect(decision?.reference).toEqual([{ name: "pr", option: taken?.id, label: taken?.label }]);
  expect(renderTerminal(report)).toContain(`pr: ${taken?.id}, with 2 of 4`);
  expect(renderMarkdown(report)).toContain(`\`pr\`: ${taken?.id}, with 2 of 4`);
});

test("whatever a reference did and called it, nothing but what is said of it changes", () => {
  const without = reportOf(counted, base);
  const references = [
    made(5),
    made(5, { name: "groups" }),
    made(5, { name: "groups", seats: "text", cascade: true }),
    run(5, { schema: base.schema, outcome: "no_change", files: [] }),
    run(5, { outcome: "crashed", files: [] }),
    undefined,
  ];
  for (const reference of references) {
    const report = withReference(reference);
    const decisions = report.decisions.map(({ reference: _, ...each }) => ({
      ...each,
      options: each.options.map((option) => ({ ...option, reference: [] })),
    }));
    expect(decisions).toEqual(without.decisions);
    for (const part of ["agreed", "naming", "oddOneOut", "risks", "summary", "candidate"] as const) {
      expect(report[part]).toEqual(without[part]);
    }
    expect(report.runs.slice(0, -1)).toEqual(without.runs);
    expect(report.experiment.planned).toBe(4);
    expect(report.runs.at(-1)).toMatchObject({ reference: true, counted: false, variant: "pr" });
  }
});

test("a reference under other names is understood, and its names are nobody's", () => {
  const report = withReference(made(5, { name: "groups", cascade: true }));
  expect(onDelete(report)?.reference?.map(({ option }) => option)).toEqual(
    onDelete(withReference(made(5, { cascade: true })))?.reference?.map(({ option }) => option),
  );
  expect(JSON.stringify(report)).not.toContain("groups");
});

test("an answer that no counted run gave is said in its own words, and so is a question that does not arise", () => {
  const split = [1, 2, 3, 4].map((n) => made(n, { seats: n > 2 ? "numeric" : "integer" }));
  const type = (reference: RunArtifacts) =>
    withReference(reference, split).decisions.find(({ title }) => title.includes("seats"))?.reference;
  expect(type(made(5, { seats: "boolean" }))).toEqual([{ name: "pr", option: null, label: "boolean" }]);
  const idle = run(5, { schema: base.schema, outcome: "no_change", files: [] });
  expect(type(idle)).toEqual([{ name: "pr", option: null, label: "does not apply" }]);
  expect(type(run(5, { outcome: "unreadable" }))).toEqual([{ name: "pr", option: null, label: "not known" }]);
});

test("an explanation tells options, facts, names, runs and files of a decision", async () => {
  const named = [1, 2, 3, 4].map((n) => made(n, { cascade: n > 2, name: n === 4 ? "groups" : "teams" }));
  const report = withReference(made(5, { cascade: true }), named);
  const decision = onDelete(report);
  const text = explainDecision(report, decision?.id ?? "");
  expect(text).toContain(`${decision?.id}  ${decision?.title.replaceAll("`", "")}`);
  expect(text).toMatch(/Facts merged: \d/);
  expect(text).toMatch(/Names taken for one thing\n {2}Names of teams.*\n {6}teams.*: r01 r02 r03\n {6}groups.*: r04/);
  expect(text).toContain("r03  runs/r03/schema.json");
  expect(text).toMatch(/reference pr: \w, with 2 of 4/);
  const error = await errorOf(() => explainDecision(report, "D99"));
  expect(error.code).toBe("bad_input");
  expect(error.hint).toContain(report.decisions.map(({ id }) => id).join(", "));
});

test("where a decision was composed of several questions, a reference took the option of a run that answered them all as it did", () => {
  const users = (...more: ReturnType<typeof column>[]) =>
    table("users", { columns: [id(), ...more], constraints: [key("id")] });
  const tags = table("tags", { columns: [id()], constraints: [key("id")] });
  const way = (n: number, how: "table" | "column" | "both") =>
    run(n, {
      schema: snapshot([
        ...(how === "column" ? [] : [tags]),
        how === "table" ? users() : users(column("tags", "text[]")),
      ]),
    });
  const participant = (each: RunArtifacts): Participant => {
    const [facts = null] = readFacts([each], base);
    return { id: each.id, standing: "votes", facts };
  };
  const participants = [way(1, "table"), way(2, "table"), way(3, "column"), way(4, "column")].map(participant);
  const questions = askAll(participants);
  const ways = ["table public.tags", "column public.users.tags"];
  const parts = questions.filter(({ slot, aspect }) => ways.includes(slot) && aspect === "presence");
  const [first] = parts;
  if (first === undefined) throw new Error("the two ways are asked about");
  expect(parts).toHaveLength(2);
  const head = { ...first, key: "cover\0model", slot: "cover", aspect: "model", parts };
  const decisions = decide([{ head, members: [], folded: [], details: [] }], 4);
  const taken = (how: "table" | "column" | "both") => {
    const references = [{ name: "pr", participant: participant(way(5, how)) }];
    return tellReferences(decisions, references, { participants, questions: [head] })[0]?.reference?.[0]?.option;
  };
  const optionOf = (name: string) => decisions[0]?.options.find(({ runs }) => runs.some((each) => each === name))?.id;
  expect(taken("table")).toBe(optionOf("r01"));
  expect(taken("column")).toBe(optionOf("r03"));
  expect(taken("both")).toBeNull();
});
