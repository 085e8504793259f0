import { lastName } from "./kinds/reading.js";
import { type CodeSymbol, type CodeText, partOf, walk } from "./syntax.js";

/** By the last name of what is called, and by all of it. */
const asserts = /^(?:assert\w*!?|raises|warns|expect|fnmatch_lines|fail|should|must_\w+|verify)$/;
const assertingObjects = /^(?:(?:assert|require|Assert|should)\.\w+|t\.(?:Errorf?|Fatalf?|Fail|FailNow))$/;
const skips =
  /(?:^|[.@#[\s])(?:skip(?:If|Unless|if|test)?|xfail|xit|xdescribe|xtest|todo|Skip|SkipNow|Skipf|Disabled|Ignore|ignore|markTestSkipped|pending)\b/;
/** What tests are skipped by: `list.skip(1)` only leaves elements out. */
const skippingObjects = /^(?:(?:it|test|describe|suite|context|pytest|unittest|t|b|self|\$this|pytest\.mark)\.)?\w+$/;

/** How many asserting statements a symbol holds. */
export function asserting([symbol, text]: [CodeSymbol, CodeText]): number {
  return count(symbol, (node) => {
    if (node.role === "assert") return true;
    const callee = partOf(node, "callee");
    if (node.role !== "call" || !callee) return false;
    return asserts.test(lastName(callee, text)) || assertingObjects.test(text.text.slice(callee.start, callee.end));
  });
}

/** How many marks say that a test is not to be run. */
export function skipping([symbol, text]: [CodeSymbol, CodeText]): number {
  return count(symbol, (node) => {
    if (node.role === "decorator") return skips.test(text.text.slice(node.start, node.end));
    if (node.role !== "call") return false;
    const callee = partOf(node, "callee");
    const written = callee ? text.text.slice(callee.start, callee.end) : "";
    return skippingObjects.test(written) && skips.test(written);
  });
}

function count(symbol: CodeSymbol, matches: (node: Parameters<typeof walk>[0]) => boolean): number {
  let found = 0;
  for (const node of symbol.nodes) for (const each of walk(node)) if (matches(each)) found += 1;
  return found;
}
