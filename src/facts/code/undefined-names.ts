import { type CodeText, partOf, type SyntaxNode, walk } from "./syntax.js";

const python = words(
  "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict " +
    "dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int " +
    "isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property quit " +
    "range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip True False None " +
    "NotImplemented Ellipsis self cls _ __name__ __file__ __doc__ __all__ __class__ __path__ __package__ __spec__ " +
    "__builtins__ __import__ __debug__ __loader__ __version__ __dict__ __module__ __qualname__ WindowsError",
);
/** Exceptions are many and named alike. */
const pythonErrors =
  /^(?:\w*(?:Error|Warning|Exception|Interrupt)|SystemExit|GeneratorExit|StopIteration|StopAsyncIteration|BaseExceptionGroup|ExceptionGroup)$/;

/**
 * Names a text uses that nothing in it binds, where base's text of the same file does not know the word at all. Only for
 * languages in which a name must be bound in its own file (Python, without star imports); others answer nothing.
 */
export function undefinedNames(before: CodeText | null, after: CodeText): { name: string; line: number }[] {
  if (after.language !== "python" || !after.root || after.broken.length > 0) return [];
  const bound = new Set<string>();
  const uses = new Map<string, number>();
  for (const node of walk(after.root)) {
    if (node.type === "wildcard_import") return [];
    if (node.type !== "identifier") continue;
    const name = after.text.slice(node.start, node.end);
    if (binds(node)) bound.add(name);
    else if (!isAttribute(node) && !uses.has(name)) uses.set(name, node.line);
  }
  const known = new Set(before?.text.match(/[A-Za-z_]\w*/g));
  return [...uses]
    .filter(([name]) => !bound.has(name) && !python.has(name) && !pythonErrors.test(name) && !known.has(name))
    .map(([name, line]) => ({ name, line }));
}

const binders = new Set(["function", "class", "type", "parameter", "declare", "catch", "import"]);
const transparent = new Set(["pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "tuple", "list"]);
const bindingTypes =
  /^(?:parameters|lambda_parameters|dictionary_splat_pattern|list_splat_pattern|as_pattern_target|global_statement|nonlocal_statement|aliased_import|named_expression|type_parameter|case_pattern|keyword_pattern|splat_pattern|dotted_name|pattern_list|tuple_pattern)$/;

function binds(node: SyntaxNode): boolean {
  let inner = node;
  while (inner.parent && transparent.has(inner.parent.type)) inner = inner.parent;
  const { parent } = inner;
  if (!parent) return false;
  if (inner.part === "target" || bindingTypes.test(node.parent?.type ?? "")) return true;
  const role = parent.role ?? "";
  return (
    binders.has(role) &&
    (inner.part === "name" || role === "import" || (role === "catch" && partOf(parent, "name") === inner))
  );
}

function isAttribute(node: SyntaxNode): boolean {
  const { parent } = node;
  return (parent?.role === "member" || parent?.role === "argument") && node.part === "name";
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
