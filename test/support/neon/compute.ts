import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A compute: one address of its own, behind which a database of the server answers under the name that clients know. */
export interface Compute {
  port: number;
  close(): void;
}

export interface ComputeOptions {
  server: { host: string; port: number };
  /** The database behind it, on the server. */
  database: string;
  /** False while it is still starting: then nobody is let in. */
  isReady: () => boolean;
}

/** As Neon's proxy does it: what is asked for in the first message is what the branch calls it. */
export async function startCompute({ server, database, isReady }: ComputeOptions): Promise<Compute> {
  const open = new Set<Socket>();
  const listener = createServer((client) => {
    open.add(client);
    client.on("error", () => undefined).on("close", () => open.delete(client));
    if (!isReady()) return void client.destroy();
    client.once("data", (first: Buffer) => {
      const target = connect(server);
      open.add(target);
      target.on("error", () => client.destroy()).on("close", () => open.delete(target));
      client.on("close", () => target.destroy());
      target.on("close", () => client.destroy());
      target.write(withDatabase(first, database));
      client.pipe(target);
      target.pipe(client);
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    close: () => {
      listener.close();
      for (const each of open) each.destroy();
    },
  };
}

const protocol3 = 0x0003_0000;

/** The startup message (Postgres protocol 3.0) with another database in it; a wish to cancel or to encrypt stays as it is. */
function withDatabase(message: Buffer, database: string): Buffer {
  if (message.readInt32BE(4) !== protocol3) return message;
  const fields = message.subarray(8).toString("utf8").split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) if (fields[at] === "database") fields[at + 1] = database;
  const body = Buffer.from(fields.join("\0"), "utf8");
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(protocol3, 4);
  return Buffer.concat([head, body]);
}
