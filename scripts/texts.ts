import type { Plugin } from "rolldown";

const isText = /^(?!.*\/node_modules\/).*\/src\/.*\.(?:md|mjs)$/;

/** Markdown, and scripts that another process runs, as text: `src` itself has no `.mjs`. For the bundle and for the tests. */
export function texts(): Plugin {
  return {
    name: "texts",
    transform: (text, id) =>
      isText.test(id) ? { code: `export default ${JSON.stringify(text)};`, moduleType: "js" } : undefined,
  };
}
