// A model's maker and its agents in one process, so that one clock tells how long a chunk takes. Speaks with the bench
// over IPC: { url, token?, job } in, figures out.
import { createServer, request } from "node:http";

const jobs = {
  /** Median milliseconds a chunk takes. */
  async latency(at) {
    const took = [];
    await ask(at, "latency", (chunk) => {
      for (const [, sent] of String(chunk).matchAll(/"sent":([\d.]+)/g)) took.push(performance.now() - Number(sent));
    });
    return took.sort((a, b) => a - b)[took.length >> 1];
  },
  /** Megabytes a second. */
  async bulk(at) {
    const begun = performance.now();
    let bytes = 0;
    await ask(at, "bulk", (chunk) => {
      bytes += chunk.length;
    });
    return bytes / 1e3 / (performance.now() - begun);
  },
  async many(at) {
    await Promise.all(Array.from({ length: 50 }, () => ask(at, "many", () => undefined)));
    return 50;
  },
};

const server = createServer(async (incoming, response) => {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const write = (text) =>
    new Promise((resolve) => (response.write(text) ? resolve() : response.once("drain", resolve)));
  const event = (data) => `event: x\ndata: ${JSON.stringify(data)}\n\n`;
  const { mode } = JSON.parse(body);
  if (mode === "bulk") {
    const big = event({ type: "content_block_delta", delta: { text: "x".repeat(64_000) } });
    for (let sent = 0; sent < 400e6; sent += big.length) await write(big);
  } else {
    const [chunks, everyMs] = mode === "latency" ? [400, 5] : [100, 20];
    for (let at = 0; at < chunks; at++) {
      await write(event({ type: "content_block_delta", sent: performance.now(), delta: { text: "word ".repeat(10) } }));
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }
  response.end(event({ type: "message_delta", usage: { output_tokens: 9 } }));
});

function ask({ url, token = "none" }, mode, onChunk) {
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": token, "content-type": "application/json" };
    const asking = request(`${url}/v1/messages`, { method: "POST", headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.on("data", onChunk).on("end", resolve).on("error", reject);
    });
    asking.on("error", reject).end(JSON.stringify({ model: "claude-sonnet-4-5", stream: true, mode }));
  });
}

process.on("message", async ({ job, at }) => process.send(await jobs[job](at)));
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
