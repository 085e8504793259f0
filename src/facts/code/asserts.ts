import { lastName } from "./kinds/spelling.js";
import { type CodeSymbol, type CodeText, partOf, walk } from "./syntax.js";

const asserts =
  /^(?:assert\w*!?|raises|warns|expect\w*|fnmatch_lines|fail|should\w*|must\w*|Equal|NoError|Error|True|False|Nil|NotNil)$/;
const skips =
  /\b(?:skip(?:If|Unless|if|test)?|xfail|xit|xdescribe|xtest|todo|Skip|SkipNow|Skipf|Disabled|Ignore|ignore|markTestSkipped|pending)\b/;

/** How many asserting statements a symbol holds. */
export function asserting([symbol, text]: [CodeSymbol, CodeText]): number {
  return count(symbol, (node) => {
    if (node.role === "assert") return true;
    return node.role === "call" && asserts.test(lastName(partOf(node, "callee"), text));
  });
}

/** How many marks say that a test is not to be run. */
export function skipping([symbol, text]: [CodeSymbol, CodeText]): number {
  return count(symbol, (node) => {
    if (node.role === "decorator") return skips.test(text.text.slice(node.start, node.end));
    if (node.role !== "call") return false;
    const callee = partOf(node, "callee");
    return callee !== undefined && skips.test(text.text.slice(callee.start, callee.end));
  });
}

function count(symbol: CodeSymbol, matches: (node: Parameters<typeof walk>[0]) => boolean): number {
  let found = 0;
  for (const node of symbol.nodes) for (const each of walk(node)) if (matches(each)) found += 1;
  return found;
}
