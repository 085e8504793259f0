import { expect, test } from "vitest";
import { parseNetworkRules, ruleFor } from "../../src/model/network.js";

const reaches = (allow: string[], host: string, port = 443) =>
  ruleFor(parseNetworkRules(allow), host, port) !== undefined;

test("a host is that host, on the web's ports or on the one it names", () => {
  expect(reaches(["example.com"], "example.com")).toBe(true);
  expect(reaches(["example.com"], "example.com", 80)).toBe(true);
  expect(reaches(["example.com"], "EXAMPLE.com.")).toBe(true);
  expect(reaches(["example.com"], "example.com", 22)).toBe(false);
  expect(reaches(["example.com"], "sub.example.com")).toBe(false);
  expect(reaches(["example.com"], "notexample.com")).toBe(false);
  expect(reaches(["example.com:8443"], "example.com", 8443)).toBe(true);
  expect(reaches(["example.com:8443"], "example.com")).toBe(false);
  expect(reaches(["büro.example"], "xn--bro-hoa.example")).toBe(true);
  expect(reaches(["10.1.2.3:8080"], "10.1.2.3", 8080)).toBe(true);
});

test("a star is every host below, and not the host itself", () => {
  expect(reaches(["*.example.com"], "a.b.example.com")).toBe(true);
  expect(reaches(["*.example.com"], "example.com")).toBe(false);
  expect(reaches(["*.example.com"], "example.com.evil.test")).toBe(false);
});

test("a set is the hosts of a package manager", () => {
  const { hosts } = parseNetworkRules(["npm", "pypi"]);
  expect(hosts.length).toBeGreaterThan(2);
  expect(hosts.every(({ named }) => !named)).toBe(true);
  expect(reaches(["pypi"], "pypi.org")).toBe(true);
});

test("this machine is reached by port only", () => {
  expect(parseNetworkRules(["localhost:6379", "127.0.0.1:6379", "[::1]:80"])).toEqual({
    hosts: [],
    ownPorts: [6379, 80],
  });
});

test.each([
  ["localhost", "names this machine without a port"],
  ["npn", 'is no set of hosts; did you mean "npm"?'],
  ["constructor", "is no set of hosts"],
  ["https://example.com", "is no host"],
  ["example.com/path", "is no host"],
  ["user@example.com", "is no host"],
  ["*", "is no host"],
  ["*.*.com", "is no host"],
  ["", "is no host"],
  ["a b.com", "is no host"],
  ["example.com:0", "names no port"],
  ["example.com:65536", "names no port"],
  ["\u001b[31m.com", "is no host"],
])("%j is refused with the reason", (entry, why) => {
  expect(() => parseNetworkRules([entry])).toThrow(why);
});
