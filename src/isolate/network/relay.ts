import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Passes on what is said to a socket in the file system. */
export interface Relay {
  close(): void;
}

/** Of one run at a time. */
const mostConnections = 256;

/**
 * Listens at a path for what is to reach a port.
 * @param to a host this process can reach
 * @throws the error of listening
 */
export async function openRelay(path: string, to: { host: string; port: number }): Promise<Relay> {
  const open = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ ...to, allowHalfOpen: true, noDelay: true });
    client.pipe(target);
    target.pipe(client);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => open.delete(one));
    }
  });
  server.maxConnections = mostConnections;
  server.listen(path);
  await once(server, "listening");
  return {
    close: () => {
      server.close();
      for (const each of open) each.destroy();
    },
  };
}
