import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, type Place, quoted } from "./kind.js";
import { stringOf } from "./spelling.js";

/** Calls and objects by which a program reads its environment, as written. */
const functions = new Set(
  (
    "os.getenv os.environ.get environ.get os.environ.setdefault getenv os.Getenv os.LookupEnv System.getenv ENV.fetch env::var " +
    "std::env::var env::var_os std::env::var_os env! option_env! Environment.GetEnvironmentVariable " +
    "System.Environment.GetEnvironmentVariable Deno.env.get"
  ).split(" "),
);
/** Laravel's helper. */
const phpFunctions = new Set(["env", "\\getenv"]);
const objects = new Set(["process.env", "os.environ", "environ", "ENV", "$_ENV", "import.meta.env", "Bun.env"]);

/** A variable of the environment that is read. */
export const environment: CodeKind = {
  kind: "env",
  weight: 2.5,
  answer: "presence",
  scope: "anywhere",
  loss: true,
  roles: ["call", "subscript", "member", "declare"],
  read: (node, place) =>
    readFrom(node, place)
      .filter((name) => /^\w{1,60}$/.test(name))
      .map((slot) => ({ slot, value: "read" })),
  title: ({ slot, gone }) => asked(`Is ${quoted(slot, 40)} ${gone ? "still " : ""}read from the environment`),
  label: (_value, { slot, gone }) => `${gone ? "no longer reads" : "reads"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "still read" : "not read"),
};

function readFrom(node: SyntaxNode, { text, spelling }: Place): string[] {
  const written = (part: string) => spelling.source(partOf(node, part));
  if (node.role === "call") {
    const callee = written("callee");
    if (!functions.has(callee) && !(text.language === "php" && phpFunctions.has(callee))) return [];
    return [stringOf(partsOf(node, "argument")[0], text) ?? ""];
  }
  if (node.role === "declare") return taken(node, spelling);
  // Set, not read; or called: `process.env.toString()`.
  if (node.part === "target" || node.part === "callee" || !objects.has(written("object"))) return [];
  return [node.role === "subscript" ? (stringOf(partOf(node, "index"), text) ?? "") : written("name")];
}

/** The names of `process.env` that are bound by a pattern. */
function taken(node: SyntaxNode, spelling: Place["spelling"]): string[] {
  const pattern = partOf(node, "name");
  if (pattern?.role !== "map" || !objects.has(spelling.source(partOf(node, "value")))) return [];
  return partsOf(pattern, "pair").map((pair) => spelling.source(partOf(pair, "key") ?? pair));
}
