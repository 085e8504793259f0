import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { type CodeKind, type Place, quoted } from "./kind.js";
import { stringOf } from "./spelling.js";

/** Calls and objects by which a program reads its environment, as written. */
const functions = new Set([
  "os.getenv",
  "os.environ.get",
  "getenv",
  "os.Getenv",
  "os.LookupEnv",
  "System.getenv",
  "ENV.fetch",
  "env::var",
  "std::env::var",
  "Environment.GetEnvironmentVariable",
]);
const objects = new Set(["process.env", "os.environ", "ENV", "$_ENV", "import.meta.env"]);

export const environment: CodeKind = {
  kind: "env",
  weight: 2.5,
  answer: "presence",
  scope: "anywhere",
  loss: true,
  roles: ["call", "subscript", "member"],
  read(node, place) {
    const name = readFrom(node, place);
    return name === undefined || !/^\w{1,60}$/.test(name) ? [] : [{ slot: name, value: "read" }];
  },
  title: ({ slot, gone }) => `Is ${quoted(slot, 40)} ${gone ? "still " : ""}read from the environment?`,
  label: (_value, { slot, gone }) => `${gone ? "no longer reads" : "reads"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "still read" : "not read"),
};

function readFrom(node: SyntaxNode, { text, spelling }: Place): string | undefined {
  if (node.role === "call") {
    return functions.has(spelling.source(partOf(node, "callee")))
      ? stringOf(partsOf(node, "argument")[0], text)
      : undefined;
  }
  if (!objects.has(spelling.source(partOf(node, "object")))) return undefined;
  return node.role === "subscript" ? stringOf(partOf(node, "index"), text) : spelling.source(partOf(node, "name"));
}
