import type { RunArtifacts } from "../../src/model/fact.js";
import type { SchemaTable } from "../../src/model/schema.js";
import {
  check,
  column,
  id,
  index,
  key,
  refers,
  result,
  rowChanges,
  rowsOf,
  run,
  snapshot,
  table,
  unique,
} from "./runs.js";

/** Numbers from 0 to below 1 that a seed decides. Mulberry32, public domain (T. Ettinger, 2017). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

export const randomBase = {
  schema: snapshot([
    table("users", { columns: [id(), column("email", "text", { notNull: true })], constraints: [key("id")] }),
  ]),
  checks: [result("npm test")],
};

/** Runs that choose at random whether and how to build four tables, with every kind of fact among the choices. */
export function randomRuns(n: number, random: () => number): RunArtifacts[] {
  const pick = <T>(...options: T[]): T => options[Math.floor(random() * options.length)] as T;
  const maybe = () => random() < 0.5;
  return Array.from({ length: n }, (_, at) => {
    const extra = maybe() ? [column("team_id", "integer")] : [];
    const keys =
      extra.length > 0 && maybe() ? [refers("team_id", "teams", pick("cascade", "set null", "restrict"))] : [];
    const [users] = randomBase.schema.tables;
    const changed: SchemaTable = table("users", {
      columns: [...(users?.columns ?? []), ...extra],
      constraints: [...(users?.constraints ?? []), ...keys],
      indexes: extra.length > 0 && maybe() ? [index("team_id")] : [],
    });
    const news = ["teams", "plans", "invites"]
      .filter(() => random() < 0.8)
      .map((name) =>
        table(name, {
          salt: at + 1,
          columns: [
            id(pick("integer", "uuid")),
            column("name", pick("text", "character varying(50)"), {
              notNull: maybe(),
              default: pick(null, "'x'::text"),
            }),
            column("owner_id", "integer", { notNull: maybe() }),
          ],
          constraints: [
            key("id"),
            refers("owner_id", "users", pick("cascade", "no action")),
            ...(maybe() ? [unique("name")] : []),
            ...(maybe() ? [check(["name"], "name <> ''::text")] : []),
          ],
          rowSecurity: pick("off", "on"),
        }),
      );
    const filled = news.filter(maybe).map(({ name }) => rowsOf(name, { runRows: pick(1, 12) }));
    const end = pick<object>({}, {}, {}, { outcome: "timed_out", partial: true }, { outcome: "crashed", files: [] });
    const checks = [result("npm test", pick("pass", "pass", "fail"))];
    return run(at + 1, { schema: snapshot([changed, ...news]), rows: rowChanges(...filled), checks, ...end });
  });
}
