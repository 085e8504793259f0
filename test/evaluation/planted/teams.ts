import { chances, type Domain, incidental, pick, planted, plantedHabit, yesNo } from "./domain.js";
import type { ColumnSpec, TableSpec } from "./spec.js";

interface Teams {
  member: "table" | "users" | "profiles";
  memberName: string;
  memberKey: "pair" | "own";
  memberUser: string;
  teamName: string;
  owner: string | undefined;
  keyType: "uuid" | "bigint";
  role: "enum" | "check" | "text";
  rowSecurity: boolean;
  assetStays: boolean;
  slug: boolean;
  invites: string | undefined;
  inviter: string;
  audit: boolean;
  since: string;
}

const uuid = (name: string, more: Partial<ColumnSpec> = {}): ColumnSpec => ({
  concept: name,
  name,
  type: "uuid",
  ...more,
});
const text = (name: string, more: Partial<ColumnSpec> = {}): ColumnSpec => ({
  concept: name,
  name,
  type: "text",
  ...more,
});
const time = (concept: string, name: string): ColumnSpec => ({
  concept,
  name,
  type: "timestamp with time zone",
  default: "now()",
});

const users: TableSpec = {
  concept: "users",
  name: "users",
  isNew: false,
  columns: [uuid("id"), text("email")],
  key: ["id"],
};
const profiles: TableSpec = {
  concept: "profiles",
  name: "profiles",
  isNew: false,
  columns: [uuid("id"), uuid("user_id", { to: "users" }), text("display_name", { notNull: false })],
  key: ["id"],
};
const assets: TableSpec = {
  concept: "assets",
  name: "assets",
  isNew: false,
  columns: [uuid("id"), uuid("user_id", { to: "users" }), text("title")],
  key: ["id"],
};

const roles = ["owner", "admin", "member"];

/** Teams for an app whose users had their assets alone: snake case, whole words. */
export const teams: Domain<Teams> = {
  name: "teams",
  base: { tables: [users, profiles, assets] },
  draw(random, n) {
    const joins = 0.4 + 0.6 * random();
    const [owner, keyType, security, stays, slug, invites, pair] = Array.from({ length: 7 }, () => chances(random));
    return Array.from({ length: n }, () => ({
      member: pick(random, ["table", "users", "profiles"] as const, [joins, (1 - joins) * 0.7]),
      memberName: pick(random, ["team_members", "memberships", "team_users", "team_memberships"], [0.5, 0.25, 0.15]),
      memberKey: pick(random, ["pair", "own"] as const, pair ?? []),
      memberUser: pick(random, ["user_id", "member_id", "account_id"], [0.8, 0.1]),
      teamName: pick(random, ["teams", "workspaces", "organizations"], [0.8, 0.1]),
      owner: pick(
        random,
        [pick(random, ["owner_id", "created_by", "owner_user_id"], [0.6, 0.3]), undefined] as const,
        owner ?? [],
      ),
      keyType: pick(random, ["uuid", "bigint"] as const, keyType ?? []),
      role: pick(random, ["enum", "check", "text"] as const, [0.5, 0.3]),
      rowSecurity: pick(random, [true, false], security ?? []),
      assetStays: pick(random, [true, false], stays ?? []),
      slug: pick(random, [true, false], slug ?? []),
      invites: pick(random, [pick(random, ["team_invites", "invitations"], [0.6]), undefined] as const, invites ?? []),
      inviter: pick(random, ["invited_by", "inviter_id"], [0.6]),
      audit: random() < 0.05,
      since: pick(random, ["created_at", "joined_at"], [0.7]),
    }));
  },
  build(drawn) {
    const made = [teamTable(drawn)];
    if (drawn.member === "table") made.push(memberTable(drawn));
    if (drawn.invites) made.push(inviteTable(drawn, drawn.invites));
    if (drawn.audit) made.push(auditTable);
    const enums = drawn.role === "enum" && drawn.member !== "profiles" ? [{ name: "team_role", labels: roles }] : [];
    return { tables: [...baseTables(drawn), ...made], enums };
  },
  choices: {
    member: planted(({ member }) => member, "member", "users.team", "profiles.team"),
    memberKey: planted(({ member, memberKey }) => (member === "table" ? memberKey : undefined), "member", "member.id"),
    owner: planted(({ owner }) => yesNo(owner !== undefined), "owner"),
    keyType: plantedHabit(/\b(?:id|key)s?\b/, ({ keyType }) => keyType, "team", "member", "invites", "audit"),
    rowSecurity: plantedHabit(
      /row-level security/,
      ({ rowSecurity }) => yesNo(rowSecurity),
      "team",
      "member",
      "invites",
      "assets",
      "audit",
    ),
    asset: planted(({ assetStays }) => yesNo(assetStays), "assets", "assets.team"),
    slug: planted(({ slug }) => yesNo(slug), "slug"),
    invites: planted(({ invites }) => yesNo(invites !== undefined), "invites"),
    role: planted(({ member, role }) => (member === "profiles" ? undefined : role), "role"),
    audit: incidental(({ audit }) => yesNo(audit), "audit"),
    teamName: incidental(({ teamName }) => teamName, "team"),
    memberName: incidental(({ member, memberName }) => (member === "table" ? memberName : undefined), "member"),
    memberUser: incidental(({ member, memberUser }) => (member === "table" ? memberUser : undefined), "member.user"),
    ownerName: incidental(({ owner }) => owner, "owner"),
    invitesName: incidental(({ invites }) => invites, "invites"),
    inviter: incidental(({ invites, inviter }) => (invites ? inviter : undefined), "inviter"),
    since: incidental(({ member, since }) => (member === "table" ? since : undefined), "since"),
  },
};

const linkName = (table: string) => `${table.replace(/s$/, "")}_id`;

function teamLink({ teamName, keyType }: Teams, more: Partial<ColumnSpec>): ColumnSpec {
  return { concept: "team_link", name: linkName(teamName), type: keyType, to: "team", ...more };
}

function roleColumn({ role }: Teams, more: Partial<ColumnSpec>): ColumnSpec {
  const type = role === "enum" ? "team_role" : "text";
  return { concept: "role", name: "role", type, ...(role === "check" ? { list: roles } : {}), ...more };
}

function teamTable({ teamName, keyType, slug, owner, rowSecurity }: Teams): TableSpec {
  const columns = [uuid("id", { type: keyType }), text("name"), time("created", "created_at")];
  if (slug) columns.push(text("slug"));
  if (owner) columns.push({ concept: "owner", name: owner, type: "uuid", to: "users" });
  return { concept: "team", name: teamName, isNew: true, columns, key: ["id"], rowSecurity };
}

function memberTable(drawn: Teams): TableSpec {
  const pair = drawn.memberKey === "pair";
  const columns: ColumnSpec[] = [
    ...(pair ? [] : [{ concept: "member.id", name: "id", type: drawn.keyType }]),
    teamLink(drawn, { onDelete: "cascade" }),
    { concept: "member.user", name: drawn.memberUser, type: "uuid", to: "users", onDelete: "cascade" },
    roleColumn(drawn, { default: drawn.role === "enum" ? "'member'::team_role" : "'member'::text" }),
    time("since", drawn.since),
  ];
  const key = pair ? [linkName(drawn.teamName), drawn.memberUser] : ["id"];
  return { concept: "member", name: drawn.memberName, isNew: true, columns, key, rowSecurity: drawn.rowSecurity };
}

function inviteTable(drawn: Teams, name: string): TableSpec {
  const columns: ColumnSpec[] = [
    { concept: "id", name: "id", type: drawn.keyType },
    teamLink(drawn, { onDelete: "cascade" }),
    text("email"),
    { concept: "inviter", name: drawn.inviter, type: "uuid", to: "users" },
    text("token"),
    { concept: "expires", name: "expires_at", type: "timestamp with time zone", notNull: false },
  ];
  return { concept: "invites", name, isNew: true, columns, key: ["id"], rowSecurity: drawn.rowSecurity };
}

const auditTable: TableSpec = {
  concept: "audit",
  name: "audit_log",
  isNew: true,
  columns: [
    { concept: "id", name: "id", type: "bigint" },
    uuid("actor_id", { to: "users", notNull: false }),
    text("action"),
    { concept: "payload", name: "payload", type: "jsonb", notNull: false },
  ],
  key: ["id"],
};

function baseTables(drawn: Teams): TableSpec[] {
  const loose = { notNull: false, onDelete: "set null" as const };
  const onUsers = [
    { ...teamLink(drawn, loose), concept: "users.team" },
    { ...roleColumn(drawn, { notNull: false }), name: "team_role" },
  ];
  const onProfiles = [{ ...teamLink(drawn, loose), concept: "profiles.team" }];
  const asset = drawn.assetStays
    ? teamLink(drawn, { onDelete: "cascade" })
    : teamLink(drawn, { notNull: false, onDelete: "set null" });
  return [
    { ...users, columns: [...users.columns, ...(drawn.member === "users" ? onUsers : [])] },
    { ...profiles, columns: [...profiles.columns, ...(drawn.member === "profiles" ? onProfiles : [])] },
    {
      ...assets,
      columns: [...assets.columns, { ...asset, concept: "assets.team" }],
      rowSecurity: drawn.rowSecurity,
    },
  ];
}
