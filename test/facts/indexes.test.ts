import { expect, test } from "vitest";
import type { SchemaIndex } from "../../src/model/schema.js";
import { factsOf } from "../support/facts.js";
import { column, id, index, key, snapshot, table } from "../support/runs.js";

const columns = [
  id(),
  column("Title", "text"),
  column("made", "date"),
  column("tags", "text[]"),
  column("words", "tsvector"),
  column("place", "point"),
];

function indexFacts(...indexes: SchemaIndex[]) {
  const notes = table("notes", { columns, constraints: [key("id")], indexes });
  return factsOf({ schema: snapshot([notes]) }).filter(({ slot }) => slot.startsWith("index "));
}

const by = (method: string, ...keys: string[]): SchemaIndex => ({ ...index(...keys), method });

test.each<[SchemaIndex, string, string | null]>([
  [by("btree", "made"), "`made` of `notes`", null],
  [by("btree", '"Title"'), "`Title` of `notes`", null],
  [by("hash", "made"), "`made` by hash of `notes`", null],
  [by("gin", '"Title" public.gin_trgm_ops'), "`Title` of `notes` for trigrams (gin)", "trigrams"],
  [
    by("gist", '"Title" public.gist_trgm_ops (siglen=64)'),
    "`Title` of `notes` for trigrams (gist, siglen=64)",
    "trigrams",
  ],
  [by("gin", `to_tsvector('simple'::regconfig, "Title")`), "`Title` of `notes` for full text (gin)", "full text"],
  [by("gin", "words"), "`words` of `notes` for full text (gin)", "full text"],
  [by("gin", "tags"), "`tags` of `notes` for what lists hold (gin)", "what lists hold"],
  [by("gist", "place"), "`place` of `notes` for places (gist)", "places"],
  [by("btree", '"Title" text_pattern_ops'), "`Title` of `notes` for prefixes (btree)", "prefixes"],
  [by("gin", '"Title"', "made"), "`Title`, `made` of `notes` for single values (gin)", "single values"],
  [by("bloom", "made"), "`made` of `notes` for values (bloom)", "values"],
  [by("btree", 'lower("Title")'), '`lower("Title")` of `notes`', null],
])("an index says what it is for: %j", (made, subject, finds) => {
  expect(indexFacts(made)).toMatchObject([{ subject, indexing: { finds, said: "`notes`", method: made.method } }]);
});

test("the direction of one key makes no difference, that of two does", () => {
  const slots = (...keys: string[]) => indexFacts(index(...keys)).map(({ slot }) => slot);
  expect(slots("made DESC")).toEqual(slots("made"));
  expect(slots("made DESC", "id")).not.toEqual(slots("made", "id"));
});

test("an index hangs below the columns it is on, those of its expression too", () => {
  const [fact] = indexFacts(by("gin", `to_tsvector('english'::regconfig, ("Title" || ' made'))`));
  expect(fact?.parents).toEqual(['column public.notes."Title"']);
});

test("what an index needs of an extension ties the two", () => {
  expect(indexFacts(by("gin", '"Title" gin_trgm_ops'))[0]?.links).toContain("extension pg_trgm");
  expect(indexFacts(by("gin", "tags"))[0]?.links).toEqual(["theme index"]);
});
