import { expect, test } from "vitest";
import { built, oneThing, runsWith, times } from "../../support/alignment.js";

const follows = (one: string, other: string, more = "") =>
  built("follows", `${one}>users ${other}>users ${more}`.trim(), `${one} ${other}`);
const made = (...all: [string, string, string?][]) =>
  oneThing(runsWith(...all.map(([one, other, more]) => [follows(one, other, more)])));

test("two references to one table are matched as a set: beside a follower whatever is left is the other end", () => {
  const things = made(
    ["follower_id", "followee_id"],
    ["follower_id", "followee_id"],
    ["user_id", "follower_id"],
    ["follower_id", "following_id"],
    ["followed_id", "follower_id"],
  );
  expect(things).toEqual(["follows.followed_id = follows.followee_id = follows.following_id = follows.user_id"]);
});

test("who follows and who is followed by someone is the follower", () => {
  const things = made(
    ["follower_id", "followee_id"],
    ["follower_id", "following_id"],
    ["following", "followed_by"],
    ["followed_user_id", "following_user_id"],
  );
  expect(things).toEqual([
    "follows.followed_by = follows.follower_id = follows.following_user_id",
    "follows.followed_user_id = follows.followee_id = follows.following = follows.following_id",
  ]);
});

test("an end called after its table and one called after what they lead to are never mixed up", () => {
  const friends = (one: string, other: string) => [built("friends", `id ${one}>users ${other}>users status`)];
  const runs = runsWith(...times(4, friends("user_id", "friend_id")), ...times(3, friends("id_user", "id_friend")));
  expect(oneThing(runs)).toEqual(["friends.friend_id = friends.id_friend", "friends.id_user = friends.user_id"]);
});

test("a run that has but one of the ends says nothing of the others, and which it has is not guessed", () => {
  const friends = (columns: string, keys: string) => [built("friends", columns, keys)];
  const runs = runsWith(
    ...times(5, friends("user_id>users friend_id>users status", "user_id friend_id")),
    ...times(3, friends("id_user>users id_friend>users", "id_user id_friend")),
    friends("first_friend_id>users second_friend_id:integer", "first_friend_id"),
  );
  expect(oneThing(runs)).toEqual(["friends.friend_id = friends.id_friend", "friends.id_user = friends.user_id"]);
});

test("where no name says which end is which, none is guessed", () => {
  expect(made(["sender_id", "recipient_id"], ["alpha_id", "omega_id"])).toEqual([]);
});

test("in a table that is about more than its references, they are matched one by one", () => {
  const tasks = (one: string, other: string) => [built("tasks", `id title ${one}>users ${other}>users`)];
  const runs = runsWith(
    ...times(3, tasks("creator_id", "assignee_id")),
    ...times(3, tasks("creator_id", "reviewer_id")),
  );
  expect(oneThing(runs).filter((each) => each.includes("creator_id"))).toEqual([]);
});

test("two references with unlike names are two things where they cover too few runs", () => {
  const orders = (more: string) => [built("orders", `id total:integer ${more}`.trim())];
  const runs = runsWith(
    ...times(3, orders("approver_id>users")),
    ...times(2, orders("packer_id>users")),
    ...times(5, orders("")),
  );
  expect(oneThing(runs)).toEqual([]);
});
