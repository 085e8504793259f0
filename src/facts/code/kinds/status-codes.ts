import { STATUS_CODES } from "node:http";
import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, type Place, quoted } from "./kind.js";
import { lastName } from "./reading.js";

/** Functions whose number is an HTTP status. */
const setters =
  /^(?:status|sendStatus|writeHead|WriteHeader|abort|Response|JsonResponse|HttpResponse|HTTPException|JSONResponse|jsonify|redirect|json|JSON|String|Status|StatusCode|code|http_response_code|make_response|AbortWithStatus|AbortWithStatusJSON|NextResponse|setStatus|ResponseEntity|from_u16)$/;
const fields = /^(?:status|status_?code|statusCode|code)$/i;
/** `http.StatusNotFound`, `HttpStatus.NOT_FOUND`, `StatusCode::NOT_FOUND`, `status.HTTP_404_NOT_FOUND`. */
const constants =
  /^(?:http\.Status|(?:\w+(?:\.|::))*(?:HttpStatus|StatusCode|HttpStatusCode|StatusCodes|HTTPStatus)(?:\.|::)(?:Status)?|status\.HTTP_)(\w+)$/;
/** Functions that answer one status by their name: Spring's and ASP.NET's. */
const answers: Record<string, string> = {
  "ResponseEntity.ok": "200",
  "ResponseEntity.created": "201",
  "ResponseEntity.accepted": "202",
  "ResponseEntity.noContent": "204",
  "ResponseEntity.badRequest": "400",
  "ResponseEntity.notFound": "404",
  "ResponseEntity.unprocessableEntity": "422",
  "ResponseEntity.internalServerError": "500",
  Ok: "200",
  CreatedAtAction: "201",
  NoContent: "204",
  BadRequest: "400",
  Unauthorized: "401",
  Forbid: "403",
  NotFound: "404",
  Conflict: "409",
  UnprocessableEntity: "422",
};
const codes = new Map(
  Object.entries(STATUS_CODES).map(([code, name = ""]) => [name.toUpperCase().replace(/\W+/g, ""), code]),
);

/** The answers an HTTP service gives, by their numbers or names. */
export const statusCodes: CodeKind = {
  kind: "status",
  weight: 2.5,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["number", "member", "call"],
  read(node, place) {
    const value = readers[node.role ?? ""]?.(node, place);
    return value === undefined ? [] : [{ slot: value, value: "answers" }];
  },
  title: ({ slot, gone, where }) => asked(`Does it ${gone ? "still " : ""}answer ${quoted(slot, 30)}`, where),
  label: (_value, { slot, gone }) => `${gone ? "no longer answers" : "answers"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "still does" : "does not"),
};

const readers: Record<string, (node: SyntaxNode, place: Place) => string | undefined> = {
  member: named,
  number: numbered,
  call: answered,
};

function named(node: SyntaxNode, { spelling }: Place): string | undefined {
  const [, name] = constants.exec(spelling.source(node)) ?? [];
  return name !== undefined && /^[A-Z\d]/.test(name) ? statusOf(name) : undefined;
}

/** A status by its name, as a number where the name is known. */
function statusOf(name: string): string {
  const plain = name.toUpperCase().replace(/_/g, "");
  return /\d{3}/.exec(name)?.[0] ?? codes.get(plain) ?? (plain === "INTERNALERROR" ? "500" : name);
}

/** `ResponseEntity.notFound()`, ASP.NET's `NotFound()`, Rails' `status: :not_found` and `head :no_content`. */
function answered(node: SyntaxNode, { text, spelling }: Place): string | undefined {
  const callee = spelling.source(partOf(node, "callee")).replace(/^this\./, "");
  if (text.language === "java" || text.language === "c-sharp") {
    if (callee.startsWith("ResponseEntity") !== (text.language === "java")) return undefined;
    return Object.hasOwn(answers, callee) ? answers[callee] : undefined;
  }
  if (text.language !== "ruby" || !/^(?:head|render|redirect_to|status)$/.test(callee)) return undefined;
  const [, name] = /(?:status:\s*|^\(?):(\w+)/.exec(spelling.source(node).slice(callee.length).trim()) ?? [];
  return name === undefined ? undefined : statusOf(name);
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
