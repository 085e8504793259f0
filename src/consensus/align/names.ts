import { lifeTime, squashed, wordsOf } from "../../model/names.js";
import { areKinNames, areOtherQuantities, kin } from "./kinship.js";

/**
 * Words that name one thing in most databases, whatever the domain. Kept short on purpose: a word that means something else
 * elsewhere (`group`, `level`, `state`, `label`) is not in it, since structure can say as much without a dictionary.
 */
const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    owner: "creator author",
    user: "account person people",
    customer: "client",
    member: "participant",
    team: "workspace squad",
    organization: "org organisation",
    invite: "invitation invited inviter",
    created: "joined",
    updated: "modified",
    deleted: "removed",
    expire: "expiry expiration expired",
    start: "begin started",
    end: "ended",
    type: "kind category",
    content: "body",
    description: "summary",
    image: "photo picture",
    phone: "telephone mobile",
    email: "mail",
    price: "cost",
    url: "uri link",
    note: "remark",
    log: "history",
  }).flatMap(([word, others]) => others.split(" ").map((other): [string, string] => [other, word])),
);

/** Words that say nothing about what a name stands for. */
const fillers = new Set(["a", "at", "by", "id", "ids", "is", "of", "the", "tbl"]);

/** True for columns nearly every table has. What is called by a bare verb (`changed`) may be anything. */
export function isGeneric(name: string): boolean {
  const bare = squashed(name);
  return bare === "id" || (lifeTime(name) !== null && !/^(?:create|insert|update|change|modifie)d?$/.test(bare));
}

/** True for the time at which a row was taken out without being deleted: it says as little about what a table is for. */
export function isEnd(name: string): boolean {
  return /^(?:is)?(?:deleted|removed|archived)(?:at|on|date|time)?$/.test(squashed(name));
}

/** Words of a name in their order: singular, without those that say nothing. */
function plainWords(name: string): string[] {
  return wordsOf(name)
    .filter((word) => !fillers.has(word))
    .map(singular);
}

/** The same without words that are already `said`, as tokens. */
export function ownWords(name: string, said: ReadonlySet<string>): string[] {
  return plainWords(name).filter((word) => !said.has(tokenOf(word)));
}

/** Words of a name: cases split, singular, synonyms as one, sorted. */
export function tokensOf(name: string): string[] {
  const words = wordsOf(name)
    .join("_")
    .replace(/created?_by/, "owner");
  const tokens = words.split("_").map(tokenOf);
  return [...new Set(tokens.filter((token) => token !== "" && !fillers.has(token)))].sort();
}

function tokenOf(word: string): string {
  const one = singular(word).replace(/(..)ship$/, "$1");
  return synonyms.get(one) ?? one;
}

export function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, "y");
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** True where the shorter word begins the longer one (`desc`) or is its consonants (`qty`), also in the plural (`nts`). */
function abbreviates(short: string, long: string): boolean {
  if (short.length < 3 || short[0] !== long[0]) return false;
  if (short.length <= 6 && long.length - short.length > 1 && long.startsWith(short)) return true;
  const plural = `${long}s`;
  if (short.length > 4 || plural.length - short.length < 2 || /[aeiou]/.test(short.slice(1))) return false;
  let found = 0;
  for (const letter of plural) if (letter === short[found]) found++;
  return found === short.length;
}

/** Both lists with abbreviations written out, where exactly one word of the other list is meant. */
export function written(ones: readonly string[], others: readonly string[]): [string[], string[]] {
  const full = new Map<string, string>();
  const learn = (from: readonly string[], to: readonly string[]) => {
    for (const short of from) {
      if (to.includes(short)) continue;
      const meant = to.filter((long) => !from.includes(long) && abbreviates(short, long));
      if (meant.length === 1 && meant[0] !== undefined) full.set(short, meant[0]);
    }
  };
  learn(ones, others);
  learn(others, ones);
  const spell = (tokens: readonly string[]) => [...new Set(tokens.map((token) => full.get(token) ?? token))];
  return [spell(ones), spell(others)];
}

/** Jaccard: what two sets have in common, over all they have; each item counts as much as `weightOf` says. */
export function jaccard(
  ones: Iterable<string>,
  others: Iterable<string>,
  weightOf: (item: string) => number = () => 1,
): number {
  const [a, b] = [ones, others].map((items) => (items instanceof Set ? items : new Set(items)));
  if (a === undefined || b === undefined) return 0;
  let common = 0;
  let all = 0;
  for (const item of a) {
    const weight = weightOf(item);
    all += weight;
    if (b.has(item)) common += weight;
  }
  for (const item of b) if (!a.has(item)) all += weightOf(item);
  return all === 0 ? 0 : common / all;
}

/** True for names that only count: `line_1` and `line_2`, `extra_a` and `extra_b`. Those are meant to be told apart. */
export function onlyCount(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => /^(.+?)_?(\d+|(?<=_)[a-z])$/i.exec(name));
  return !!a && !!b && a[1] === b[1] && a[2] !== b[2];
}

function trigrams(text: string): Set<string> {
  const padded = `  ${text.toLowerCase()} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)));
}

interface Name {
  name: string;
  lifeTime: string | null;
  squashed: string;
  words: string[];
  tokens: string[];
  trigrams: Set<string>;
}

function nameOf(name: string): Name {
  return {
    name,
    lifeTime: isGeneric(name) ? lifeTime(name) : null,
    squashed: squashed(name),
    words: plainWords(name),
    tokens: tokensOf(name),
    trigrams: trigrams(name),
  };
}

/** What names of two quantities reach, for all their words in common. */
const otherQuantity = 0.25;

function likenessOf(one: Name, other: Name): number {
  if (onlyCount(one.name, other.name)) return 0;
  if (one.squashed === other.squashed && one.squashed !== "") return 1;
  if (one.lifeTime !== null && one.lifeTime === other.lifeTime) return 1;
  const [a, b] = written(one.tokens, other.tokens);
  const alike = Math.max(jaccard(a, b), 0.8 * jaccard(one.trigrams, other.trigrams));
  if (areOtherQuantities(one.words, other.words)) return Math.min(alike, otherQuantity);
  return areKinNames(one.words, other.words) ? Math.max(alike, kin) : alike;
}

/** Measures names, each two of them once: many tables share their columns' names, and all are compared with all. */
export class NameLikeness {
  readonly #numbers = new Map<string, number>();
  readonly #names: Name[] = [];
  /** Below zero where two were not measured yet. */
  readonly #known: Float64Array[] = [];

  /** A name's number, by which it is compared fast. */
  number(name: string): number {
    const before = this.#numbers.get(name);
    if (before !== undefined) return before;
    this.#numbers.set(name, this.#names.length);
    this.#known.push(new Float64Array());
    return this.#names.push(nameOf(name)) - 1;
  }

  /** 0 to 1: 1 for names equal but for case and separators, else words in common, or four fifths of the trigrams. */
  between(one: number, other: number): number {
    if (one === other) return 1;
    const [low, high] = one < other ? [one, other] : [other, one];
    const row = this.#row(low, high);
    const before = row[high];
    if (before !== undefined && before >= 0) return before;
    const [first, second] = [this.#names[low], this.#names[high]];
    if (first === undefined || second === undefined) return 0;
    const likeness = likenessOf(first, second);
    row[high] = likeness;
    return likeness;
  }

  #row(low: number, high: number): Float64Array {
    const before = this.#known[low] ?? new Float64Array();
    if (high < before.length) return before;
    const row = new Float64Array(Math.max(high + 1, 2 * before.length)).fill(-1);
    row.set(before);
    this.#known[low] = row;
    return row;
  }

  of(one: string, other: string): number {
    return this.between(this.number(one), this.number(other));
  }
}
