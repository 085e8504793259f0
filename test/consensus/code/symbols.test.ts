import { expect, test } from "vitest";
import { comparer } from "../../support/code.js";

const { tell, readings } = await comparer("python", "java");

const base = {
  "app/session.py": `
class Session:
    def open(self, url):
        self.url = url
        return connect(url)

    def close(self):
        self.connection.flush()
        self.connection.close()
        self.closed = True
`,
};

test("a method that leaves its class has moved: it is neither new nor gone, and that is damage", async () => {
  const moved = base["app/session.py"].replace(/\n {4}def close[\s\S]*$/, "\n").concat(`
def close(self):
    self.connection.flush()
    self.connection.close()
    self.closed = True
`);
  const { damage, questions } = tell(base, [
    { "app/session.py": moved },
    { "app/session.py": `${base["app/session.py"]}\nEXTRA = 1\n` },
    { "app/session.py": `${base["app/session.py"]}\nEXTRA = 2\n` },
  ]);
  expect(damage).toEqual({ "moves `Session.close` to `close` (`session.py`)": "1" });
  expect(Object.keys(questions).join("\n")).not.toMatch(/close` in `session.py` (?:added|removed)/);
});

test("a moved method is compared with what it was", async () => {
  const text = base["app/session.py"]
    .replace("class Session:", "class Base:\n    pass\n\nclass Session:")
    .replace("    def close(self):\n        self.connection.flush()\n", "")
    .replace("        self.connection.close()\n        self.closed = True\n", "")
    .concat("\ndef close(self):\n    self.connection.flush()\n    self.connection.close()\n");
  const [reading] = readings(base, [{ "app/session.py": text }]);
  const close = reading?.files[0]?.symbols.find(({ name }) => name === "Session.close");
  expect(close).toMatchObject({ status: "edited", movedTo: "close" });
  expect(close?.facts.filter(({ gone, kind }) => gone && kind === "set").map(({ slot }) => slot)).toEqual([
    "self.closed",
  ]);
});

test("an overload put between others does not make the others differ", () => {
  const java = (extra: string) => `class Writer {
  void value(int a) { write(a); flush(); }
${extra}  void value(double b) { check(b); write(b); }
}
`;
  const path = "src/Writer.java";
  const [reading] = readings({ [path]: java("") }, [{ [path]: java("  void value(String c) { quote(c); }\n") }]);
  expect(reading?.files[0]?.symbols.map(({ status, facts }) => [status, facts.some(({ gone }) => gone)])).toEqual([
    ["added", false],
  ]);
});

test("unlike functions of one name in two classes are not one that moved", () => {
  const text = (kept: string) => `class A:\n    def run(self):\n        return self.load(self.path)\n${kept}`;
  const before = text("\nclass B:\n    pass\n");
  const after =
    "class A:\n    pass\n\nclass B:\n    def run(self, other, more):\n        for each in other:\n            print(each.name, more)\n";
  const [reading] = readings({ "a.py": before }, [{ "a.py": after }]);
  expect(
    reading?.files[0]?.symbols.flatMap(({ name, status }) => (name.includes("run") ? [[name, status]] : [])),
  ).toEqual([
    ["A.run", "removed"],
    ["B.run", "added"],
  ]);
});

test("where a text does not parse nothing in it is said to have moved, come or gone", () => {
  const java = `class Writer {
  void open() { connect(path); flush(); }
  void close() { flush(); disconnect(path); }
  void write(String text) { append(text); flush(); }
}
`;
  const path = "src/Writer.java";
  const broken = java.replace("flush(); }", "flush(); }\n}");
  const fine = java.replace("connect(path);", "connect(path); log(path);");
  const { questions, damage } = tell({ [path]: java }, [{ [path]: broken }, { [path]: fine }, { [path]: fine }]);
  expect(damage).toEqual({ "`Writer.java` does not parse": "1" });
  expect(questions["Does the changed code parse?"]).toEqual({ "does not parse": "1", parses: "2 3" });
});

test("A parameter of a helper is none of its caller's, and what it tests is tested where it was taken from", () => {
  const title = (body: string, limit = 80) => `def title(post, limit=${limit}):\n    text = post.title\n${body}`;
  const inline = "    if len(text) > limit:\n        return cut(text)\n    return text\n";
  const helper = "def shorten(text, limit):\n    if len(text) > limit:\n        return cut(text)\n    return text\n";
  const path = "app/title.py";
  const apart = { [path]: `${title("    return shorten(text, limit)\n")}\n\n${helper}` };
  const { questions } = tell({ [path]: title("    return text\n") }, [
    { [path]: title(inline) },
    { [path]: title(inline, 60) },
    { [path]: title(inline, 60) },
    apart,
    { [path]: title("    if limit < 1:\n        return refuse(limit)\n    return text\n") },
  ]);
  expect(questions["How is parameter `limit` taken in `title`?"]).toEqual({
    "as before": "1 4 5",
    "default `60`": "2 3",
  });
  const tests = Object.values(questions).filter((each) => "tests `if limit < len(text)`" in each);
  expect(new Set(tests.map((each) => each["tests `if limit < len(text)`"]))).toEqual(new Set(["1 2 3 4"]));
});
