import { visible } from "../model/text.js";

const nameLength = 40;
const titleLength = 80;

/** Names that need no care, which are nearly all: ASCII without controls and back-ticks. */
const usual = /^[!-_a-~](?:[ -_a-~]{0,38}[!-_a-~])?$/;

/** A name as titles and labels show it: between back-ticks, on one line, of bounded length, without back-ticks of its own. */
export function quote(name: string): string {
  if (usual.test(name)) return `\`${name}\``;
  if (name === "") return "`''`";
  const clean = visible(name).replaceAll("`", "'");
  const characters = [...clean];
  return `\`${characters.length > nameLength ? shortened(characters) : clean}\``;
}

/** Long names often differ only in their ends: beginning and end stay. */
function shortened(characters: readonly string[]): string {
  const end = 14;
  return `${characters.slice(0, nameLength - end - 1).join("")}…${characters.slice(-end).join("")}`;
}

/** Names in a list: "`a`, `b` and 3 more". */
export function quoteList(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map(quote).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** A question cut to 80 characters; a name that is cut through keeps its back-ticks in pairs. */
export function title(text: string): string {
  if (text.length <= titleLength) return text;
  const characters = [...text];
  if (characters.length <= titleLength) return text;
  const open = (part: string[]) => part.filter((character) => character === "`").length % 2 === 1;
  const cut = characters.slice(0, titleLength - 3);
  return `${cut.join("")}${open(cut) ? "…`?" : "…?"}`;
}

/** True for names that read as English words: `team_members`. */
function isWord(name: string): boolean {
  return /^[a-z]+(?:_[a-z]+)*$/.test(name) && name.length <= nameLength;
}

/** `teams` → `team`; undefined where the last letters do not say how (`news`, `status`, `people`). */
export function singular(word: string): string | undefined {
  if (/(?:ss|us|is|ews|series|species|aches)$/.test(word)) return undefined;
  if (/(?:^|_)(?:movie|cookie|tie|pie|selfie|zombie)s$/.test(word)) return word.replace(/s$/, "");
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, "y");
  if (/(?:sses|shes|ches|xes|zzes)$/.test(word)) return word.replace(/es$/, "");
  if (/(?:statuses|viruses|campuses|bonuses)$/.test(word)) return word.replace(/es$/, "");
  return /[a-z]s$/.test(word) ? word.replace(/s$/, "") : undefined;
}

function article(word: string): string {
  if (/^(?:hour|heir|honou?r)/.test(word)) return "an";
  return /^(?:[aeio]|u(?!s|ni|ti))/.test(word) ? "an" : "a";
}

/** One row of a table in words: "a team member", or "a `Team` row" where the name is no English plural. */
export function one(table: string): string {
  const word = isWord(table) ? singular(table)?.replaceAll("_", " ") : undefined;
  return word ? `${article(word)} ${word}` : `a ${quote(table)} row`;
}

/** The rows of a table in words: "team members", or "`Team` rows". */
export function many(table: string): string {
  return isWord(table) && singular(table) ? table.replaceAll("_", " ") : `${quote(table)} rows`;
}

/** "1 row", "12 rows". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
