import fc from "fast-check";
import { expect, test } from "vitest";
import { align } from "../../src/consensus/align/align.js";
import { readShapes } from "../../src/facts/shapes.js";
import type { RunArtifacts } from "../../src/model/fact.js";
import { runId } from "../../src/model/ids.js";
import type { SchemaTable } from "../../src/model/schema.js";
import { base, built, oneThing, runsWith } from "../support/alignment.js";
import { randomOf, shuffled } from "../support/random.js";

/** A run of an app with teams, whose names and parts are drawn. */
const design = fc
  .record({
    team: fc.constantFrom("teams", "teams", "workspaces", "organizations", "crews"),
    members: fc.constantFrom("team_members", "memberships", "team_users", "people", undefined),
    member: fc.constantFrom("user_id", "member_id", "account_id"),
    role: fc.constantFrom("role", "role", "rank", ""),
    owner: fc.constantFrom("owner_id>users", "created_by>users", ""),
    slug: fc.constantFrom("slug", "handle", ""),
    invites: fc.constantFrom("team_invites", "invitations", undefined),
    audit: fc.constantFrom("audit_log", "activity_events", undefined, undefined),
  })
  .map(({ team, members, member, role, owner, slug, invites, audit }): SchemaTable[] => {
    const link = `${team.replace(/s$/, "")}_id`;
    const said = (...parts: string[]) => parts.filter((part) => part !== "").join(" ");
    return [
      built(team, said("id", "name", slug, owner, "created_at")),
      built("assets", `id user_id>users title ${link}>${team}`),
      ...(members ? [built(members, said(`${link}>${team}`, `${member}>users`, role), `${link} ${member}`)] : []),
      ...(invites ? [built(invites, `id ${link}>${team} email token invited_by>users`)] : []),
      ...(audit ? [built(audit, "id actor_id>users action payload:jsonb created_at")] : []),
    ];
  });
const designs = fc.array(design, { minLength: 2, maxLength: 8 });

const slotsOf = (runs: readonly RunArtifacts[]) => oneThing(runs);
const check = (property: fc.IProperty<[SchemaTable[][], number]>) => fc.assert(property, { numRuns: 60, seed: 7 });

test("the order of runs, tables and columns, and the ids of runs, move nothing", () => {
  check(
    fc.property(designs, fc.nat(1_000), (all, seed) => {
      const random = randomOf(seed);
      const runs = runsWith(...all);
      const ids = shuffled(runs, random).map(({ id }) => id);
      const mixed = runs.map((each, at) => ({
        ...each,
        id: ids[at] ?? each.id,
        schema: each.schema && {
          ...each.schema,
          tables: shuffled(each.schema.tables, random).map((table) => ({
            ...table,
            columns: shuffled(table.columns, random),
            constraints: shuffled(table.constraints, random),
          })),
        },
      }));
      const scored = (of: readonly RunArtifacts[]) => {
        const { renaming, groups, merges } = align(readShapes(of, base));
        return JSON.stringify([[...renaming].sort(), groups, merges.map((merge) => JSON.stringify(merge)).sort()]);
      };
      expect(scored(shuffled(mixed, random))).toBe(scored(runs));
    }),
  );
});

test("an identical extra run moves no slot of tables", () => {
  check(
    fc.property(designs, fc.nat(1_000), (all, pick) => {
      const full = [...all, ...all, ...all];
      const runs = runsWith(...full);
      const [twin] = runsWith(full[pick % full.length] ?? []);
      const more = twin ? [...runs, { ...twin, id: runId.parse("r99") }] : runs;
      const tables = (names: string[]) => names.filter((each) => !each.includes("."));
      expect(tables(slotsOf(more))).toEqual(tables(slotsOf(runs)));
    }),
  );
});

test("no two names of one run ever become one", () => {
  check(
    fc.property(designs, fc.nat(1), (all, _unused) => {
      const shapes = readShapes(runsWith(...all), base);
      const { renaming } = align(shapes);
      for (const { names } of shapes) {
        const told = [...names.keys()].map((id) => renaming.get(id) ?? id);
        expect(new Set(told).size).toBe(told.length);
      }
    }),
  );
});

test("teams and members are found in every run, whatever else it chose", () => {
  const all = ["teams", "workspaces"].flatMap((team) =>
    ["team_members", "memberships", "team_users"].map((members) => {
      const link = `${team.replace(/s$/, "")}_id`;
      return [
        built(team, "id name owner_id>users"),
        built(members, `${link}>${team} user_id>users role`, `${link} user_id`),
      ];
    }),
  );
  const tables = slotsOf(runsWith(...all)).filter((each) => !each.includes("."));
  expect(tables).toEqual(["memberships = team_members = team_users", "teams = workspaces"]);
});
