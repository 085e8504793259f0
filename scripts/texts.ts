import type { Plugin } from "vite";

/** Markdown as text, for the tests: the bundler knows it by itself. */
export function texts(): Plugin {
  return {
    name: "texts",
    enforce: "pre",
    transform: (text, id) => (id.endsWith(".md") ? `export default ${JSON.stringify(text)};` : undefined),
  };
}
