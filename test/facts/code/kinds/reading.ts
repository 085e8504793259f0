import { loadGrammars } from "../../../../src/clients/grammars.js";
import { differences } from "../../../../src/facts/code/differences.js";
import { readText } from "../../../../src/facts/code/read-text.js";
import type { Language } from "../../../../src/facts/code/syntax.js";
import type { SymbolChange } from "../../../../src/model/code.js";

/** Reads changes of real code. Facts are `kind slot = value`, a minus before those that base had and the run has not. */
export async function reader(languages: readonly Language[]) {
  const { parse } = await loadGrammars(languages);
  const read = (path: string, text: string) => readText(path, text, parse);
  const changes = (path: string, before: string | null, after: string | null): SymbolChange[] =>
    differences(before === null ? null : read(path, before), after === null ? null : read(path, after));
  const facts = (path: string, before: string | null, after: string | null): string[] =>
    changes(path, before, after).flatMap((change) =>
      change.facts.map(({ kind, slot, value, gone }) => `${gone ? "-" : ""}${kind} ${slot} = ${value}`),
    );
  /** Of one kind only. */
  const of = (kind: string, path: string, before: string | null, after: string | null): string[] =>
    facts(path, before, after).filter((each) => each.replace(/^-/, "").startsWith(`${kind} `));
  return { read, changes, facts, of };
}
