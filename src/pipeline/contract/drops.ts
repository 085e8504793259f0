import { type SqlToken, sqlTokens } from "../../isolate/database/sql-text.js";

export interface SqlDrop {
  kind: "table" | "column" | "schema" | "type" | "database" | "everything";
  /** Lower case where it is not quoted, without the schema `public`. */
  name: string;
  /** Offsets of the words that drop it. */
  start: number;
  end: number;
}

const kinds: ReadonlyMap<string, SqlDrop["kind"]> = new Map([
  ["table", "table"],
  ["schema", "schema"],
  ["type", "type"],
  ["domain", "type"],
  ["database", "database"],
  ["owned", "everything"],
]);

/** What `ALTER TABLE … DROP` may be followed by that is no column. */
const notColumns = new Set(["constraint", "default", "not", "expression", "identity"]);

/**
 * What a SQL text drops: `DROP TABLE a, b`, `ALTER TABLE a DROP COLUMN b, DROP c`, also in a `DO` block; not in strings,
 * comments and the bodies of routines, and not what the same text created before. Time is linear in the text.
 */
export function dropsIn(sql: string): SqlDrop[] {
  return new DropReader(sql).drops;
}

/** Where an `UP` migration ends and the way back begins, in the words of dbmate, goose, sql-migrate and MyBatis. */
const downMark = /^[ \t]*--[ \t]*(?:migrate:down\b|\+goose[ \t]+down\b|\+migrate[ \t]+down\b|\/\/[ \t]*@undo\b)/im;

/** The text without its way back, which drops what the way forth created. */
export function forwardPart(sql: string): string {
  const mark = downMark.exec(sql);
  return mark ? sql.slice(0, mark.index) : sql;
}

/** Files that are a way back as a whole: `1_teams.down.sql`, `down/1.sql`, `revert/1.sql`, `U1__teams.sql`. */
export function isWayBack(path: string): boolean {
  return /(?:^|\/)(?:down|revert|rollback|undo)(?:\/|\.sql$)|[._-](?:down|rollback|undo|revert)\.sql$|(?:^|\/)U\d[^/]*__[^/]*\.sql$/i.test(
    path,
  );
}

class DropReader {
  readonly drops: SqlDrop[] = [];
  readonly #tokens: SqlToken[];
  readonly #created = new Set<string>();
  #at = 0;

  constructor(sql: string, offset = 0) {
    this.#tokens = [...sqlTokens(sql)].map((each) => ({
      ...each,
      start: each.start + offset,
      end: each.end + offset,
    }));
    let altered: { kind: string; name: string; start: number } | undefined;
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at];
      const word = this.#word();
      this.#at += 1;
      if (token === undefined) break;
      if (word === ";") altered = undefined;
      else if (word === "create") this.#create();
      else if (word === "alter") altered = this.#alter(token.start) ?? altered;
      else if (word === "drop") this.#drop(token.start, altered);
      else if (word === "do") this.#block(sql, offset);
    }
  }

  #word(ahead = 0): string {
    const token = this.#tokens[this.#at + ahead];
    return token === undefined || token.kind === "quoted" ? "" : token.text.toLowerCase();
  }

  /** Steps over these words, where they are next. */
  #skip(...words: string[]): void {
    while (words.includes(this.#word())) this.#at += 1;
  }

  #name(): string {
    const parts: string[] = [];
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined || token.kind === "other") break;
      parts.push(token.text.startsWith('"') ? token.text.slice(1, -1).replaceAll('""', '"') : token.text.toLowerCase());
      this.#at += 1;
      if (this.#word() !== ".") break;
      this.#at += 1;
    }
    return (parts[0] === "public" && parts.length > 1 ? parts.slice(1) : parts).join(".");
  }

  #create(): void {
    this.#skip("temp", "temporary", "unlogged", "global", "local");
    const kind = kinds.get(this.#word());
    if (kind === undefined) return;
    this.#at += 1;
    this.#skip("if", "not", "exists");
    this.#created.add(`${kind} ${this.#name()}`);
  }

  #alter(start: number) {
    this.#skip("foreign");
    const kind = this.#word();
    if (kind !== "table" && kind !== "type") return undefined;
    this.#at += 1;
    this.#skip("if", "exists", "only");
    return { kind, name: this.#name(), start };
  }

  #drop(start: number, altered: { kind: string; name: string; start: number } | undefined): void {
    if (altered !== undefined) {
      if (notColumns.has(this.#word())) return;
      this.#skip("column", "attribute", "if", "exists");
      if (!this.#created.has(`${altered.kind} ${altered.name}`)) {
        this.#add("column", `${altered.name}.${this.#name()}`, altered.start);
      }
      return;
    }
    this.#skip("foreign");
    const kind = kinds.get(this.#word());
    if (kind === undefined) return;
    this.#at += 1;
    if (kind === "everything") this.#skip("by");
    else this.#skip("if", "exists");
    do {
      this.#skip(",");
      const name = this.#name();
      if (name === "") return;
      if (!this.#created.delete(`${kind} ${name}`)) this.#add(kind, name, start);
    } while (this.#word() === ",");
  }

  #add(kind: SqlDrop["kind"], name: string, start: number): void {
    this.drops.push({ kind, name, start, end: this.#tokens[this.#at - 1]?.end ?? start });
  }

  /** `DO [LANGUAGE x] $$ … $$`: what is in it happens. */
  #block(sql: string, offset: number): void {
    if (this.#word() === "language") this.#at += 2;
    const token = this.#tokens[this.#at];
    const tag = token && /^\$\w*\$/.exec(token.text)?.[0];
    if (token === undefined || !tag) return;
    this.#at += 1;
    const [from, to] = [token.start - offset + tag.length, token.end - offset - tag.length];
    for (const drop of new DropReader(sql.slice(from, to), offset + from).drops) this.drops.push(drop);
  }
}
