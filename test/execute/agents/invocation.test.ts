import { expect, test } from "vitest";
import { commandAgent } from "../../../src/execute/agents/command.js";
import { loginOf } from "../../../src/execute/agents.js";
import { Secret } from "../../../src/model/secret.js";
import { adapter, adapters } from "./support.js";

const urls = { anthropic: "http://127.0.0.1:1/a", openai: "http://127.0.0.1:1/o/v1", gemini: "http://127.0.0.1:1/g" };
const access = { urls, token: new Secret("token-of-this-run") };
const model = (name: string) => (name === "opencode" ? "openai/gpt-5-codex" : "some-model");

test.each(adapters.map((each) => [each.name, each] as const))(
  "%s gets the token by its environment alone",
  (name, each) => {
    const { args, files, environment } = each.invocation({ model: model(name), access });
    expect(JSON.stringify([args, files])).not.toContain("token-of-this-run");
    expect(Object.values(environment).join(" ")).toContain("token-of-this-run");
  },
);

test.each(adapters.map((each) => [each.name, each] as const))(
  "%s is led to the gateway, by its own protocol",
  (name, each) => {
    const { args, environment } = each.invocation({ model: model(name), access });
    const all = [...args, ...Object.values(environment)].join(" ");
    const mine = each.protocol(model(name));
    expect(all).toContain(urls[mine]);
    for (const other of ["anthropic", "openai", "gemini"] as const)
      if (other !== mine) expect(all).not.toContain(urls[other]);
  },
);

test.each(adapters.map((each) => [each.name, each] as const))("%s in direct mode is led nowhere", (_, each) => {
  const { args, environment } = each.invocation({ model: null, access: null });
  expect([...args, ...Object.values(environment)].join(" ")).not.toMatch(/127\.0\.0\.1|token/i);
});

test("opencode's model names its maker", () => {
  const { protocol } = adapter("opencode");
  expect(protocol("anthropic/claude-sonnet-4-5")).toBe("anthropic");
  expect(protocol("google/gemini-2.5-pro")).toBe("gemini");
  expect(() => protocol("gpt-5")).toThrow('"gpt-5" is none');
  expect(() => protocol(null)).toThrow("none is named");
  expect(() => protocol("constructor/x")).toThrow("is none");
});

test("a command finds the gateway by the variables of the makers' own libraries", () => {
  const { file, args, environment } = commandAgent("work --now").invocation({ model: null, access });
  expect([file, ...args]).toEqual(["/bin/sh", "-c", "work --now"]);
  expect(environment).toMatchObject({ ANTHROPIC_BASE_URL: urls.anthropic, OPENAI_API_KEY: "token-of-this-run" });
});

test("a login is what the caller has of the variables an agent takes", () => {
  const login = loginOf(adapter("claude"), {
    ANTHROPIC_API_KEY: "key",
    CLAUDE_CODE_OAUTH_TOKEN: "",
    OPENAI_API_KEY: "no",
  });
  expect(Object.keys(login)).toEqual(["ANTHROPIC_API_KEY"]);
  expect(login["ANTHROPIC_API_KEY"]?.reveal()).toBe("key");
});

test("an agent without a login cannot go its own way", () => {
  expect(() => loginOf(adapter("codex"), { OPENAI_API_KEY: "no" })).toThrow('agent "codex" cannot log in by itself');
});
