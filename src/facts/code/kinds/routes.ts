import { partOf, partsOf, type SyntaxNode, walk } from "../syntax.js";
import { asked, type CodeKind, cut, type Place, quoted } from "./kind.js";
import { bare, lastName } from "./reading.js";
import { folderRoute, isVerb, prefixOf, templateWords, verbOf } from "./route-words.js";
import { stringOf } from "./spelling.js";

/** Names that set a route for any method. */
const general =
  /^(?:route|handle|handlefunc|handle_func|path|re_path|url|requestmapping|any|all|match|add_url_rule|add_route|add_api_route)$/;
/** Rails draws several routes by one word. */
const drawn = /^(?:resources?|mount|root)$/;
/** Objects whose `get("/…")` is no route: they call others. */
const clients =
  /^(?:axios|fetch|http|https|client|request|requests|session|got|api|httpclient|resttemplate|webclient|agent|supertest|mockmvc|self|cache|redis|config|test_client)$/i;

/** The addresses a service answers: METHOD and template, with parameters as `{}`. */
export const routes: CodeKind = {
  kind: "route",
  weight: 3,
  answer: "presence",
  scope: "anywhere",
  loss: true,
  roles: ["call", "decorator", "function"],
  read(node, place) {
    const found = node.role === "function" ? folderRoute(node, place) : byCall(node, place);
    return found.map((slot) => ({ slot: cut(slot, 90), value: "answered" }));
  },
  title: ({ slot, gone }) => asked(`Is ${quoted(slot, 50)} ${gone ? "still " : ""}answered`),
  label: (_value, { slot, gone }) => `${gone ? "removes" : "answers"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "kept" : "no such route"),
};

interface Candidate {
  /** `get`, `route`, `GetMapping`. */
  name: string;
  template: string;
  arguments: readonly SyntaxNode[];
  decorates: boolean;
  place: Place;
}

function byCall(node: SyntaxNode, place: Place): string[] {
  const { text } = place;
  const decorates = node.role === "decorator";
  // The call of a decorator is read with the decorator.
  if (!decorates && node.part === "value" && node.parent?.role === "decorator") return [];
  if (decorates ? isPrefix(node, text) : isChained(node, text)) return [];
  const call = decorates ? decoratingCall(node) : node;
  const callee = partOf(call, decorates && call === node ? "value" : "callee") ?? call;
  const name = lastName(callee, text);
  const values = partsOf(call, "argument");
  if (!decorates && isClient(callee, text)) return [];
  const whole = decorates && /Mapping$|^Http|^(?:Get|Post|Put|Patch|Delete)$/.test(name) ? "" : undefined;
  const template = templateOf(name === "match" ? values.slice(1) : values, place) ?? whole;
  if (template === undefined || name === "") return chained(node, place);
  const found = methodsOf({ name, template, arguments: values, decorates, place });
  const plain =
    text.language !== "ruby" || !drawn.test(name) ? template : name === "root" ? "/" : template.replace(":", "");
  return found.map((method) => `${method} ${templateWords(prefixOf(node, place), plain)}`);
}

/** What a class puts before the routes of its methods is no route. */
function isPrefix(decorator: SyntaxNode, text: Place["text"]): boolean {
  const name = lastName(partOf(decoratingCall(decorator), "callee") ?? partOf(decorator, "value"), text);
  return decorator.parent?.role === "class" && /^(?:RequestMapping|Route|Controller)$/.test(name);
}

/** Of `app.route("/x").get(list)` the last call is the route. */
function isChained(call: SyntaxNode, text: Place["text"]): boolean {
  const { parent } = call;
  if (lastName(partOf(call, "callee"), text) !== "route") return false;
  return call.part === "object" && parent?.part === "callee" && verbOf(lastName(parent, text)) !== undefined;
}

/** Annotations hold their arguments themselves, Python's decorators hold a call. */
function decoratingCall(node: SyntaxNode): SyntaxNode {
  const value = bare(partOf(node, "value"));
  return value?.role === "call" ? value : node;
}

function templateOf(values: readonly SyntaxNode[], { text, spelling }: Place): string | undefined {
  const named = values.find(
    (each) => each.role === "argument" && /^(?:value|path|rule|template)$/.test(spelling.source(partOf(each, "name"))),
  );
  const [first] = values;
  const given = named ?? (first?.role === "argument" && partOf(first, "name") ? undefined : first);
  const value = given && (partOf(given, "value") ?? given);
  const list = value?.role === "list" ? partOf(value, "element") : undefined;
  return stringOf(list ?? value, text) ?? symbolOf(value, text);
}

/** Ruby's `resources :users` */
function symbolOf(node: SyntaxNode | undefined, text: Place["text"]): string | undefined {
  const written = node && text.language === "ruby" ? text.text.slice(node.start, node.end) : "";
  return /^:\w+$/.test(written) ? written.slice(1) : undefined;
}

function isClient(callee: SyntaxNode, text: Place["text"]): boolean {
  const object = partOf(bare(callee) ?? callee, "object");
  // Go's `http.HandleFunc` and Express' `app.http` are told by their names.
  return object !== undefined && clients.test(lastName(object, text)) && !/^Handle/.test(lastName(callee, text));
}

function methodsOf(candidate: Candidate): string[] {
  const { name, template, decorates, place } = candidate;
  const { language } = place.text;
  const rooted = /^(?:\/|\*)/.test(template) || (template === "" && decorates);
  const verb = verbOf(name);
  if (verb !== undefined) {
    if (rooted) return isAnswered(candidate) ? [verb] : [];
    return decorates || (language === "ruby" && candidate.arguments.length > 1) ? [verb] : [];
  }
  if (language === "ruby" && drawn.test(name)) return name === "root" ? ["GET"] : [name.toUpperCase()];
  const lower = name.toLowerCase();
  if (!general.test(lower)) return [];
  const written = /^(GET|POST|PUT|PATCH|DELETE) /.exec(template)?.[1];
  if (written !== undefined) return [written];
  const relative = language === "python" && /^(?:path|re_path|url)$/.test(lower);
  if (relative ? candidate.arguments.length < 2 : !rooted) return [];
  return methodsNamed(candidate);
}

/** A route names who answers it: `get("/x")` alone asks for something. Chains like `app.route("/x").get(f)` are read elsewhere. */
function isAnswered({ arguments: values, decorates, place }: Candidate): boolean {
  if (decorates || place.text.language === "ruby") return true;
  const [, ...handlers] = values;
  return handlers.length > 0 && !handlers.every(({ role }) => role === "map" || role === "string" || role === "number");
}

/** `methods=["POST"]`, `method = RequestMethod.POST`, axum's `get(list)`; else any method. */
function methodsNamed({ arguments: values, name, place }: Candidate): string[] {
  const { text, spelling } = place;
  const found = new Set<string>();
  for (const value of values) {
    // Names of handlers are no methods, only what is said of them is.
    const speaks =
      value.role === "argument" ||
      value.role === "map" ||
      text.language === "rust" ||
      /^(?:match|add_route)$/.test(name);
    if (!speaks) continue;
    for (const each of walk(value)) {
      const word = stringOf(each, text) ?? (each.role === "name" ? spelling.source(each).replace(/^:/, "") : "");
      if (isVerb(word)) found.add(word.toUpperCase());
    }
  }
  return found.size > 0 ? [...found].sort() : ["ANY"];
}

/** `app.route("/x").get(list).post(create)` */
function chained(node: SyntaxNode, place: Place): string[] {
  const { text } = place;
  const callee = node.role === "call" ? bare(partOf(node, "callee")) : undefined;
  const verb = callee && verbOf(lastName(callee, text));
  if (verb === undefined) return [];
  let inner = callee && bare(partOf(callee, "object"));
  while (inner?.role === "call") {
    const name = lastName(partOf(inner, "callee"), text);
    const template = templateOf(partsOf(inner, "argument"), place);
    if (name === "route" && template?.startsWith("/")) return [`${verb} ${templateWords("", template)}`];
    const outer = bare(partOf(inner, "callee"));
    inner = outer?.role === "member" ? bare(partOf(outer, "object")) : undefined;
  }
  return [];
}
