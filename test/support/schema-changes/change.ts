/** A schema before and after, in databases made apart, and every fact about the difference. */
export interface Change {
  what: string;
  before: string;
  after: string;
  facts: string[];
}

/** A table to change, with columns and statements of one's own. */
export const crew = (columns: string, rest = "") => `CREATE TABLE crew (id int PRIMARY KEY, ${columns});${rest}`;
export const berth = "CREATE TABLE berth (pier int, slot int, PRIMARY KEY (pier, slot));";
