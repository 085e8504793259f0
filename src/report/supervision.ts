import { groupBy } from "../model/groups.js";
import type { Report } from "../model/report.js";
import { visible } from "../model/text.js";
import { named, runList } from "./phrases.js";

/** What the report says of how the agents were held, and of what they said and spent: plain text, as in `phrases.ts`. */

/** "r05 says that its tests pass; check `npm test` fails", one for each sentence that is not so. */
export function contradictionsOf({ runs }: Report): string[] {
  const found = runs.flatMap(({ id, claims }) => claims.map((text) => ({ id, text })));
  const groups = groupBy(found, ({ text }) => text);
  return [...groups].map(([text, group]) => `${runList(group.map(({ id }) => id))} ${visible(text)}`);
}

/**
 * "$14.20", "at least $14.20", "1.2 million tokens"; undefined where nothing was metered. A sum with an unknown part is
 * called at least.
 */
export function costOf({ runs }: Report): string | undefined {
  const spenders = runs.filter(({ reference }) => !reference);
  const partly = spenders.some(({ usageAtLeast }) => usageAtLeast);
  const total = (values: number[]) => ({
    sum: values.reduce((sum, each) => sum + each, 0),
    words: partly || values.length < spenders.length ? "at least " : "",
    known: values.length > 0,
  });
  const cost = total(spenders.flatMap(({ costUsd }) => costUsd ?? []));
  if (cost.known) return `${cost.words}$${cost.sum.toFixed(2)}`;
  const used = total(spenders.flatMap(({ tokens }) => (tokens ? tokens.input + tokens.output + tokens.cached : [])));
  const digits = String(used.sum).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return used.known ? `${used.words}${digits} tokens, cost unknown` : undefined;
}

/** What did not hold the agents back, in one line; undefined where nothing is to be said. */
export function limitsSentence({ experiment, runs }: Report): string | undefined {
  const { sandbox, notEnforced, direct, network, notes = [] } = experiment;
  const parts = [
    ...(sandbox === "none" ? ["No sandbox: the agents could do what the user who started them can do."] : []),
    ...(direct
      ? ["Agents used the login of the user who started them: what they spent was neither limited nor metered."]
      : []),
    ...(network && sandbox !== "none"
      ? [`Network: ${network.length > 0 ? `only ${network.map(named).join(", ")}` : "none"}.`, ...refusedOf(runs)]
      : []),
    ...(notEnforced.length > 0
      ? [`Asked for and not enforced: ${notEnforced.map((each) => `\`${each.replaceAll("`", "'")}\``).join(", ")}.`]
      : []),
    ...notes.map(visible),
  ];
  return parts.length > 0 ? parts.join(" ") : undefined;
}

/** Named in the report; all are in the runs' records. */
const mostHosts = 5;

/** "Asked for and refused: `example.com:443` (r02, r05).": the hosts that most runs asked for come first. */
function refusedOf(runs: Report["runs"]): string[] {
  const asked = runs.flatMap(({ id, refusedHosts = [] }) => refusedHosts.map(({ host }) => ({ id, host })));
  const hosts = [...groupBy(asked, ({ host }) => host)].sort((a, b) => b[1].length - a[1].length);
  if (hosts.length === 0) return [];
  const shown = hosts.slice(0, mostHosts).map(([host, by]) => `${named(host)} (${runList(by.map(({ id }) => id))})`);
  const more = hosts.length > mostHosts ? ` and ${hosts.length - mostHosts} more` : "";
  return [`Asked for and refused: ${shown.join(", ")}${more}.`];
}
