import { partOf, partsOf, type SyntaxNode, walk } from "../syntax.js";
import { type CodeKind, cut, type Place, quoted } from "./kind.js";
import { bare, lastName, stringOf } from "./spelling.js";

const verbs = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
/** Names that set a route for any method. */
const general =
  /^(?:route|handle|handlefunc|handle_func|path|re_path|url|requestmapping|map|any|all|resource|resources|add_url_rule)$/;
/** Objects whose `get("/…")` is no route: they call others. */
const clients =
  /^(?:axios|fetch|http|https|client|request|requests|session|got|api|httpclient|resttemplate|webclient|agent|supertest|mockmvc)$/i;

/** The addresses a service answers: METHOD and template, with parameters as `{}`. */
export const routes: CodeKind = {
  kind: "route",
  weight: 3,
  answer: "presence",
  scope: "anywhere",
  loss: true,
  roles: ["call", "decorator", "function"],
  read(node, place) {
    const found = node.role === "function" ? byFile(node, place) : byCall(node, place);
    return found.map((slot) => ({ slot: cut(slot, 90), value: "answered" }));
  },
  title: ({ slot, gone }) => `Is ${quoted(slot, 50)} ${gone ? "still " : ""}answered?`,
  label: (_value, { slot, gone }) => `${gone ? "removes" : "answers"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "kept" : "no such route"),
};

function byCall(node: SyntaxNode, place: Place): string[] {
  const { text, spelling } = place;
  const call = node.role === "decorator" ? (bare(partOf(node, "value")) ?? node) : node;
  // The call of a decorator is read with the decorator.
  if (node.role === "call" && node.parent?.role === "decorator") return [];
  const callee = partOf(call, "callee") ?? partOf(call, "name") ?? call;
  const name = lastName(callee, text) || (/(\w+)/.exec(spelling.source(callee))?.[1] ?? "");
  const values = partsOf(call, "argument");
  const template = templateOf(values[0] ?? node, node, place);
  if (template === undefined || isClient(callee, place)) return [];
  return methodsOf(name, { template, call, place }).map(
    (method) => `${method} ${normal(template.replace(/^[A-Z]+ /, ""))}`,
  );
}

function templateOf(first: SyntaxNode, node: SyntaxNode, { text }: Place): string | undefined {
  const direct = stringOf(partOf(first, "value") ?? first, text);
  if (direct !== undefined) return direct;
  if (node.role !== "decorator") return undefined;
  for (const each of walk(node)) if (each.role === "string") return stringOf(each, text);
  return undefined;
}

function isClient(callee: SyntaxNode, { text }: Place): boolean {
  const object = partOf(bare(callee) ?? callee, "object");
  return object !== undefined && clients.test(lastName(object, text));
}

interface Candidate {
  template: string;
  call: SyntaxNode;
  place: Place;
}

function methodsOf(name: string, { template, call, place }: Candidate): string[] {
  const verb = verbOf(name);
  const rooted = /^(?:\/|\*|$)/.test(template);
  const relative =
    place.text.language === "python" || place.text.language === "c-sharp" || place.text.language === "ruby";
  if (verb !== undefined) return rooted || (relative && call.parent?.role === "decorator") ? [verb] : [];
  const lower = name.toLowerCase();
  if (!general.test(lower)) return [];
  const written = /^(GET|POST|PUT|PATCH|DELETE) /.exec(template)?.[1];
  if (written !== undefined) return [written];
  const isPath = lower === "path" || lower === "re_path" || lower === "url";
  if (!rooted && !(isPath && place.text.language === "python")) return [];
  return methodsNamed(call, place);
}

function verbOf(name: string): string | undefined {
  const plain = name
    .replace(/^(?:Http|Map)(?=[A-Z])/, "")
    .replace(/Mapping$/, "")
    .toUpperCase();
  return verbs.has(plain) ? plain : undefined;
}

/** `methods=["POST"]`, `method = RequestMethod.POST`, axum's `get(list)`; else any method. */
function methodsNamed(call: SyntaxNode, { text, spelling }: Place): string[] {
  const found = new Set<string>();
  for (const argument of partsOf(call, "argument").slice(argumentsBefore(call))) {
    for (const each of walk(argument)) {
      const word = stringOf(each, text) ?? (each.role === "name" ? spelling.source(each) : "");
      if (verbs.has(word.toUpperCase())) found.add(word.toUpperCase());
    }
  }
  return found.size > 0 ? [...found].sort() : ["ANY"];
}

function argumentsBefore(call: SyntaxNode): number {
  return partsOf(call, "argument")[0]?.role === "string" ? 1 : 0;
}

/** Next's `app/users/[id]/route.ts` answers what its exported functions are called. */
function byFile(node: SyntaxNode, { symbol, text }: Place): string[] {
  const [, folder] = /(?:^|\/)app\/(.*?)\/?route\.[jt]sx?$/.exec(text.path) ?? [];
  if (folder === undefined || node !== symbol.definition || !verbs.has(symbol.name)) return [];
  return [`${symbol.name} ${normal(`/${folder.replace(/\([^)]*\)\//g, "")}`)}`];
}

/** `/users/:id(\\d+)`, `/users/<int:id>`, `/users/{id:int}` and `/users/[id]` are one. */
function normal(template: string): string {
  const plain = template
    .replace(/:[A-Za-z_]\w*(?:\([^)]*\))?\??/g, "{}")
    .replace(/<[^<>]+>|\{[^{}]+\}|\[[^[\]]+\]/g, "{}")
    .replace(/^\^|\$$/g, "");
  const rooted = plain.startsWith("/") || plain.startsWith("*") ? plain : `/${plain}`;
  return rooted.length > 1 ? rooted.replace(/\/$/, "") : rooted;
}
