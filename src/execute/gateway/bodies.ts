import type { IncomingMessage } from "node:http";
import type { Account } from "./account.js";

const mebibyte = 1024 * 1024;
const longestBody = 64 * mebibyte;
/** Of all calls that are under way. */
const mostHeld = 512 * mebibyte;

/** Bytes of request bodies that are in memory. */
export interface Bodies {
  held: number;
}

/** @returns undefined where it is too long, or too much is held already; `done` when the body is not needed any more */
export async function readBody(
  request: IncomingMessage,
  account: Account,
  bodies: Bodies,
): Promise<{ body: Buffer; done: () => void } | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  const done = () => {
    bodies.held -= length;
    length = 0;
  };
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      account.bytes += chunk.length;
      length += chunk.length;
      bodies.held += chunk.length;
      if (length <= longestBody && bodies.held <= mostHeld) chunks.push(chunk);
      else return done() as undefined;
    }
  } catch (error) {
    done();
    throw error;
  }
  return { body: Buffer.concat(chunks), done };
}
