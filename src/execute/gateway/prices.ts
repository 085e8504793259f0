import type { Price } from "../../model/config.js";
import table from "./prices.json" with { type: "json" };

export type Prices = Readonly<Record<string, Price>>;

/** When the built-in table was read from what the makers publish. */
export const pricesAsOf: string = table.asOf;

/**
 * The price of a model: its own name in `own`, then in the built-in table, then the longest name in either that it
 * continues, as `claude-sonnet-4-5-20250929` does `claude-sonnet-4-5`. Undefined where nobody knows it.
 */
export function priceOf(model: string, own: Prices = {}): Price | undefined {
  return lookUp(own, model) ?? lookUp(table.prices, model);
}

function lookUp(prices: Prices, model: string): Price | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  const names = Object.keys(prices).filter((name) => isVersionOf(model, name));
  const [longest] = names.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : prices[longest];
}

/** A date or `latest` behind a name is a version of it; any other word may be another model, at another price. */
function isVersionOf(model: string, name: string): boolean {
  return (
    model.startsWith(`${name}-`) && /^(?:\d{8}|\d{4}-\d{2}-\d{2}|\d{3}|latest)$/.test(model.slice(name.length + 1))
  );
}
