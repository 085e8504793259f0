import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import type { Answer, Question } from "../ask/questions.js";

type Words = Pick<Question, "slot" | "aspect" | "title" | "topic" | "subject">;

interface Composition extends Words, Partial<Pick<Question, "parents" | "links" | "ladder" | "weight" | "quiet">> {
  parts: readonly Question[];
  /** What a run chose, seen over all parts. Undefined: it cannot be asked, or it is not known. */
  answer(run: RunId): Pick<Answer, "value" | "label" | "lack" | "convention"> | undefined;
}

/** One question instead of several that are one choice. Runs that are missing in a part and have no answer are missing. */
export function composed({ parts, answer, ...words }: Composition): Question {
  const answers = new Map<RunId, Answer>();
  const missing: RunId[] = [];
  const notApplicable: RunId[] = [];
  const runs = new Set(parts.flatMap((part) => [...part.answers.keys(), ...part.missing, ...part.notApplicable]));
  const unknown = new Set(parts.flatMap((part) => part.missing));
  for (const run of [...runs].sort(compareText)) {
    const given = answer(run);
    if (given) answers.set(run, { ...given, ...groundsOf(parts, run) });
    else if (unknown.has(run)) missing.push(run);
    else notApplicable.push(run);
  }
  return {
    key: `${words.slot}\0${words.aspect}`,
    dimension: parts[0]?.dimension ?? "schema",
    object: false,
    weight: heaviest(parts),
    parents: [],
    links: [],
    closed: false,
    ...words,
    parts: [...parts],
    answers,
    missing,
    notApplicable,
  };
}

function heaviest(parts: readonly Question[]): Question["weight"] {
  return [...parts].sort((a, b) => b.weight - a.weight)[0]?.weight ?? 0.5;
}

/** Risk and evidence of what a run answered to the parts. */
function groundsOf(parts: readonly Question[], run: RunId): Pick<Answer, "risk" | "evidence"> {
  // What one run states it mostly read in one place, and all such statements share it.
  const places = new Set<Answer["evidence"][number]>();
  let risk: Answer["risk"] = null;
  for (const { answers } of parts) {
    const given = answers.get(run);
    risk ??= given?.risk ?? null;
    for (const place of given?.evidence ?? []) places.add(place);
  }
  const byText = new Map([...places].map((each) => [JSON.stringify(each), each]));
  const evidence = [...byText].sort(([a], [b]) => compareText(a, b)).map(([, each]) => each);
  return { risk, evidence };
}

/** A title with names put in for its first `…`, cut to the first ones and a number where all would be too long; 80 characters at most. */
export function withNames(title: string, names: readonly string[], noun: string): string {
  const place = title.indexOf("…");
  const [before, after] = [title.slice(0, place), title.slice(place + 1)];
  for (let shown = names.length; shown > 0; shown--) {
    const more = names.length > shown ? ` and ${names.length - shown} more` : "";
    const whole = `${before}${names.slice(0, shown).join(", ")}${more}${after}`;
    if ([...whole].length <= 80) return whole;
  }
  return `${before}${names.length} ${noun}${after}`;
}
