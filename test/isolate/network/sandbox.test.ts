import { lookup } from "node:dns/promises";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Secret } from "../../../src/model/secret.js";
import { openPlace, withoutSandbox } from "../sandbox/place.js";

const sandboxed = test.skipIf(withoutSandbox);

const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === "IPv4" && !each.internal)?.address;

/** A server of the machine's that says one word to whoever comes. */
async function greeter(host = "127.0.0.1", path?: string): Promise<number> {
  const server = createServer((client) => client.on("error", () => undefined).end("hello\n"));
  await new Promise<void>((resolve) => (path ? server.listen(path, resolve) : server.listen(0, host, resolve)));
  onTestFinished(() => void server.close());
  return path ? 0 : (server.address() as AddressInfo).port;
}

/** A line that prints what a connection says, or why there is none. */
function reach(to: string): string {
  return `node -e 'require("net").connect(${to}).on("data", (d) => process.stdout.write(d)).on("error", (e) => console.log(e.code))'`;
}

sandboxed(
  "of the machine's ports a run reaches its database's, its models' and those it is allowed, and no other",
  async () => {
    const [database, models, allowed, other] = await Promise.all([greeter(), greeter(), greeter(), greeter()]);
    const url = new Secret(`postgres://user:word@127.0.0.1:${database}/db`);
    const { run, network } = await openPlace({ allow: [`localhost:${allowed}`], database: url });
    await network?.open(models);
    const at = (port: number) => reach(`${port}, "127.0.0.1"`);
    expect((await run([database, models, allowed].map(at).join(";"))).text).toBe("hello\nhello\nhello\n");
    expect((await run(reach(`${database}, "::1"`))).text).toBe("hello\n");
    expect((await run(at(other))).text).toBe("ECONNREFUSED\n");
  },
);

sandboxed("no address, no name and no abstract socket of the machine's is reached past the proxy", async () => {
  const port = await greeter(elsewhere ?? "127.0.0.1");
  await greeter(undefined, `\0multirun-test-${process.pid}`);
  const { run } = await openPlace({ allow: [] });
  expect((await run(reach(`${port}, ${JSON.stringify(elsewhere ?? "192.0.2.1")}`))).text).toMatch(
    /^E(NETUNREACH|HOSTUNREACH|CONNREFUSED)\n$/,
  );
  const udp = `node -e 'require("dgram").createSocket("udp4").send("x", 53, "192.0.2.1", (e) => process.exit(console.log(e?.code)))'`;
  expect((await run(udp)).text).toBe("ENETUNREACH\n");
  expect((await run(`node -e 'require("dns").lookup("example.com", (e) => console.log(e.code))'`)).text).toMatch(/^E/);
  expect((await run(reach(`"\\0multirun-test-${process.pid}"`))).text).toMatch(/^E(CONNREFUSED|INVAL)\n$/);
});

sandboxed(
  "the usual clients go through the proxy: an allowed host answers, another is refused by name and noted",
  async ({ skip }) => {
    const { createServer: createHttpServer } = await import("node:http");
    const server = createHttpServer((_, response) => response.end("page\n"));
    const host = elsewhere ?? "127.0.0.1";
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { run, network } = await openPlace({ allow: [`${host}:${port}`] });
    const python = (url: string) =>
      `python3 -c 'import urllib.request; print(urllib.request.urlopen("${url}").read().decode(), end="")' 2>&1`;
    const has = async (name: string) => (await run(`command -v ${name}`)).end.exitCode === 0;
    const [hasPython, hasCurl] = [await has("python3"), await has("curl")];
    if (!hasPython && !hasCurl) skip("this machine has neither python3 nor curl");
    const client = hasPython ? python : (url: string) => `curl -sS ${url}`;
    if (elsewhere !== undefined) expect((await run(client(`http://${host}:${port}/`))).text).toBe("page\n");
    expect((await run(client("http://other.test/"))).text).toMatch(/403|Only what network\.allow names/);
    expect(network?.refused()).toEqual([{ host: "other.test:80", times: 1 }]);
  },
);

sandboxed("a database elsewhere is reached by its name, and refused by an address", async ({ skip }) => {
  const name = hostname();
  const known = await lookup(name).catch(() => undefined);
  const port = await greeter("0.0.0.0");
  const { run } = await openPlace({ allow: [], database: new Secret(`postgres://u:w@${name}:${port}/db`) });
  if (known?.family !== 4) skip("this machine does not know its own name");
  expect((await run(reach(`${port}, ${JSON.stringify(name)}`))).text).toBe("hello\n");
  await expect(openPlace({ allow: [], database: new Secret("postgres://u:w@192.0.2.7:5432/db") })).rejects.toThrow(
    /named by its address 192\.0\.2\.7/,
  );
});

sandboxed("programs start, hear, end and are ended as they are without it", async () => {
  const { run, workspace } = await openPlace({ allow: [] });
  expect((await run("exit 42")).end).toMatchObject({ exitCode: 42, signal: null });
  expect((await run("kill -9 $$")).end).toMatchObject({ exitCode: 137 });
  writeFileSync(join(workspace.tmp, "in"), "in\n");
  expect((await run("cat; echo err >&2", { stdin: join(workspace.tmp, "in") })).text).toBe("in\nerr\n");
  expect((await run("", { program: { file: "no-such-program", args: [] } })).end.exitCode).toBe(127);
  const bye = await run("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done", { timeoutMs: 1_000 });
  expect(bye).toMatchObject({ text: expect.stringMatching(/^up\n[\s\S]*bye\n$/), end: { timedOut: true } });
  await run(
    `(env -i setsid sh -c 'while :; do date +%N > alive; sleep 0.02; done' &); until [ -s alive ]; do sleep 0.01; done`,
  );
  const alive = join(workspace.repo, "alive");
  const last = existsSync(alive) ? readFileSync(alive, "utf8") : "";
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(readFileSync(alive, "utf8")).toBe(last);
});

sandboxed("what its programs say to the bridge ends with the run: nothing is left listening", async () => {
  const { network } = await openPlace({ allow: [] });
  const folder = network?.sandbox.sockets ?? "";
  expect(existsSync(join(folder, "3128"))).toBe(true);
  await network?.close();
  expect(existsSync(join(folder, "3128"))).toBe(false);
});

sandboxed("the port of a database elsewhere is open there, and not on this machine", async () => {
  const port = await greeter();
  const database = new Secret(`postgres://user:word@database.test:${port}/db`);
  const { run } = await openPlace({ allow: [], database });
  const asked = `curl -sS -o /dev/null -w '%{http_connect}' --noproxy '' -x http://127.0.0.1:3128 -p http://localhost:${port}/`;
  expect((await run(`${asked} 2>/dev/null`)).text).toBe("403");
});
