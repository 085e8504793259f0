/** Words that say nothing about what a thing is. */
const empty = new Set(["at", "by", "id", "ids", "is", "of", "the"]);

/** Names that need no care, which are nearly all. */
const usual = /^[a-z\d_]+$/;

/** A name in its words, lower case, in their order: `teamMembers` → team, members. */
export function wordsOf(name: string): string[] {
  if (usual.test(name)) return name.split("_").filter((word) => word !== "");
  const apart = name.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1_$2").toLowerCase();
  return apart.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** A name without its cases and separators: equal for `entryId`, `entry_id` and `entryid`. */
export function squashed(name: string): string {
  if (usual.test(name)) return name.replaceAll("_", "");
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** What a name is about: its words in the singular, without those that say nothing. `sensor_tags` → sensor, tag. */
export function stemsOf(name: string): Set<string> {
  const stems = wordsOf(name).map((word) => {
    if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, "y");
    if (/(?:ss|sh|[^a]ch|x|zz)es$/.test(word)) return word.replace(/es$/, "");
    return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
  });
  return new Set(stems.filter((word) => !empty.has(word)));
}

/** What a time of this name tells of its row: `createdAt`, `last_update`. Null for every other name. */
export function lifeTime(name: string): "created_at" | "updated_at" | null {
  const [, verb] =
    /^(?:last(?!create|insert))?(created?|inserted|updated?|modified|changed?)(?:at|on|date|time)?$/.exec(
      squashed(name),
    ) ?? [];
  if (verb === undefined) return null;
  return /^(?:create|insert)/.test(verb) ? "created_at" : "updated_at";
}
