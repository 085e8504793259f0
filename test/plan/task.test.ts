import { expect, test } from "vitest";
import { readTask } from "../../src/plan/task.js";
import { errorOf } from "../support/expect.js";

test("front matter and text are told apart", () => {
  const task = readTask("---\ntitle: Add teams\nn: 4\n---\n\n# Other heading\nText\n", "t.md");
  expect(task).toMatchObject({ title: "Add teams", text: "# Other heading\nText\n", settings: { n: 4 } });
});

test.each([
  ["# A heading\ntext", "A heading"],
  ["first line\nsecond", "first line"],
  ["intro\n\n## Deep\n", "Deep"],
])("the title of %j is %j", (content, title) => expect(readTask(content, "t.md").title).toBe(title));

test("a rule in the text is no front matter", () => {
  expect(readTask("text\n\n---\n\nmore", "t.md")).toMatchObject({ settings: {}, text: "text\n\n---\n\nmore\n" });
});

test("Windows line ends are understood", () => {
  expect(readTask("---\r\nn: 2\r\n---\r\nDo it\r\n", "t.md").settings.n).toBe(2);
});

test("a long first line is cut at a whole character", () => {
  const { title } = readTask("🎉".repeat(200), "t.md");
  expect([...title]).toHaveLength(120);
  expect(title.endsWith("🎉…")).toBe(true);
});

test.each([
  ["", "it has no text"],
  ["---\nn: 3\n---\n  \n", "it has no text"],
  ["---\nruns: 3\n---\ntext", 'unknown key "runs"'],
  ["---\nn: 0\n---\ntext", "n: 0: must be from 1 to 256"],
  ["---\n: [\n---\ntext", "no YAML"],
])("the task %j is refused: %s", async (content, message) => {
  const error = await errorOf(() => readTask(content, "t.md"));
  expect(error.code).toBe("bad_input");
  expect(error.message).toContain(message);
});
