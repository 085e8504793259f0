import { expect, test } from "vitest";
import { areOne, built, runsWith, times } from "../support/alignment.js";

const teams = built("teams", "id name created_at");
const tables = {
  teams: built("teams", "id name slug owner_id>users created_at"),
  workspaces: built("workspaces", "id name owner_id>users created_at"),
  team_members: built("team_members", "team_id>teams user_id>users role created_at", "team_id user_id"),
  team_invites: built("team_invites", "id team_id>teams email token expires_at invited_by>users created_at"),
  team_settings: built("team_settings", "team_id>teams settings:jsonb created_at", "team_id"),
  projects: built("projects", "id team_id>teams name archived:boolean created_at"),
  audit_log: built("audit_log", "id actor_id>users action payload:jsonb created_at"),
  activity_events: built("activity_events", "id user_id>users event data:jsonb created_at"),
  asset_shares: built("asset_shares", "id asset_id>assets team_id>teams permission created_at"),
  team_assets: built("team_assets", "team_id>teams asset_id>assets created_at", "team_id asset_id"),
  team_roles: built("team_roles", "id team_id>teams user_id>users role"),
  user_preferences: built("user_preferences", "id user_id>users team_id>teams theme"),
  photos: built("photos", "id asset_id>assets url caption blurred:boolean"),
  repairs: built("repairs", "id asset_id>assets company invoice days:integer"),
  comments: built("comments", "id asset_id>assets user_id>users body created_at"),
  likes: built("likes", "asset_id>assets user_id>users created_at", "asset_id user_id"),
  followers: built("followers", "user_id>users team_id>teams created_at", "user_id team_id"),
  bare_members: built("bare_members", "team_id>teams user_id>users", "team_id user_id"),
  bare_invites: built("bare_invites", "team_id>teams user_id>users", "team_id user_id"),
  tags: built("tags", "id name colour user_id>users"),
  folders: built("folders", "id name path user_id>users"),
  sites: built("sites", "id name user_id>users"),
  readings: built("readings", "id value:numeric taken_on:date asset_id>assets"),
  measurements: built("measurements", "id value:numeric unit taken_on:date asset_id>assets"),
  payments: built("payments", "id asset_id>assets amount:numeric currency reason created_at"),
  refunds: built("refunds", "id asset_id>assets amount:numeric currency reason created_at"),
  deposits: built("deposits", "id user_id>users amount:numeric note created_at"),
  withdrawals: built("withdrawals", "id user_id>users amount:numeric note created_at"),
  friends: built("friends", "user_id>users friend_id>users", "user_id friend_id"),
  user_friends: built("user_friends", "user_id>users friend_id>users status", "user_id friend_id"),
  members: built("members", "team_id>teams user_id>users role"),
  asset_members: built("asset_members", "asset_id>assets user_id>users role"),
};
type Name = keyof typeof tables;

const two: [Name, Name][] = [
  ["team_members", "team_invites"],
  ["team_settings", "projects"],
  ["team_members", "user_preferences"],
  ["team_members", "asset_shares"],
  ["photos", "repairs"],
  ["comments", "likes"],
  ["team_members", "followers"],
  ["bare_members", "bare_invites"],
  ["tags", "folders"],
  ["tags", "sites"],
  ["audit_log", "team_settings"],
  ["team_invites", "comments"],
  ["payments", "refunds"],
  ["deposits", "withdrawals"],
  ["members", "asset_members"],
];
const one: [Name, Name][] = [
  ["audit_log", "activity_events"],
  ["asset_shares", "team_assets"],
  ["team_members", "team_roles"],
  ["readings", "measurements"],
  ["friends", "user_friends"],
];

const beside = (name: Name, more: Name[] = []) => [teams, ...[name, ...more].map((each) => tables[each])];
const splits = [
  [5, 5, 0],
  [7, 3, 0],
  [3, 3, 4],
  [1, 2, 0],
] as const;

/** So many runs with either table, and so many with neither. */
const split = (a: Name, b: Name, [first, second, neither]: readonly [number, number, number]) =>
  runsWith(...times(first, beside(a)), ...times(second, beside(b)), ...times(neither, [teams]));

test.each(two.flatMap(([a, b]) => splits.map((counts) => [a, b, counts] as const)))(
  "%s and %s are two things in %j runs",
  (a, b, counts) => {
    expect(areOne(split(a, b, counts), a, b)).toBe(false);
    expect(areOne(split(b, a, counts), a, b)).toBe(false);
  },
);

test.each(one.flatMap(([a, b]) => splits.map((counts) => [a, b, counts] as const)))(
  "%s and %s are one thing in %j runs",
  (a, b, counts) => {
    expect(areOne(split(a, b, counts), a, b)).toBe(true);
    expect(areOne(split(b, a, counts), a, b)).toBe(true);
  },
);

test.each(one)("%s and %s are two things as soon as one run has both", (a, b) => {
  const runs = runsWith(...times(5, beside(a)), ...times(4, beside(b)), beside(a, [b]));
  expect(areOne(runs, a, b)).toBe(false);
});

test("teams and workspaces are one thing, with the members and the columns that lead to them", () => {
  const way = (name: "teams" | "workspaces", members: string, link: string) => [
    tables[name],
    built(members, `${link}>${name} user_id>users role created_at`, `${link} user_id`),
    built("assets", `id user_id>users title ${link}>${name}`),
  ];
  const runs = runsWith(
    ...times(6, way("teams", "team_members", "team_id")),
    ...times(4, way("workspaces", "memberships", "workspace_id")),
  );
  expect(areOne(runs, "teams", "workspaces")).toBe(true);
  expect(areOne(runs, "team_members", "memberships")).toBe(true);
  expect(areOne(runs, "assets.team_id", "assets.workspace_id")).toBe(true);
});

test("a table whose name holds the whole name of another, of equal columns and in the same place, is that table", () => {
  const way = (name: string, more = "name") => [
    built(name, `id ${more}`),
    built("films", `id title ${name}_id>${name}`),
  ];
  const runs = runsWith(
    ...times(4, way("ratings")),
    ...times(3, way("film_ratings")),
    ...times(2, way("film_genres")),
    ...times(2, way("rating_boards", "seats:integer open:boolean")),
  );
  expect(areOne(runs, "ratings", "film_ratings")).toBe(true);
  expect(areOne(runs, "ratings", "film_genres")).toBe(false);
  expect(areOne(runs, "film_ratings", "film_genres")).toBe(false);
  expect(areOne(runs, "ratings", "rating_boards")).toBe(false);
});

test.each([
  ["messages.sender_id", "messages.recipient_id", "sender_id>users body", "recipient_id>users body"],
  ["shifts.start_at", "shifts.end_at", "start_at:timestamptz place", "end_at:timestamptz place"],
  ["shifts.minPay", "shifts.maxPay", "minPay:integer place", "maxPay:integer place"],
])("%s and %s are two ends of something, whatever else is alike", (a, b, ones, others) => {
  const name = a.split(".")[0] ?? "";
  const runs = runsWith(...times(3, [built(name, `id ${ones}`)]), ...times(3, [built(name, `id ${others}`)]));
  expect(areOne(runs, a, b)).toBe(false);
});
