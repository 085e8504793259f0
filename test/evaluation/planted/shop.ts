import { chances, type Domain, incidental, pick, planted, plantedHabit, yesNo } from "./domain.js";
import type { ColumnSpec, TableSpec } from "./spec.js";

interface Shop {
  order: string;
  placed: string;
  zone: "timestamp with time zone" | "timestamp without time zone";
  items: "table" | "json";
  item: string;
  itemKey: "pair" | "own";
  productGoes: boolean;
  unitPrice: boolean;
  address: "table" | "order" | "customer";
  addressName: string;
  coupon: string | undefined;
  status: "enum" | "check" | "text";
  statusName: string;
  stock: string | undefined;
  total: boolean;
  keyType: "uuid" | "integer";
  wishlist: boolean;
}

const plain = (name: string, type: string, more: Partial<ColumnSpec> = {}): ColumnSpec => ({
  concept: name,
  name,
  type,
  ...more,
});
const baseTable = (name: string, ...columns: ColumnSpec[]): TableSpec => ({
  concept: name,
  name,
  isNew: false,
  columns: [plain("id", "uuid"), ...columns],
  key: ["id"],
});
const customer = baseTable("Customer", plain("email", "text"), plain("fullName", "text"));
const product = baseTable("Product", plain("title", "text"), plain("priceCents", "integer"));

const states = ["open", "paid", "shipped"];

/** Orders for a catalogue of products: camel case, tables in the singular with a capital. */
export const shop: Domain<Shop> = {
  name: "shop",
  base: { tables: [customer, product] },
  draw(random, n) {
    const rows = 0.4 + 0.6 * random();
    const [zone, key, goes, price, coupon, stock, total, keyType] = Array.from({ length: 8 }, () => chances(random));
    const [address] = chances(random);
    return Array.from({ length: n }, () => ({
      order: pick(random, ["Order", "Purchase", "CustomerOrder"], [0.7, 0.15]),
      placed: pick(random, ["placedAt", "orderedAt", "createdAt"], [0.7, 0.2]),
      zone: pick(random, ["timestamp with time zone", "timestamp without time zone"] as const, zone ?? []),
      items: pick(random, ["table", "json"] as const, [rows]),
      item: pick(random, ["OrderItem", "OrderLine", "LineItem"], [0.6, 0.2]),
      itemKey: pick(random, ["pair", "own"] as const, key ?? []),
      productGoes: pick(random, [true, false], goes ?? []),
      unitPrice: pick(random, [true, false], price ?? []),
      address: pick(random, ["table", "order", "customer"] as const, [address, (1 - address) * 0.6]),
      addressName: pick(random, ["Address", "CustomerAddress"], [0.8]),
      coupon: pick(random, [pick(random, ["Coupon", "Voucher"], [0.6]), undefined] as const, coupon ?? []),
      status: pick(random, ["enum", "check", "text"] as const, [0.5, 0.3]),
      statusName: pick(random, ["status", "state"], [0.85]),
      stock: pick(random, [pick(random, ["stock", "stockQuantity"], [0.7]), undefined] as const, stock ?? []),
      total: pick(random, [true, false], total ?? []),
      keyType: pick(random, ["uuid", "integer"] as const, keyType ?? []),
      wishlist: random() < 0.05,
    }));
  },
  build(drawn) {
    const made = [orderTable(drawn)];
    if (drawn.items === "table") made.push(itemTable(drawn));
    if (drawn.address === "table") made.push(addressTable(drawn));
    if (drawn.coupon) made.push(couponTable(drawn, drawn.coupon));
    if (drawn.wishlist) made.push(wishlist);
    const enums = drawn.status === "enum" ? [{ name: "OrderStatus", labels: states }] : [];
    return { tables: [...baseTables(drawn), ...made], enums };
  },
  choices: {
    items: planted(({ items }) => items, "item", "items"),
    itemKey: planted(({ items, itemKey }) => (items === "table" ? itemKey : undefined), "item", "item.id"),
    product: planted(
      ({ items, productGoes }) => (items === "table" ? yesNo(productGoes) : undefined),
      "item",
      "productId",
    ),
    unitPrice: planted(({ items, unitPrice }) => (items === "table" ? yesNo(unitPrice) : undefined), "unitPrice"),
    address: planted(({ address }) => address, "address", "order.address", "customer.address"),
    coupon: planted(({ coupon }) => yesNo(coupon !== undefined), "coupon", "couponLink"),
    status: planted(({ status }) => status, "status"),
    stock: planted(({ stock }) => yesNo(stock !== undefined), "stock"),
    total: planted(({ total }) => yesNo(total), "total"),
    zone: plantedHabit(/time zone/, ({ zone }) => zone, "placed", "order", "addedAt"),
    keyType: plantedHabit(
      /\b(?:id|key)s?\b/,
      ({ keyType }) => keyType,
      "order",
      "item",
      "address",
      "coupon",
      "wishlist",
    ),
    wishlist: incidental(({ wishlist }) => yesNo(wishlist), "wishlist"),
    orderName: incidental(({ order }) => order, "order"),
    itemName: incidental(({ items, item }) => (items === "table" ? item : undefined), "item"),
    placedName: incidental(({ placed }) => placed, "placed"),
    addressName: incidental(({ address, addressName }) => (address === "table" ? addressName : undefined), "address"),
    couponName: incidental(({ coupon }) => coupon, "coupon"),
    statusName: incidental(({ statusName }) => statusName, "status"),
    stockName: incidental(({ stock }) => stock, "stock"),
  },
};

const linkName = (table: string) => `${table.slice(0, 1).toLowerCase()}${table.slice(1)}Id`;

function orderTable(drawn: Shop): TableSpec {
  const { status, statusName, coupon, keyType, zone } = drawn;
  const columns: ColumnSpec[] = [
    plain("id", keyType),
    plain("customerId", "uuid", { to: "Customer" }),
    { concept: "placed", name: drawn.placed, type: zone, default: "now()" },
    {
      concept: "status",
      name: statusName,
      type: status === "enum" ? "OrderStatus" : "text",
      ...(status === "check" ? { list: states } : {}),
    },
  ];
  if (drawn.items === "json") columns.push(plain("items", "jsonb", { default: "'[]'::jsonb" }));
  if (drawn.address === "order") columns.push(plain("shippingAddress", "text", { concept: "order.address" }));
  if (drawn.total) columns.push(plain("total", "numeric(10,2)"));
  if (coupon) {
    const link = { concept: "couponLink", to: "coupon", notNull: false, onDelete: "set null" as const };
    columns.push(plain(linkName(coupon), keyType, link));
  }
  return { concept: "order", name: drawn.order, isNew: true, columns, key: ["id"] };
}

function itemTable({ item, itemKey, order, keyType, productGoes, unitPrice }: Shop): TableSpec {
  const link = linkName(order);
  const pair = itemKey === "pair";
  const columns = [
    ...(pair ? [] : [plain("id", keyType, { concept: "item.id" })]),
    plain(link, keyType, { concept: "orderLink", to: "order", onDelete: "cascade" }),
    plain("productId", "uuid", { to: "Product", onDelete: productGoes ? "cascade" : "no action" }),
    plain("quantity", "integer", { default: "1" }),
    ...(unitPrice ? [plain("unitPrice", "numeric(10,2)")] : []),
  ];
  return { concept: "item", name: item, isNew: true, columns, key: pair ? [link, "productId"] : ["id"] };
}

function addressTable({ addressName, keyType }: Shop): TableSpec {
  const columns = [
    plain("id", keyType),
    plain("customerId", "uuid", { to: "Customer", onDelete: "cascade" }),
    plain("street", "text"),
    plain("city", "text"),
    plain("postalCode", "text"),
  ];
  return { concept: "address", name: addressName, isNew: true, columns, key: ["id"] };
}

function couponTable({ keyType }: Shop, name: string): TableSpec {
  const columns = [
    plain("id", keyType),
    plain("code", "text"),
    plain("percentOff", "integer"),
    plain("validUntil", "date", { notNull: false }),
  ];
  return { concept: "coupon", name, isNew: true, columns, key: ["id"], uniques: [["code"]] };
}

const wishlist: TableSpec = {
  concept: "wishlist",
  name: "Wishlist",
  isNew: true,
  columns: [
    plain("customerId", "uuid", { to: "Customer" }),
    plain("productId", "uuid", { to: "Product" }),
    plain("priority", "smallint"),
  ],
  key: ["customerId", "productId"],
};

function baseTables({ address, stock }: Shop): TableSpec[] {
  const home = plain("address", "text", { concept: "customer.address", notNull: false });
  const left = stock ? [plain(stock, "integer", { concept: "stock", default: "0" })] : [];
  return [
    { ...customer, columns: [...customer.columns, ...(address === "customer" ? [home] : [])] },
    { ...product, columns: [...product.columns, ...left] },
  ];
}
