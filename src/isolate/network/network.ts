import { mkdir, open, rm, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { badInput } from "../../model/error.js";
import { type Holder, holderName } from "../../model/ids.js";
import { parseNetworkRules } from "../../model/network.js";
import type { RefusedHost } from "../../model/record.js";
import type { Secret } from "../../model/secret.js";
import bridge from "./bridge.mjs";
import type { Lookup } from "./filter.js";
import { openRelay, type Relay } from "./relay.js";

/** What a sandbox without the machine's network is given in its place. */
export interface SandboxNetwork {
  /** Sockets, each named by the port it stands for inside. */
  sockets: string;
  /** Takes the place of the system's list of hosts. */
  hosts: string;
  /** A script for `node` that makes ports of the sockets. */
  bridge: string;
}

/** The network of one run: its database, its models, the hosts it is allowed, and nothing else. */
export interface RunNetwork {
  sandbox: SandboxNetwork;
  /** How programs find their way out. */
  environment: Readonly<Record<string, string>>;
  /** Opens a port of this machine to the programs that are started from now on. */
  open(port: number): Promise<void>;
  refused(): RefusedHost[];
  close(): Promise<void>;
}

export interface NetworkOptions {
  /** As the configuration has it; null where runs reach what the machine does. */
  allow: readonly string[] | null;
  /** Where sockets may lie: a folder that no run sees. */
  folder: string;
  lookup?: Lookup;
}

export interface Network {
  /** @throws MultirunError `bad_input` where the database cannot be reached this way */
  around(holder: Holder, database: Secret | undefined): Promise<RunNetwork | null>;
}

export function createNetwork({ allow, folder, lookup }: NetworkOptions): Network {
  if (allow === null) return { around: async () => null };
  const rules = parseNetworkRules(allow);
  return {
    async around(holder, database) {
      const own = join(folder, holderName(holder));
      const sandbox = { sockets: join(own, "sockets"), hosts: join(own, "hosts"), bridge: join(folder, "bridge.mjs") };
      await rm(own, { recursive: true, force: true });
      await mkdir(sandbox.sockets, { recursive: true, mode: 0o700 });
      const server = database && serverOf(database);
      const names = ["localhost", ...(server && !isLoopback(server.host) ? [server.host] : [])];
      await writeFile(sandbox.hosts, ["multirun", ...names].map((name) => `127.0.0.1 ${name}\n`).join(""));
      await writeFile(sandbox.bridge, bridge);
      const sockets = await openSockets(sandbox.sockets);
      if (server) await sockets.relay(server.port, server.host);
      for (const port of rules.ownPorts) await sockets.relay(port);
      // Hardly any experiment needs it.
      const { createFilter } = await import("./filter.js");
      const filter = createFilter({ rules, isOpen: sockets.isOwn, ...(lookup ? { lookup } : {}) });
      const proxyPort = proxyPorts.find((port) => !sockets.has(port)) ?? 0;
      await filter.listen(sockets.pathOf(proxyPort));
      return {
        sandbox,
        environment: proxySettings(proxyPort, names),
        open: (port) => sockets.relay(port),
        refused: filter.refused,
        close: async () => {
          await filter.close();
          await sockets.close();
        },
      };
    },
  };
}

/** Sockets in a folder, each named by the port that it leads to. */
interface Sockets {
  has(port: number): boolean;
  /** True where it leads to this machine: the port of a database elsewhere is another one here. */
  isOwn(port: number): boolean;
  pathOf(port: number): string;
  relay(port: number, host?: string): Promise<void>;
  close(): Promise<void>;
}

async function openSockets(folder: string): Promise<Sockets> {
  // A socket's path has 107 bytes at most: by its open folder it is short wherever that lies.
  const handle = await open(folder);
  const relays = new Map<number, Relay>();
  const own = new Set<number>();
  const pathOf = (port: number): string => `/proc/self/fd/${handle.fd}/${port}`;
  return {
    pathOf,
    has: (port) => relays.has(port),
    isOwn: (port) => own.has(port),
    async relay(port, host = "127.0.0.1") {
      if (relays.has(port)) return;
      relays.set(port, await openRelay(pathOf(port), { host, port }));
      if (isLoopback(host)) own.add(port);
    },
    async close() {
      for (const relay of relays.values()) relay.close();
      await handle.close();
    },
  };
}

/** Inside each sandbox anew, so that all runs have the same; the second is for those who open the first to something else. */
const proxyPorts = [3128, 3129, 3130];

/** What the usual clients read: curl, git, npm, pip, cargo, go, and Node where it is told to. */
function proxySettings(port: number, direct: readonly string[]): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const noProxy = ["127.0.0.1", "::1", ...direct].join(",");
  return {
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy },
    ...{ NO_PROXY: noProxy, no_proxy: noProxy, NODE_USE_ENV_PROXY: "1" },
  };
}

function serverOf(url: Secret): { host: string; port: number } {
  const { hostname, port } = new URL(url.reveal());
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0 && !isLoopback(host)) {
    throw badInput(
      `network.allow: the database's server is named by its address ${host}, which no sandbox without a network can have`,
      "Name it by a host name (a line in /etc/hosts will do), or leave network.allow out.",
    );
  }
  return { host, port: Number(port || "5432") };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
