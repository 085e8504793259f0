import type { Fact } from "../../model/fact.js";
import type { RunId } from "../../model/ids.js";

type Needed = Pick<Fact, "slot" | "aspect" | "value" | "label" | "title" | "topic" | "subject" | "weight">;
type Optional = Partial<
  Pick<Fact, "riskOnly" | "lack" | "quiet" | "links" | "risk" | "object" | "parents" | "absentLabel">
> & {
  evidence?: Fact["evidence"];
};

const longestTitle = 80;

/** Collects what is said of the code of each run. */
export class CodeFactsOf {
  readonly byRun = new Map<RunId, Fact[]>();

  of(run: RunId, { evidence, ...said }: Needed & Optional): void {
    const patch = { file: `runs/${run}/patch.diff`, line: null };
    const fact: Fact = {
      run,
      dimension: "code",
      parents: [],
      lack: false,
      object: false,
      risk: null,
      links: [],
      ...said,
      title: short(said.title),
      evidence: [patch, ...(evidence ?? [])],
    };
    const known = this.byRun.get(run);
    if (known) known.push(fact);
    else this.byRun.set(run, [fact]);
  }
}

/** Titles have at most 80 characters. */
function short(title: string): string {
  const characters = [...title];
  if (characters.length <= longestTitle) return title;
  const kept = characters.slice(0, longestTitle - 2).join("");
  // A name cut in two must still end.
  const open = (kept.match(/`/g)?.length ?? 0) % 2 === 1;
  return open ? `${kept}\`…` : `${kept}…`;
}
