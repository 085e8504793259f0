import { badInput } from "./error.js";
import sets from "./network-sets.json" with { type: "json" };
import { nearest } from "./strict.js";

/** A host that agents may reach. */
export interface HostRule {
  /** In lower case, as it stands in a URL; all names below it where `below`. */
  host: string;
  below: boolean;
  ports: readonly number[];
  /** A person named this very host: it may have an address of a private network. */
  named: boolean;
}

/** What `network.allow` says. */
export interface NetworkRules {
  hosts: readonly HostRule[];
  /** Ports of this machine's loopback. */
  ownPorts: readonly number[];
}

const webPorts = [443, 80];
const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Reads `network.allow`: a named set (`npm`), a host, all hosts below one (`*.example.com`), each with a port or for the
 * web's, or a port of this machine (`localhost:6379`).
 * @throws MultirunError `bad_input` with the entry that is none of these
 */
export function parseNetworkRules(allow: readonly string[]): NetworkRules {
  const hosts: HostRule[] = [];
  const ownPorts: number[] = [];
  for (const entry of allow) {
    const set = Object.hasOwn(sets, entry) ? sets[entry as keyof typeof sets] : undefined;
    if (set) hosts.push(...set.map((each) => ({ ...parseHost(each), named: false })));
    else {
      const rule = parseHost(entry);
      if (!loopback.includes(rule.host)) hosts.push(rule);
      else if (rule.ports.length === 1) ownPorts.push(...rule.ports);
      else throw wrong(entry, "names this machine without a port", "Write localhost:PORT.");
    }
  }
  return { hosts, ownPorts: [...new Set(ownPorts)] };
}

/** True where a rule speaks of this host and port; the rule. */
export function ruleFor({ hosts }: NetworkRules, host: string, port: number): HostRule | undefined {
  const name = host.toLowerCase().replace(/\.$/, "");
  return hosts.find(
    (rule) => rule.ports.includes(port) && (rule.below ? name.endsWith(`.${rule.host}`) : name === rule.host),
  );
}

const form = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s/:@?#[\]*]+)(?::(\d{1,5}))?$/iu;

function parseHost(entry: string): HostRule {
  const [, star, written = "", digits] = form.exec(entry) ?? [];
  if (written === "") throw wrong(entry, "is no host", "Write example.com, *.example.com, example.com:8443 or npm.");
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) throw wrong(entry, "names no port", "Ports are 1 to 65535.");
  const host = URL.canParse(`http://${written}`) ? new URL(`http://${written}`).hostname.replace(/\.$/, "") : "";
  if (host === "") throw wrong(entry, "is no host", "Write it as it stands in a URL.");
  if (!/[.:]/.test(host) && host !== "localhost" && port === undefined) throw unknownSet(entry);
  const below = star !== undefined;
  return { host, below, ports: port === undefined ? webPorts : [port], named: !below };
}

function unknownSet(entry: string): Error {
  const known = Object.keys(sets);
  const near = nearest(entry, known);
  return wrong(
    entry,
    `is no set of hosts${near ? `; did you mean "${near}"?` : ""}`,
    `Sets are ${known.join(", ")}; write a host with its domain, or with its port.`,
  );
}

function wrong(entry: string, why: string, hint: string): Error {
  return badInput(`network.allow: "${entry}" ${why}`, hint);
}
