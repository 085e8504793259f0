import { asked, type CodeKind, cut, quoted } from "./kind.js";
import { jsonSettings, plainSetting, type Setting, words, yamlSettings } from "./paths.js";

const json = /\.(?:jsonc?|json5)$/i;
const yaml = /\.ya?ml$/i;
const lines = /\.(?:toml|ini|cfg|env|properties|conf)$|(?:^|\/)\.env[^/]*$/i;
const instructions = /(?:^|\/)(?:Dockerfile|Containerfile)[^/]*$|\.dockerfile$/i;

/** What a file of settings sets, by the keys that lead to it. */
export const settings: CodeKind = {
  kind: "setting",
  weight: 2,
  answer: "value",
  scope: "symbol",
  loss: true,
  roles: [],
  read: () => [],
  readTokens: ({ symbol, text }) =>
    symbol.kind === "value"
      ? settingsOf(text.path, symbol.name, symbol.normalForm).map(({ path, value }) => ({ slot: cut(path, 90), value }))
      : [],
  title: ({ slot }) => asked(`What is ${quoted(slot, 50)} set to`),
  label: (value, { gone }) => (gone ? "removed" : quoted(value)),
  absent: ({ gone }) => (gone ? "kept" : "not set"),
};

function settingsOf(path: string, name: string, tokens: readonly string[]): Setting[] {
  if (json.test(path)) return jsonSettings(tokens);
  if (yaml.test(path)) return yamlSettings(tokens);
  if (lines.test(path)) return plainSetting(name, tokens);
  return instructions.test(path) ? [{ path: name, value: words(tokens) }] : [];
}
