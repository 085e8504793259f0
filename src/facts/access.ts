import type { Convention } from "../model/fact.js";
import type { SchemaPolicy } from "../model/schema.js";
import { type MatchedTable, ofBase, schemaSlot } from "./matching.js";
import { schemaExtractor } from "./schema.js";
import { unwrapped } from "./spelling.js";
import type { Statements } from "./statement.js";
import { quote, quoteList } from "./words.js";

/** Row-level security and whom its policies let do what. Privileges have facts of their own. */
export const access = schemaExtractor((statements, matched) => {
  // Whoever names a partition itself meets its own rules, not those of the whole.
  const parts = matched.partitions.filter(({ table }) => table.rowSecurity !== "off");
  for (const table of [...matched.tables, ...parts]) {
    rowSecurity(statements, table);
    policies(statements, table);
  }
});

const words = { off: "no", on: "yes", forced: "yes, for the owner too" };

function rowSecurity(statements: Statements, matched: MatchedTable): void {
  const { table, base, slot, name } = matched;
  const state = table.rowSecurity;
  if (base !== null && base.rowSecurity === state) return;
  const weaker = base !== null && state === "off";
  statements.add({
    slot: slot.replace(/^table /, "row security "),
    parents: parentsOf(matched),
    aspect: "row security",
    value: state,
    label: words[state],
    ...(base === null ? {} : { absentLabel: `${words[base.rowSecurity]}, as before` }),
    title: `Is row-level security on for ${quote(name)}?`,
    topic: `row-level security on ${quote(name)}`,
    subject: quote(name),
    weight: 3,
    lack: base === null && state === "off",
    links: ["theme row security"],
    ...(base === null ? { convention: habit(state) } : {}),
    risk: weaker ? { kind: "damage", text: `switches row-level security off for ${quote(name)}` } : null,
  });
}

function habit(state: keyof typeof words): Convention {
  const title = "Is row-level security on for new tables?";
  return { of: "row security", title, topic: "row-level security on new tables", value: state, label: words[state] };
}

/** A partition is no thing of its own: its whole must be there, or the schema changed. */
function parentsOf(matched: MatchedTable): string[] {
  if (matched.base !== null) return ofBase(matched);
  return matched.table.partitionOf === null ? [matched.slot] : [schemaSlot];
}

/** Policies by what they allow, never by name; without row-level security they do nothing and are left out. */
function policies(statements: Statements, matched: MatchedTable): void {
  const { table, base, slot, name } = matched;
  if (table.rowSecurity === "off") return;
  const now = meaningOf(table.policies);
  if (base !== null && meaningOf(base.policies) === now) return;
  const labels = [...new Set(table.policies.map(labelOf))].sort();
  const label =
    labels.length > 3 ? `${labels.slice(0, 3).join("; ")} and ${labels.length - 3} more` : labels.join("; ");
  statements.add({
    slot: slot.replace(/^table /, "row security "),
    parents: parentsOf(matched),
    aspect: "policies",
    value: now,
    label: label === "" ? "nothing: only the owner sees rows" : label,
    ...(base === null ? {} : { absentLabel: "as before" }),
    title: `What do the policies of ${quote(name)} allow?`,
    topic: `policies of ${quote(name)}`,
    subject: quote(name),
    weight: 3,
    lack: label === "",
    links: ["theme row security"],
    risk: isOpen(table.policies) ? { kind: "consequence", text: "open to everyone" } : null,
  });
}

/** Equal for policies that allow the same to the same roles, whatever they are called and in which order. */
function meaningOf(list: readonly SchemaPolicy[]): string {
  const texts = list.map(({ command, permissive, roles, using, check }) =>
    JSON.stringify([command, permissive, [...roles].sort(), using && unwrapped(using), check && unwrapped(check)]),
  );
  return texts.length === 0 ? "" : [...new Set(texts)].sort().join("\n");
}

/** "select where `owner_id = 1`, only for `app`". */
function labelOf(policy: SchemaPolicy): string {
  const { command, permissive, roles, using, check } = policy;
  const read = using === null ? undefined : unwrapped(using);
  const write = check === null || check === using ? undefined : unwrapped(check);
  const parts = [
    ...(read === undefined ? [] : [read === "true" ? "any row" : `where ${quote(read)}`]),
    ...(write === undefined ? [] : [write === "true" ? "any new row" : `new rows where ${quote(write)}`]),
  ];
  const who = roles.includes("public") ? "" : `, only for ${quoteList([...roles].sort())}`;
  return `${permissive ? "" : "restricts "}${[command, ...parts].join(" ")}${who}`;
}

/** True where a policy lets every role have every row, and no restricting one stands beside it. */
function isOpen(list: readonly SchemaPolicy[]): boolean {
  const restricted = (command: string) =>
    list.some((each) => !each.permissive && (each.command === "all" || command === "all" || each.command === command));
  return list.some(({ command, permissive, roles, using, check }) => {
    const condition = command === "insert" ? check : using;
    const all = condition !== null && unwrapped(condition) === "true";
    return permissive && roles.includes("public") && all && !restricted(command);
  });
}
