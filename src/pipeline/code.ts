import { grammarOf, languageOf } from "../facts/code/languages.js";
import { pathsOf } from "../facts/code/patch/read-patch.js";
import { readCode } from "../facts/code/read-code.js";
import type { Language } from "../facts/code/syntax.js";
import type { CodeReading, PatchedFile } from "../model/code.js";
import type { BaseArtifacts, RunArtifacts } from "../model/fact.js";

/** Reads what every run's patch does to the code. Grammars are loaded for the languages of the files that are touched. */
export async function readCodeOf(
  runs: readonly Pick<RunArtifacts, "id" | "patch" | "schema">[],
  base: Pick<BaseArtifacts, "files">,
  wanted?: (file: PatchedFile) => boolean,
): Promise<CodeReading[]> {
  const languages = new Set<Language>();
  for (const { patch } of runs) {
    for (const path of patch === null ? [] : pathsOf(patch)) {
      const language = languageOf(path);
      if (language && grammarOf(language)) languages.add(language);
    }
  }
  // The parser is loaded where there is something to parse.
  const { loadGrammars } = await import("../clients/grammars.js");
  const { parse, close } = await loadGrammars(languages);
  try {
    return readCode(runs, base.files ?? null, parse, wanted);
  } finally {
    close();
  }
}
