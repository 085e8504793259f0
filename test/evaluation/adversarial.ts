import type { SchemaColumn, SchemaConstraint, SchemaTable } from "../../src/model/schema.js";
import { column, id, key, refers, run, snapshot, table } from "../support/runs.js";
import { compare } from "./planted/engine.js";

/** Two ways to fill one place: half of the runs make the one table, half the other, beside what all make. */
export interface Adversary {
  one: string;
  other: string;
  /** Whether a careful person would call them the same thing. */
  same: boolean;
  /** What the runs of either make beside it, instead of what all make. */
  beside?: Beside;
}

type Beside = readonly [ofOne: readonly SchemaTable[], ofOther: readonly SchemaTable[]];

const text = (name: string) => column(name, "text", { notNull: true });
const json = (name: string) => column(name, "jsonb", { notNull: true });
const yes = (name: string) => column(name, "boolean", { notNull: true });
const number = (name: string) => column(name, "integer", { notNull: true });
const since = column("created_at", "timestamp with time zone", { notNull: true, default: "now()" });

type Part = SchemaColumn | [column: string, table: string];

/** A table with a generated key; a pair is a reference. */
function own(name: string, ...parts: Part[]): SchemaTable {
  const { columns, rules } = partsOf(parts);
  return table(name, { columns: [id("uuid"), ...columns], constraints: [key("id"), ...rules] });
}

/** A table whose key is its references. */
function linking(name: string, ...parts: Part[]): SchemaTable {
  const { columns, rules } = partsOf(parts);
  const keys = parts.flatMap((part) => (Array.isArray(part) ? [part[0]] : []));
  return table(name, { columns, constraints: [key(...keys), ...rules] });
}

function partsOf(parts: readonly Part[]): { columns: SchemaColumn[]; rules: SchemaConstraint[] } {
  const columns = parts.map((part) => (Array.isArray(part) ? column(part[0], "uuid", { notNull: true }) : part));
  const rules = parts.flatMap((part) => (Array.isArray(part) ? [refers(part[0], part[1])] : []));
  return { columns, rules };
}

const base = [
  own("users", text("email")),
  own("assets", ["user_id", "users"], text("title")),
  own("Customer", text("email")),
  own("Product", text("title")),
  own("t_pat", text("pat_nm")),
  own("t_doc", text("doc_nm")),
];
/** What every run makes, so that there is something new to refer to. */
const shared = [own("teams", text("name"), since), own("Order", ["customerId", "Customer"], number("total"))];

const candidates = [
  linking("team_members", ["team_id", "teams"], ["user_id", "users"], text("role"), since),
  own("team_invites", ["team_id", "teams"], text("email"), text("token"), ["invited_by", "users"], since),
  linking("team_settings", ["team_id", "teams"], json("settings"), since),
  own("projects", ["team_id", "teams"], text("name"), yes("archived"), since),
  own("audit_log", ["actor_id", "users"], text("action"), json("payload"), since),
  own("activity_events", ["user_id", "users"], text("event"), json("data"), since),
  own("asset_shares", ["asset_id", "assets"], ["team_id", "teams"], text("permission"), since),
  linking("team_assets", ["team_id", "teams"], ["asset_id", "assets"], since),
  own("team_roles", ["team_id", "teams"], ["user_id", "users"], text("role")),
  own("user_preferences", ["user_id", "users"], ["team_id", "teams"], text("theme")),
  linking("OrderItem", ["orderId", "Order"], ["productId", "Product"], number("quantity")),
  own("OrderLine", ["orderId", "Order"], ["productId", "Product"], number("quantity"), number("unitPrice")),
  own("OrderReturn", ["orderId", "Order"], ["productId", "Product"], text("reason"), yes("refunded")),
  own("OrderShipment", ["orderId", "Order"], text("carrier"), text("trackingCode")),
  own("OrderPayment", ["orderId", "Order"], number("amount"), text("provider"), json("receipt")),
  own("Coupon", text("code"), number("percentOff"), column("validUntil", "date")),
  own("Voucher", text("code"), number("percentOff"), column("validUntil", "date")),
  own("GiftCard", text("pin"), number("balance"), ["customerId", "Customer"]),
  own("t_appt", ["pat_id", "t_pat"], ["doc_id", "t_doc"], column("start_dt", "timestamp without time zone")),
  own("t_presc", ["pat_id", "t_pat"], ["doc_id", "t_doc"], text("drug_nm"), number("dose_mg")),
  own("tbl_appointment", ["pat_id", "t_pat"], ["doc_id", "t_doc"], column("start_dt", "timestamp without time zone")),
  own("t_pat_alrg", ["pat_id", "t_pat"], text("alrg_nm"), number("sev_cd")),
  own("t_pat_cntc", ["pat_id", "t_pat"], text("cntc_nm"), text("phone_no"), yes("is_kin")),
];

/** Runs that made nothing but the one table: no name elsewhere says how they speak. */
const alone: Beside = [[], []];
/** Portuguese, as half of the runs of a contest write, and English: what the one table refers to, or what refers to it. */
const bank: Beside = [
  [
    own(
      "transacoes",
      ["cliente_id", "clientes"],
      number("valor"),
      text("tipo"),
      text("descricao"),
      text("realizada_em"),
    ),
  ],
  [own("transactions", ["account_id", "accounts"], number("amount"), text("type"), text("label"), text("occurred_at"))],
];
const ledger: Beside = [
  [own("clientes", number("limite"), number("saldo"))],
  [own("accounts", number("credit"), number("balance"))],
];
const trade: Beside = [
  [own("pedidos", ["cliente_id", "Customer"], text("situacao"), text("endereco"), yes("pago"))],
  [own("purchases", ["buyer_id", "Customer"], text("state"), text("address"), yes("settled"))],
];
const depots: Beside = [trade[0], [...trade[1], own("suppliers", text("title"), number("days"))]];
const groups: Beside = [
  [own("groups", text("name"), ["owner_id", "users"])],
  [own("crews", text("name"), ["owner_id", "users"])],
];
const memberships: Beside = [
  [own("memberships", ["group_id", "groups"], ["user_id", "users"], text("role"))],
  [linking("crew_members", ["crew_id", "crews"], ["user_id", "users"], text("role"))],
];

candidates.push(
  own("notifications", ["user_id", "users"], text("message"), yes("seen"), json("data")),
  linking("likes", ["user_id", "users"], ["asset_id", "assets"], since),
  linking("bookmarks", ["user_id", "users"], ["asset_id", "assets"], since),
  own("comments", ["user_id", "users"], ["asset_id", "assets"], text("body"), since),
  own("reports", ["user_id", "users"], ["asset_id", "assets"], text("reason"), since),
  own("ratings", ["user_id", "users"], ["asset_id", "assets"], number("stars")),
  own("alerts", ["user_id", "users"], ["asset_id", "assets"], number("threshold")),
  own("addresses", text("street"), text("city"), text("postcode")),
  own("contacts", text("full_name"), text("mail"), text("phone")),
  own("tags", text("name"), text("colour")),
  own("folders", text("name"), text("path")),
  own("fornecedores", text("nome"), number("prazo")),
  own("warehouses", text("label"), number("capacity")),
  own("eventos", text("titulo"), column("inicio", "date"), number("vagas")),
  own("parcels", ["carrier_id", "Customer"], text("tracking"), column("sent", "date"), number("grams")),
  own("pessoas", text("apelido"), text("nome"), column("nascimento", "date"), text("stack")),
  own("people", text("nick"), text("full"), column("birth", "date"), text("stack")),
  own("clientes", number("limite"), number("saldo")),
  own("accounts", number("credit"), number("balance")),
  own("transacoes", ["cliente_id", "clientes"], number("valor"), text("tipo"), text("descricao")),
  own("transactions", ["account_id", "accounts"], number("amount"), text("type"), text("label")),
  own("entregas", ["pedido_id", "pedidos"], column("enviada", "date"), text("codigo"), number("peso")),
  own("shipments", ["purchase_id", "purchases"], column("sent", "date"), text("tracking"), number("grams")),
  own("memberships", ["group_id", "groups"], ["user_id", "users"], text("role")),
  linking("crew_members", ["crew_id", "crews"], ["user_id", "users"], text("role")),
  own("groups", text("name"), ["owner_id", "users"]),
  own("crews", text("name"), ["owner_id", "users"]),
  linking("AssetShares", ["asset_id", "assets"], ["team_id", "teams"], text("permission"), since),
);

export const adversaries: Adversary[] = [
  ...apart(["team_members", "team_invites"], ["team_settings", "projects"], ["team_members", "user_preferences"]),
  ...apart(["team_members", "asset_shares"], ["team_invites", "projects"], ["OrderShipment", "OrderPayment"]),
  ...apart(["OrderItem", "OrderReturn"], ["Coupon", "GiftCard"], ["OrderReturn", "OrderShipment"]),
  ...apart(["t_appt", "t_presc"], ["t_pat_alrg", "t_pat_cntc"], ["audit_log", "team_settings"]),
  ...apart(["audit_log", "notifications"], ["likes", "bookmarks"], ["comments", "reports"], ["ratings", "alerts"]),
  ...apart(["likes", "bookmarks"], ["addresses", "contacts"], ["tags", "folders"]).map(beside(alone)),
  ...apart(["fornecedores", "warehouses"]).map(beside(depots)),
  ...apart(["eventos", "parcels"]).map(beside(trade)),
  ...together(["pessoas", "people"]).map(beside(alone)),
  ...together(["clientes", "accounts"]).map(beside(bank)),
  ...together(["transacoes", "transactions"]).map(beside(ledger)),
  ...together(["entregas", "shipments"]).map(beside(trade)),
  ...together(["memberships", "crew_members"]).map(beside(groups)),
  ...together(["groups", "crews"]).map(beside(memberships)),
  ...together(["AssetShares", "asset_shares"]),
  ...together(["audit_log", "activity_events"], ["asset_shares", "team_assets"], ["team_members", "team_roles"]),
  ...together(["OrderItem", "OrderLine"], ["Coupon", "Voucher"], ["t_appt", "tbl_appointment"]),
];

function apart(...pairs: [string, string][]): Adversary[] {
  return pairs.map(([one, other]) => ({ one, other, same: false }));
}

function together(...pairs: [string, string][]): Adversary[] {
  return pairs.map(([one, other]) => ({ one, other, same: true }));
}

function beside(tables: Beside): (pair: Adversary) => Adversary {
  return (pair) => ({ ...pair, beside: tables });
}

/** How many of ten runs make the first table. */
export const shares = [1, 3, 5, 8] as const;

/** Whether the engine takes the two for one, in ten runs of which the first so many make the first. */
export function areOne(
  { one, other, beside: [ofOne, ofOther] = [shared, shared] }: Adversary,
  ofFirst: number,
): boolean {
  const make = (name: string, around: readonly SchemaTable[], salt: number) => {
    const found = candidates.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no table ${name}`);
    return [...base, ...[...around, found].map((each) => ({ ...each, oid: each.oid + salt }))];
  };
  const runs = Array.from({ length: 10 }, (_, at) => {
    const tables = at < ofFirst ? make(one, ofOne, at) : make(other, ofOther, at);
    return run(at + 1, { schema: snapshot(tables) });
  });
  const { aligned } = compare(runs, { schema: snapshot(base), checks: null });
  const names = aligned.map(({ schema }) => schema?.tables.at(-1)?.name);
  return new Set(names).size === 1;
}
