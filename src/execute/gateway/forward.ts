import type { IncomingMessage, ServerResponse } from "node:http";
import { redact } from "../../model/secret.js";
import type { Account } from "./account.js";
import type { Door } from "./call.js";
import { ceilingOf } from "./ceiling.js";
import { costOf, nothingCounted } from "./counted.js";
import type { Tally } from "./dialect.js";
import { answeredHeaders } from "./headers.js";
import { guardKey } from "./key-guard.js";
import { meterOf } from "./meter.js";
import { type Prices, priceOf } from "./prices.js";
import { refuse } from "./refuse.js";
import { type Answer, CutOff, type UpstreamCall } from "./upstream.js";

/** A call that may pass. */
export interface Admitted {
  response: ServerResponse;
  door: Door;
  account: Account;
  sent: UpstreamCall;
  /** What it asks for, as JSON. */
  asked: unknown;
  prices: Prices;
}

/** Sends a call to its maker, passes back what comes, and charges it: by what the answer says, or as if it had been its worst. */
export async function forward(call: Admitted): Promise<Answer> {
  const { response, door, account, sent } = call;
  const found = await door.upstream.send(sent).catch((error: unknown) => {
    if (error instanceof CutOff) charge(call, { counted: nothingCounted, complete: false }, { held: true });
    throw error;
  });
  account.waitsFor = null;
  if (found.kind === "open") await stream(call, found.response);
  if (found.kind === "refuse") refuse(response, door.dialect, found);
  if (found.kind === "read") {
    account.refused ??= found.refusal ?? null;
    const text = redact(found.body.toString("utf8"), door.key ? [door.key] : []);
    account.bytes += text.length;
    response.writeHead(found.status, { "content-type": found.contentType ?? "application/json" }).end(text);
  }
  return found;
}

/** Longer than an agent that reads ever keeps its maker waiting, and shorter than any maker waits. */
const longestPauseMs = 1_000;

/** Chunk by chunk, at the agent's pace, and metered on the way. */
function stream(call: Admitted, answered: IncomingMessage): Promise<void> {
  const { response, door, account, sent } = call;
  const kind = answered.headers["content-type"] ?? "";
  const meter = sent.generates ? meterOf(door.dialect, { stream: kind.includes("event-stream") }) : undefined;
  const guard = guardKey(door.key?.reveal() ?? "");
  response.writeHead(answered.statusCode ?? 200, answeredHeaders(answered.headers, door.key?.reveal()));
  response.flushHeaders();
  let left = false;
  let pausedAt: number | undefined;
  const onPause = () => {
    answered.pause();
    pausedAt ??= performance.now();
  };
  const onDrain = () => {
    // Of one that does not read its maker may tire: that is then the agent's doing.
    left ||= pausedAt !== undefined && performance.now() - pausedAt > longestPauseMs;
    pausedAt = undefined;
    answered.resume();
  };
  return new Promise((resolve) => {
    answered.on("data", (chunk: Buffer) => {
      account.bytes += chunk.length;
      meter?.push(chunk);
      if (!response.write(guard.push(chunk))) onPause();
    });
    response.on("drain", onDrain);
    answered.once("close", () => {
      const whole = answered.complete;
      const tally = meter?.end();
      // An agent may leave as soon as it has heard the last word, behind which only the stream's end comes.
      const isComplete = ({ complete }: Tally) => complete && (whole || door.dialect.hasLastWord);
      if (tally)
        charge(call, { ...tally, complete: isComplete(tally) }, { held: whole || left || pausedAt !== undefined });
      // A cut answer must not look like a whole one.
      if (whole) response.end(guard.end());
      else response.destroy();
      resolve();
    });
    answered.on("error", () => undefined);
    response.once("close", () => {
      left = true;
      answered.destroy();
    });
  });
}

/**
 * The sum is of what a call said that it cost. Where that is not all, the budget bears the most it can have been.
 * @param held false where the maker broke off while its agent was reading: no agent can bring that about
 */
function charge(
  { account, sent, asked, door, prices }: Admitted,
  { counted, complete }: Tally,
  { held }: { held: boolean },
): void {
  const price = priceOf(sent.model ?? "", prices);
  const costUsd = price === undefined ? null : costOf(counted, price);
  const limits = door.dialect.limitsOf(asked);
  const ceiling = () => (price ? costOf(ceilingOf(sent.body ?? Buffer.alloc(0), limits), price) : 0);
  const heldUsd = complete || !held ? 0 : Math.max(0, ceiling() - (costUsd ?? 0));
  account.charge({ counted, costUsd, complete, heldUsd });
}
