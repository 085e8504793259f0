import { asked, type CodeKind, cut, quoted } from "./kind.js";

const configured =
  /\.(?:ya?ml|json|toml|ini|cfg|env|properties|conf)$|(?:^|\/)(?:\.env[^/]*|Dockerfile[^/]*|Makefile)$/i;

/** A key of a file of settings and what it is set to. */
export const settings: CodeKind = {
  kind: "setting",
  weight: 2,
  answer: "value",
  scope: "symbol",
  loss: true,
  roles: [],
  read: () => [],
  readTokens({ symbol, text }) {
    if (!configured.test(text.path) || symbol.kind === "code") return [];
    return [{ slot: symbol.name, value: cut(symbol.normalForm.join(" "), 90) }];
  },
  title: ({ slot }) => asked(`What is ${quoted(slot, 50)} set to`),
  label: (value, { gone }) => (gone ? "removed" : quoted(value)),
  absent: ({ gone }) => (gone ? "kept" : "not set"),
};
