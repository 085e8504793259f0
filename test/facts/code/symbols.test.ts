import { expect, test } from "vitest";
import type { CodeText } from "../../../src/facts/code/syntax.js";
import { reader } from "./reading.js";

const read = await reader();

test("A Python file falls into imports, values, class heads, methods, functions and the rest", () => {
  const text = read(
    "shop/cart.py",
    `import os
LIMIT: int = 3

@register
class Cart(Base):
    """Holds things."""
    size = 0

    @property
    def total(self):
        """What it costs."""
        def inner(): return 1
        return inner()

def check(): pass

if __name__ == "__main__":
    check()
`,
  );
  expect(kinds(text)).toEqual({
    "<imports>": "imports",
    LIMIT: "value",
    Cart: "class",
    "Cart.size": "value",
    "Cart.total": "function",
    check: "function",
    "<code>": "code",
  });
  expect(text.symbols.get("Cart.total")?.documentation).toContain("What it costs.");
  expect(text.symbols.get("Cart")?.normalForm.join(" ")).toBe("@ register class Cart ( Base ) : ⏎");
  expect(text.symbols.get("Cart.total")?.line).toBe(9);
});

test("A TypeScript file's arrows are functions, and what it exports can be used by others", () => {
  const text = read(
    "src/cart.ts",
    `import { a } from "./a.js";
/** Adds things. */
export const add = (x: number) => { const y = x; return y; };
const hidden = 1;
export default class Cart { private size = 0; total(): number { return this.size; } }
export type Item = { name: string };
export interface Shop { open(): void }
listed();
function listed() {}
export { listed };
`,
  );
  expect(kinds(text)).toEqual({
    "<imports>": "imports",
    add: "function",
    hidden: "value",
    Cart: "class",
    "Cart.size": "value",
    "Cart.total": "function",
    Item: "type",
    Shop: "class",
    "Shop.open": "function",
    "<code>": "code",
    listed: "function",
  });
  expect(text.symbols.get("add")?.documentation).toBe("/** Adds things. */");
  expect(text.symbols.get("add")?.definition?.type).toBe("arrow_function");
  expect([...(text.symbols.get("add")?.locals ?? [])]).toEqual(["y"]);
  expect(exported(text)).toEqual(["add", "Cart", "Cart.total", "Item", "Shop", "Shop.open", "listed"]);
});

test("A Go file's methods are called by their type, and a capital letter exports", () => {
  const text = read(
    "cart.go",
    `package shop
import "fmt"
const Limit = 3
type Cart struct {
	Base
	size int
}
// Total adds up.
func (c *Cart[T]) Total(a int) (sum int) { sum = a; return }
func open() { fmt.Println() }
`,
  );
  expect(kinds(text)).toEqual({
    "<code>": "code",
    "<imports>": "imports",
    Limit: "value",
    Cart: "class",
    "Cart.Base": "value",
    "Cart.size": "value",
    "Cart.Total": "function",
    open: "function",
  });
  expect(text.symbols.get("Cart.Total")?.documentation).toBe("// Total adds up.");
  expect(exported(text)).toEqual(["Limit", "Cart", "Cart.Base", "Cart.Total"]);
});

test("A Java file's overloads are told apart by their order", () => {
  const text = read(
    "Cart.java",
    `package shop;
import java.util.List;
public class Cart {
  public static final int LIMIT = 3;
  int total() { return 0; }
  public int total(int a) { return a; }
  enum State { OPEN }
}
`,
  );
  expect(kinds(text)).toEqual({
    "<code>": "code",
    "<imports>": "imports",
    Cart: "class",
    "Cart.LIMIT": "value",
    "Cart.total": "function",
    "Cart.total#2": "function",
    "Cart.State": "class",
    "Cart.State.OPEN": "value",
  });
  expect(exported(text)).toEqual(["Cart", "Cart.LIMIT", "Cart.total#2"]);
});

test("Functions under a condition are symbols, and the condition is kept among the rest", () => {
  const text = read("a.py", "if sys.version_info > (3,):\n    def f(): pass\nelse:\n    def f(): return 1\n");
  expect(kinds(text)).toEqual({ "<code>": "code", f: "function", "f#2": "function" });
  expect(text.symbols.get("<code>")?.normalForm.join(" ")).toContain("version_info");
});

test("Lines that do not parse are told, and the rest is read all the same", () => {
  const text = read("a.py", "def f():\n    return 1\n\ndef g(:\n    return\n\ndef h(): pass\n");
  expect(text.broken).toEqual([4]);
  expect(kinds(text)).toMatchObject({ f: "function", h: "function" });
});

test("A route and a test that are handed over as functions are symbols of their own", () => {
  const text = read(
    "a.js",
    'app.get("/carts", (req, res) => { res.json([]); });\napp.use(log);\ntest("adds", () => {});\n',
  );
  expect(kinds(text)).toEqual({ 'app.get("/carts")': "code", "<code>": "code", 'test("adds")': "code" });
});

test("A Ruby method behind a word that hides it is a method, and what it requires is imported", () => {
  const text = read("a.rb", 'require "x"\nclass A\n  private def q(a) = b(a)\nend\n');
  expect(kinds(text)).toEqual({ "<imports>": "imports", A: "class", "A.q": "function" });
  expect(text.symbols.get("A")?.normalForm.join(" ")).toBe("class A ⏎");
});

test("A Rust method is called by its type, whatever trait it is of", () => {
  const text = read(
    "a.rs",
    "pub struct A;\nimpl A { pub fn new() -> A { A } }\nimpl Show for A { fn show(&self) {} }\n",
  );
  expect(kinds(text)).toEqual({
    A: "class",
    "impl A": "class",
    "A.new": "function",
    "impl Show for A": "class",
    "A.show": "function",
  });
  expect(exported(text)).toEqual(["A", "A.new"]);
});

function kinds(text: CodeText): Record<string, string> {
  return Object.fromEntries([...text.symbols].map(([name, { kind }]) => [name, kind]));
}

function exported(text: CodeText): string[] {
  return [...text.symbols.values()]
    .filter((symbol) => symbol.exported && symbol.kind !== "code")
    .map(({ name }) => name);
}
