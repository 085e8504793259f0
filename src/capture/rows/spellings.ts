import { identifier } from "../../clients/postgres.js";

/** How the server may write the name of an object: it quotes words of its own as well. */
export function spellings({ schema, name }: { schema: string; name: string }): string[] {
  return [schema, identifier(schema)].flatMap((first) =>
    [name, identifier(name)].map((second) => `${first}.${second}`),
  );
}
