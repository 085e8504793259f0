import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import type { Place } from "./kind.js";
import { lastName } from "./reading.js";
import { stringOf } from "./spelling.js";

const verbs = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

export function isVerb(word: string): boolean {
  return verbs.has(word.toUpperCase());
}

/** `get`, `Get`, `GET`, `HttpGet`, `MapGet`, `GetMapping` are one. */
export function verbOf(name: string): string | undefined {
  const plain = name
    .replace(/^(?:Http|Map)(?=[A-Z])/, "")
    .replace(/Mapping$/, "")
    .toUpperCase();
  return verbs.has(plain) ? plain : undefined;
}

/** What a class puts before the routes of its methods: Spring's `@RequestMapping`, ASP.NET's `[Route]`, Nest's `@Controller`. */
export function prefixOf(node: SyntaxNode, { text }: Place): string {
  if (node.role !== "decorator") return "";
  let owner = node.parent;
  const decorated = owner;
  while (owner && owner.role !== "class") owner = owner.parent;
  if (!owner || owner === decorated) return "";
  for (const decorator of partsOf(owner, "decorator")) {
    const value = partOf(decorator, "value");
    const call = value?.role === "call" ? value : decorator;
    if (!/^(?:RequestMapping|Route|Controller)$/.test(lastName(value, text))) continue;
    const [first] = partsOf(call, "argument");
    const template = stringOf(first && (partOf(first, "value") ?? first), text);
    if (template !== undefined) {
      const name = text.text.slice(partOf(owner, "name")?.start, partOf(owner, "name")?.end);
      return template.replace("[controller]", name.replace(/Controller$/, "").toLowerCase());
    }
  }
  return "";
}

/** Next's `app/users/[id]/route.ts` answers what its exported functions are called. */
export function folderRoute(node: SyntaxNode, { symbol, text }: Place): string[] {
  const [, folder] = /(?:^|\/)app\/(.*?)\/?route\.[jt]sx?$/.exec(text.path) ?? [];
  if (folder === undefined || node !== symbol.definition || !verbs.has(symbol.name) || !symbol.exported) return [];
  return [`${symbol.name} ${templateWords("", `/${folder.replace(/(?:^|(?<=\/))\([^)]*\)\//g, "")}`)}`];
}

/** `/users/:id(\\d+)`, `/users/<int:id>`, `/users/{id:int}` and `/users/[id]` are one. */
export function templateWords(prefix: string, template: string): string {
  const plain = [prefix, template.replace(/^[A-Z]+ /, "")]
    .filter((part) => part !== "")
    .join("/")
    .replace(/^\^|\$$/g, "")
    .replace(/\(\?P<\w+>(?:[^()]|\([^()]*\))*\)/g, "{}")
    .replace(/(:[A-Za-z_]\w*)\{[^{}]*\}/g, "$1")
    .replace(/<[^<>]+>|\{[^{}]+\}|\[[^[\]]+\]/g, "{}")
    .replace(/:[A-Za-z_]\w*(?:\([^)]*\))?\??/g, "{}")
    .replace(/\/{2,}/g, "/");
  const rooted = plain.startsWith("/") || plain.startsWith("*") ? plain : `/${plain}`;
  return rooted.length > 1 ? rooted.replace(/\/$/, "") : rooted;
}
