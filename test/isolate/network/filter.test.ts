import { once } from "node:events";
import { createServer as createHttpServer, request } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFilter, type Filter } from "../../../src/isolate/network/filter.js";
import { parseNetworkRules } from "../../../src/model/network.js";
import { temporaryFolder } from "../../support/repository.js";

/** An address of this machine that is not its loopback: stands for a host elsewhere. */
const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === "IPv4" && !each.internal)?.address;
const reaching = test.skipIf(elsewhere === undefined);

interface Opened {
  filter: Filter;
  path: string;
  lookups: string[];
}

/** A filter on a socket, and names that lead where the test says. */
async function openFilter(allow: string[], names: Record<string, string[]> = {}, open: number[] = []): Promise<Opened> {
  const lookups: string[] = [];
  const filter = createFilter({
    rules: parseNetworkRules(allow),
    isOpen: (port) => open.includes(port),
    lookup: async (host) => {
      lookups.push(host);
      return (names[host] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  });
  const path = join(temporaryFolder(), "proxy");
  await filter.listen(path);
  onTestFinished(() => filter.close());
  return { filter, path, lookups };
}

/** The first line that is answered to a CONNECT, and the tunnel. */
async function tunnel(path: string, target: string): Promise<{ status: string; socket: Socket }> {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const [data] = (await once(socket, "data")) as [Buffer];
  return { status: data.toString().split("\r\n")[0] ?? "", socket };
}

async function echoServer(host: string): Promise<number> {
  const server = createServer((client) => void client.pipe(client));
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

reaching("what is said through a tunnel to an allowed host arrives, and its name is looked up once", async () => {
  const port = await echoServer(elsewhere ?? "");
  const { path, filter, lookups } = await openFilter([`allowed.test:${port}`], { "allowed.test": [elsewhere ?? ""] });
  const { status, socket } = await tunnel(path, `allowed.test:${port}`);
  expect(status).toContain("200");
  socket.write("hello");
  expect(String((await once(socket, "data"))[0])).toBe("hello");
  expect(lookups).toEqual(["allowed.test"]);
  expect(filter.refused()).toEqual([]);
});

reaching("plain HTTP is passed on to an allowed host, and to no other that it names besides", async () => {
  const server = createHttpServer((_, response) => response.end("here"));
  server.listen(0, elsewhere);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { path, filter } = await openFilter([`allowed.test:${port}`], { "allowed.test": [elsewhere ?? ""] });
  const get = (url: string, headers = {}) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const call = request({ socketPath: path, path: url, headers }, (response) => {
        let text = "";
        response.on("data", (data) => (text += data)).on("end", () => resolve([response.statusCode, text]));
      });
      call.on("error", reject).end();
    });
  expect(await get(`http://allowed.test:${port}/x`)).toEqual([200, "here"]);
  const [status, text] = await get(`http://other.test:${port}/x`, { host: "allowed.test" });
  expect([status, text]).toEqual([403, expect.stringContaining("other.test")]);
  expect(filter.refused()).toEqual([{ host: `other.test:${port}`, times: 1 }]);
});

test("what no rule names is refused, counted, and never looked up", async () => {
  const { path, filter, lookups } = await openFilter(["allowed.test"]);
  for (const target of ["other.test:443", "other.test:443", "allowed.test:22", "allowed.test.evil.test:443"]) {
    expect((await tunnel(path, target)).status).toContain("403");
  }
  expect(lookups).toEqual([]);
  expect(filter.refused()[0]).toEqual({ host: "other.test:443", times: 2 });
  expect(filter.refused()).toHaveLength(3);
});

test.each([
  ["127.0.0.1", "allowed.test"],
  ["::1", "allowed.test"],
  ["::ffff:127.0.0.1", "allowed.test"],
  ["0.0.0.0", "allowed.test"],
  ["169.254.169.254", "allowed.test"],
  ["fe80::1", "allowed.test"],
  ["10.0.0.1", "sub.public.test"],
  ["192.168.1.1", "sub.public.test"],
  ["::ffff:10.0.0.1", "sub.public.test"],
  ["64:ff9b::a00:1", "sub.public.test"],
  ["fd00::1", "sub.public.test"],
])("an allowed name that leads to %s is refused", async (address, host) => {
  const { path, filter } = await openFilter(["allowed.test", "*.public.test"], { [host]: [address] });
  expect((await tunnel(path, `${host}:443`)).status).toContain("403");
  expect(filter.refused()).toEqual([{ host: `${host}:443`, times: 1 }]);
});

test("this machine is reached on ports that are open to the run, by whatever name, and on no other", async () => {
  const port = await echoServer("127.0.0.1");
  const closed = await echoServer("127.0.0.1");
  const { path } = await openFilter([], {}, [port]);
  expect((await tunnel(path, `127.0.0.1:${port}`)).status).toContain("200");
  expect((await tunnel(path, `localhost:${port}`)).status).toContain("200");
  for (const name of ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"]) {
    expect((await tunnel(path, `${name}:${closed}`)).status).toMatch(/ (403|502|400|500) /);
  }
});

test("a name nobody knows is told as such, and nonsense is no reason to end", async () => {
  const { path } = await openFilter(["allowed.test"]);
  expect((await tunnel(path, "allowed.test:443")).status).toContain("502");
  for (const nonsense of [
    "\u0001\u0002\r\n\r\n",
    "CONNECT  HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "CONNECT :443 HTTP/1.1\r\n\r\n",
  ]) {
    const socket = connect(path);
    socket.on("error", () => undefined).end(nonsense);
    await once(socket.resume(), "close");
  }
  expect((await tunnel(path, "allowed.test:443")).status).toContain("502");
});

test("of an agent that asks for ever new names some are kept, each on one short line", async () => {
  const { path, filter } = await openFilter([]);
  for (let at = 0; at < 60; at++) await tunnel(path, `n${at}${"x".repeat(200)}.test:443`);
  expect(filter.refused()).toHaveLength(50);
  expect(Math.max(...filter.refused().map(({ host }) => host.length))).toBeLessThanOrEqual(80);
});

/** What is answered to words of one's own, until the other side ends. */
async function answerTo(path: string, words: string): Promise<string> {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("error", () => undefined).on("data", (data) => (text += data));
  socket.write(words);
  await once(socket, "close");
  return text;
}

test("a URL with a user name, which need not be one that can be read, is refused", async () => {
  const port = await echoServer("127.0.0.1");
  const { path } = await openFilter([], {}, [port]);
  for (const name of ["%zz", "u:%e0%a4%a", "u:p"]) {
    const words = `GET http://${name}@localhost:${port}/ HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    expect(await answerTo(path, words)).toContain("400 Bad Request");
  }
});

test("no second request passes behind one, nor is a connection used again", async () => {
  const asked: string[] = [];
  const server = createHttpServer(({ url, headers }, response) => {
    asked.push(`${url} ${headers.connection}`);
    response.end("here");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { path } = await openFilter([], {}, [port]);
  const hidden = "GET /hidden HTTP/1.1\r\nHost: other.test\r\n\r\n";
  const start = `GET http://localhost:${port}/seen HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
  const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
  expect(await answerTo(path, `${start}Transfer-Encoding: chunked\r\n\r\n${chunk}`)).toContain("here");
  expect(asked).toEqual(["/seen close"]);
});

test("requests that come behind one another without end open no connection without end", async () => {
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    client.on("error", () => undefined).resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { path } = await openFilter([], {}, [port]);
  const socket = connect(path).on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(`GET http://localhost:${port}/ HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(300));
  await expect.poll(() => connections).toBeGreaterThan(50);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(connections).toBeLessThanOrEqual(100);
});
