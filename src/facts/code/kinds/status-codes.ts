import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { type CodeKind, type Place, quoted } from "./kind.js";
import { lastName } from "./spelling.js";

/** Functions whose number is an HTTP status. */
const setters =
  /^(?:status|sendStatus|writeHead|WriteHeader|abort|Response|JsonResponse|HttpResponse|HTTPException|JSONResponse|jsonify|redirect|json|JSON|String|Status|StatusCode|code|http_response_code|make_response|AbortWithStatus|AbortWithStatusJSON|NextResponse|setStatus|ResponseEntity|from_u16)$/;
const fields = /^(?:status|status_?code|statusCode|code)$/i;
/** `http.StatusNotFound`, `HttpStatus.NOT_FOUND`, `StatusCode::NOT_FOUND`, `status.HTTP_404_NOT_FOUND`. */
const constants =
  /^(?:http|HttpStatus|StatusCode|status|HttpStatusCode|StatusCodes|HTTPStatus)(?:\.|::)(?:Status)?(\w+)$/;

/** The answers an HTTP service gives, by their numbers or names. */
export const statusCodes: CodeKind = {
  kind: "status",
  weight: 2.5,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["number", "member"],
  read(node, place) {
    const value = node.role === "member" ? named(node, place) : numbered(node, place);
    return value === undefined ? [] : [{ slot: value, value: "answers" }];
  },
  title: ({ slot, gone, where }) => `Does it ${gone ? "still " : ""}answer ${quoted(slot, 30)}${where}?`,
  label: (_value, { slot, gone }) => `${gone ? "no longer answers" : "answers"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "still does" : "does not"),
};

function named(node: SyntaxNode, { spelling }: Place): string | undefined {
  const [, name] = constants.exec(spelling.source(node)) ?? [];
  if (name === undefined) return undefined;
  return /\d{3}/.exec(name)?.[0] ?? name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
}

function numbered(node: SyntaxNode, { text, spelling }: Place): string | undefined {
  const value = spelling.source(node);
  if (!/^[1-5]\d\d$/.test(value)) return undefined;
  for (let inner = node; inner.parent; inner = inner.parent) {
    const outer = inner.parent;
    if (outer.role === "argument" || outer.role === "pair") {
      const key = spelling.of(partOf(outer, outer.role === "pair" ? "key" : "name")).replaceAll('"', "");
      return fields.test(key) ? value : undefined;
    }
    if (outer.role === "call") {
      const isArgument = partsOf(outer, "argument").includes(inner);
      return isArgument && setters.test(lastName(partOf(outer, "callee"), text)) ? value : undefined;
    }
    if (outer.role === "assign") return fields.test(lastName(partOf(outer, "target"), text)) ? value : undefined;
    // `return body, 404`
    if (outer.role === "return") return text.language === "python" && inner !== node ? value : undefined;
    if (outer.role === "block" || outer.role === "binary") return undefined;
  }
  return undefined;
}
