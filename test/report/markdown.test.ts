import { expect, test } from "vitest";
import { renderMarkdown } from "../../src/report/markdown.js";
import { cell, code, safeText } from "../../src/report/markdown-text.js";
import { demoBase, demoRuns } from "../support/demo.js";
import { hostileNames, hostileReport } from "../support/hostile.js";
import { noBase, reportOf } from "../support/report.js";
import { column, id, key, run, snapshot, table } from "../support/runs.js";

/**
 * What is left of a line of Markdown without its code spans, by CommonMark 6.1: a span goes from a run of back-ticks to the
 * next run of the same length, and a run that nothing closes is text.
 */
function withoutCode(line: string): string {
  let rest = "";
  for (let at = 0; at < line.length; ) {
    const fence = /^`+/.exec(line.slice(at))?.[0];
    if (fence === undefined) {
      rest += line[at];
      at += 1;
      continue;
    }
    const after = at + fence.length;
    const close = new RegExp(`(?<!\`)\`{${fence.length}}(?!\`)`, "g");
    close.lastIndex = after;
    const end = close.exec(line);
    rest += end ? "" : fence;
    at = end ? end.index + fence.length : after;
  }
  return rest;
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^```\n[\s\S]*?^```$/gm, "");
}

const ours = /<\/?(?:br|sub|details|summary)>/g;
const tables = /^\|/;

function liveIn(markdown: string): string[] {
  const lines = withoutFences(markdown).split("\n");
  return lines.flatMap((line) => {
    const text = withoutCode(line).replaceAll(ours, " ").replaceAll("**", "");
    const dead = tables.test(line) ? text.replaceAll("|", " ") : text;
    return /[@#[\]<>!`\\*_~$&]|\||:\w+:|www\.|:\/\/|GH-|\b[0-9a-f]{7,}\b/i.test(dead) ? [dead] : [];
  });
}

test.each(hostileNames)("nothing in a report is live where everything is called %j", (name) => {
  const markdown = renderMarkdown(hostileReport(name));
  expect(liveIn(markdown)).toEqual([]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
  expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069]/);
  expect(markdown).not.toMatch(/\p{Surrogate}/u);
});

test.each(hostileNames)("every table row has as many cells as its head where everything is called %j", (name) => {
  let columns = 0;
  for (const line of renderMarkdown(hostileReport(name)).split("\n")) {
    if (!tables.test(line)) {
      columns = 0;
      continue;
    }
    // By the table rules of GFM: pipes split, back-slashed ones do not, and back-slashes before one are never doubled.
    const cells = line.split(/(?<!\\)\|/).length;
    if (columns === 0) columns = cells;
    expect(cells).toBe(columns);
    expect(line).not.toMatch(/\\\\+\|/);
  }
});

test("details and summary are always closed", () => {
  for (const name of hostileNames) {
    const bare = withoutFences(renderMarkdown(hostileReport(name)))
      .split("\n")
      .map(withoutCode)
      .join("\n");
    expect(bare.match(/<details>/g)?.length).toBe(bare.match(/<\/details>/g)?.length);
  }
});

test.each([
  ["a", "`a`"],
  ["a`b", "``a`b``"],
  ["`a`", "`` `a` ``"],
  ["", "` `"],
  ["a\nb", "`a b`"],
])("%j as code is %s", (text, markdown) => {
  expect(code(text)).toBe(markdown);
});

test.each([
  ["Is `teams` there?", "Is `teams` there?"],
  ["by @someone", "`by @someone`"],
  ["`a``b`", "`a` `b`"],
  ["kept, `x` cleared", "kept, `x` cleared"],
])("%j as text is %s", (text, markdown) => {
  expect(safeText(text)).toBe(markdown);
});

test("a pipe stays in its cell, also behind a back-slash", () => {
  expect(cell("`a|b`")).toBe("`a\\|b`");
  expect(cell("`a\\|b`")).toBe("`a\\ \\|b`");
});

function largeReport() {
  const runs = Array.from({ length: 200 }, (_, at) => {
    const names = Array.from({ length: 60 }, (_, c) => `a_rather_long_column_name_${c}`).filter(
      (_, c) => (at * (c + 7)) % 13 > 5,
    );
    return run(at + 1, {
      schema: snapshot([
        table("teams", {
          salt: at + 1,
          columns: [id(), ...names.map((name) => column(name, "text"))],
          constraints: [key("id")],
        }),
      ]),
      ...(at % 2 === 0 ? {} : { outcome: "timed_out" as const, partial: true }),
      reason: `reason ${at} ${"long ".repeat(80)}`,
    });
  });
  return reportOf(runs, noBase);
}

test("a report that is too long is cut between blocks, says so, and keeps verdict and table", () => {
  const report = largeReport();
  const whole = renderMarkdown(report);
  expect(whole.length).toBeLessThanOrEqual(60_000);
  expect(whole).not.toContain("left out");
  for (const limit of [1_000, 5_000, Math.floor(whole.length / 2), whole.length - 1]) {
    const markdown = renderMarkdown(report, { limit });
    expect(markdown.length).toBeLessThanOrEqual(limit);
    expect(markdown).toContain(`Cut to stay under ${limit} characters; left out: `);
    expect(markdown).toContain("**multirun · 200 runs");
    expect(markdown.match(/<details>/g)?.length).toBe(markdown.match(/<\/details>/g)?.length);
    for (const block of markdown.split("\n\n"))
      expect(whole.includes(block.trimEnd()) || block.startsWith("Cut to stay")).toBe(true);
  }
  expect(renderMarkdown(report, { limit: whole.length - 1 })).toContain("| | Decision | Options · runs | Agreement |");
});

test("a report never claims that agreement is correctness, and names its agents as scripted", () => {
  const markdown = renderMarkdown(reportOf(demoRuns(), demoBase));
  expect(markdown).toContain("Agreement is not correctness.");
  expect(markdown).toContain("scripted agents");
  expect(markdown).not.toMatch(/\bcorrect\b/i);
});

test("the interval is shown for a strong majority of few runs, and for no other", () => {
  const teams = (n: number, on: boolean) =>
    run(n, { schema: snapshot([table("teams", { salt: n, rowSecurity: on ? "on" : "off" })]) });
  const strong = reportOf(
    Array.from({ length: 10 }, (_, at) => teams(at + 1, at < 8)),
    noBase,
  );
  expect(renderMarkdown(strong)).toContain("8/10 strong (49–94 %)");
  const split = reportOf(
    Array.from({ length: 10 }, (_, at) => teams(at + 1, at < 7)),
    noBase,
  );
  expect(renderMarkdown(split)).toMatch(/7\/10 split(?! \()/);
  const many = reportOf(
    Array.from({ length: 30 }, (_, at) => teams(at + 1, at < 27)),
    noBase,
  );
  expect(renderMarkdown(many)).toMatch(/27\/30 strong(?! \()/);
});
