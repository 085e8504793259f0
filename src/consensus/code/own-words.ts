import { stemsOf, wordsOf } from "../../model/names.js";

/** A text of a run in the words most runs use. */
export type Translate = (text: string) => string;

/**
 * Where a run calls its tables and columns otherwise (`groups` for `teams`), its code does too: `createGroup` is then
 * `createTeam`. Only words that stand for one word throughout are put in the other's place, in any case and number.
 * Undefined where no word differs.
 * @param ownWords what is said of a thing → what the run itself says
 */
export function translatorOf(ownWords: ReadonlyMap<string, string> | undefined): Translate | undefined {
  const words = wordPairs(ownWords ?? new Map());
  if (words.size === 0) return undefined;
  return (text) => text.replace(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu, (word) => translated(word, words));
}

/** Own word → said word, both in the singular, where names of as many words differ in it and never otherwise. */
function wordPairs(ownWords: ReadonlyMap<string, string>): Map<string, string> {
  const pairs = new Map<string, Set<string>>();
  const kept = new Set<string>();
  for (const [said, own] of ownWords) {
    const [theirs, ours] = [said, own].map((name) => wordsOf(name).map(singular));
    if (!theirs || !ours || theirs.length !== ours.length) continue;
    for (const [at, word] of ours.entries()) {
      const other = theirs[at] ?? word;
      if (other === word) kept.add(word);
      else pairs.set(word, (pairs.get(word) ?? new Set()).add(other));
    }
  }
  const sure = [...pairs].filter(([own, others]) => others.size === 1 && !kept.has(own));
  return new Map(sure.map(([own, [said = own]]) => [own, said]));
}

function singular(word: string): string {
  return [...stemsOf(word)][0] ?? word;
}

function translated(word: string, words: ReadonlyMap<string, string>): string {
  const lower = word.toLowerCase();
  const one = singular(lower);
  const other = words.get(one);
  if (other === undefined) return word;
  const numbered = one === lower ? other : plural(other);
  if (word === lower) return numbered;
  return word === word.toUpperCase() && word.length > 1
    ? numbered.toUpperCase()
    : `${numbered.charAt(0).toUpperCase()}${numbered.slice(1)}`;
}

function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, "ies");
  return /(?:s|sh|ch|x|z)$/.test(word) ? `${word}es` : `${word}s`;
}
