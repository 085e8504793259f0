import { promises as dns, type LookupAddress } from "node:dns";
import { Agent } from "node:http";
import type { LookupFunction } from "node:net";
import { RequestError, Server } from "proxy-chain";
import { type NetworkRules, ruleFor } from "../../model/network.js";
import type { RefusedHost } from "../../model/record.js";
import { shorten, visible } from "../../model/text.js";
import { isOwnAddress, isPublicAddress } from "./addresses.js";

export type Lookup = (host: string) => Promise<LookupAddress[]>;

export interface FilterOptions {
  rules: NetworkRules;
  /** Ports of this machine that are open to the run: some clients ask a proxy for those, too. */
  isOpen: (port: number) => boolean;
  /** By its default the machine's own. */
  lookup?: Lookup;
}

/** A proxy for HTTP and CONNECT that reaches the hosts the rules name, at the addresses it has checked itself. */
export interface Filter {
  /** Begins to serve on a socket in the file system. */
  listen(path: string): Promise<void>;
  /** What was asked for and refused, the most often first. */
  refused(): RefusedHost[];
  close(): Promise<void>;
}

/** Kept of what a run asks for: an agent could think of any number of names. */
const mostRefused = 50;
const longestHost = 80;
/** Of one run at a time. */
const mostConnections = 256;
/** Of one connection: they can be sent before the first is answered. */
const mostRequests = 100;

export function createFilter({
  rules,
  isOpen,
  lookup = (host) => dns.lookup(host, { all: true }),
}: FilterOptions): Filter {
  const counts = new Map<string, number>();
  const refuse = (target: string, why: string): RequestError => {
    const key = shorten(visible(target), longestHost);
    if (counts.has(key) || counts.size < mostRefused) counts.set(key, (counts.get(key) ?? 0) + 1);
    return new RequestError(`multirun: ${key} ${why}. Only what network.allow names is reached.`, 403);
  };
  const addressesOf = async (hostname: string, port: number): Promise<LookupAddress[]> => {
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    if (/^(?:localhost|127\.0\.0\.1|::1)$/.test(host) && isOpen(port)) return [{ address: "127.0.0.1", family: 4 }];
    const rule = ruleFor(rules, hostname, port);
    if (!rule) throw refuse(`${hostname}:${port}`, "is not allowed");
    const found = await lookup(host).catch(() => []);
    if (found.length === 0) throw new RequestError(`multirun: no address is known for ${hostname}.`, 502);
    const usable = found.filter(({ address }) => (rule.named ? !isOwnAddress(address) : isPublicAddress(address)));
    if (usable.length === 0) throw refuse(`${hostname}:${port}`, "has an address that may not be reached");
    return usable;
  };
  // One connection a request: by a second one, something put behind the first could be answered to another run.
  const agent = new Agent({ keepAlive: false, maxTotalSockets: mostConnections });
  const proxy = new Server({
    prepareRequestFunction: async ({ hostname, port, request, isHttp }) => {
      // Node throws at names it cannot decode, where nobody catches it.
      if (isHttp && namesSomebody(request.url ?? "")) {
        throw new RequestError("multirun: a URL may carry no user name and no password.", 400);
      }
      return {
        requestAuthentication: false,
        httpAgent: agent,
        dnsLookup: pinnedTo(await addressesOf(hostname, port)) as never,
      };
    },
  });
  const { server } = proxy;
  server.maxConnections = mostConnections;
  server.maxRequestsPerSocket = mostRequests;
  // A peer on a socket in the file system has no address, and one without is taken for gone.
  server.prependListener("connection", (peer) => Object.defineProperty(peer, "remoteAddress", { value: "127.0.0.1" }));
  return {
    listen: (path) => new Promise((resolve, reject) => void server.once("error", reject).listen(path, resolve)),
    refused: () => [...counts].map(([host, times]) => ({ host, times })).sort((a, b) => b.times - a.times),
    close: () => proxy.close(true),
  };
}

function namesSomebody(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** A name that was looked up and checked once is not looked up again: a second answer could be another one. */
function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, answer) => {
    const [first] = addresses;
    if (options.all) answer(null, [...addresses]);
    else answer(null, first?.address ?? "", first?.family);
  };
}
