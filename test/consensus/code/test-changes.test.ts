import { expect, test } from "vitest";
import { comparer } from "../../support/code.js";

const { tell } = await comparer("python");

const base = {
  "shop.py": "def price(item):\n    return item.cost\n",
  "tests/test_shop.py": "def test_nothing():\n    assert True\n",
};
const change = { "shop.py": "def price(item):\n    check(item)\n    return item.cost\n" };
const testing = (line: string) => ({
  ...change,
  "tests/test_shop.py": `${base["tests/test_shop.py"]}\n\ndef test_more():\n    assert ${line}\n`,
});
const reach = "Do new or changed tests call `price()`?";
const scratch = "Are scratch files left behind?";

test("where some runs' tests call the changed function and others' do not, that is a question", () => {
  const runs = ["price(1) == 2", "price(3) == 4", "total(1) == 2", "total(3) == 4"].map(testing);
  expect(tell(base, runs).questions[reach]).toEqual({ "tests call `price()`": "1 2", no: "3 4" });
});

test("a single run whose tests do not call the changed function raises no question", () => {
  const runs = ["price(1) == 2", "price(3) == 4", "price(5) == 6", "total(3) == 4"].map(testing);
  expect(tell(base, runs).questions[reach]).toBeUndefined();
});

test("runs without tests are not asked what their tests call", () => {
  const runs = [...["price(1) == 2", "price(3) == 4", "total(1) == 2", "total(3) == 4"].map(testing), change, change];
  expect(tell(base, runs).questions[reach]).toEqual({ "tests call `price()`": "1 2", no: "3 4" });
});

test("programs that runs wrote for themselves are told by their names", () => {
  const left = { ...change, "scratch_try.py": "print(1)\n" };
  expect(tell(base, [left, left, change, change]).questions[scratch]).toEqual({
    "leaves scratch files: `scratch_try.py`": "1 2",
    no: "3 4",
  });
});

test("where no run left scratch files, nobody is asked for them", () => {
  expect(tell(base, [change, change, change]).questions[scratch]).toBeUndefined();
});
