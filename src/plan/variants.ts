import { agentNames } from "../model/agent.js";
import type { Config, VariantConfig } from "../model/config.js";
import { badInput } from "../model/error.js";
import {
  defaultFirstSignMs,
  defaultStallMs,
  type PlannedCheck,
  type PlannedRun,
  type Variant,
} from "../model/experiment.js";
import { maxRuns, runIds } from "../model/ids.js";
import { nearest } from "../model/strict.js";
import { mergeSettings } from "./config.js";

/** Arms as flags write them: `claude:3,codex:2`, or one name for all runs. */
export interface Arms {
  agent?: string | undefined;
  model?: string | undefined;
  prompt?: string | undefined;
}

export interface VariantDefaults {
  timeoutMs: number;
  graceMs: number;
  checkTimeoutMs: number;
}

export const variantDefaults: VariantDefaults = { timeoutMs: 30 * 60_000, graceMs: 5_000, checkTimeoutMs: 10 * 60_000 };

/** How many runs each variant gets: stated counts first, the rest evenly in order. */
export interface Share {
  config: VariantConfig;
  runs: number;
}

/**
 * Turns arms or `variants:` into shares of n runs. At most one arm may list several; mixes are written as `variants:`.
 * @throws MultirunError `bad_input`: impossible count, sum that differs from n, two lists at once
 */
export function shareRuns(config: Config, arms: Arms, runs: number | undefined): Share[] {
  const lists = (["agent", "model", "prompt"] as const)
    .map((key) => ({ key, arms: parseArms(key, arms[key]) }))
    .filter((list) => list.arms.length > 0);
  const several = lists.filter((list) => list.arms.length > 1);
  if (several.length > 1) {
    throw badInput(
      `--${several[0]?.key} and --${several[1]?.key} both list several arms`,
      "Vary one of them, or write the mix as variants: in .github/multirun.yml.",
    );
  }
  const varied = several[0] ?? lists[0];
  const fixed = Object.fromEntries(
    lists.filter((list) => list !== varied).map((list) => [list.key, list.arms[0]?.name]),
  );
  const configs: VariantConfig[] = varied
    ? varied.arms.map((arm) => ({ name: arm.name, runs: arm.runs, ...fixed, [varied.key]: arm.name }))
    : (config.variants ?? [{ name: "default" }]);
  const names = configs.map((each) => each.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw badInput(`variant "${twice}" is listed twice`, "Give every variant one name and one count.");
  return distribute(configs, runs);
}

function parseArms(key: string, text: string | undefined): { name: string; runs: number | undefined }[] {
  if (text === undefined) return [];
  return text.split(",").map((part) => {
    const match = /^\s*(.+?)(?::(\d+))?\s*$/.exec(part);
    if (!match?.[1]) throw badInput(`--${key}: "${text}" has an empty arm`, `Write --${key} NAME or --${key} A:3,B:2.`);
    return { name: match[1], runs: match[2] === undefined ? undefined : Number(match[2]) };
  });
}

function distribute(configs: VariantConfig[], runs: number | undefined): Share[] {
  const stated = configs.reduce((sum, each) => sum + (each.runs ?? 0), 0);
  const open = configs.filter((each) => each.runs === undefined).length;
  const total = runs ?? (open === 0 ? stated : Math.max(10, stated + open));
  const rest = total - stated;
  const hint = "Let the counts of the variants sum up to the number of runs, or leave counts out.";
  if (total < 1 || total > maxRuns) {
    throw badInput(`the variants ask for ${total} runs; the limit is 1 to ${maxRuns}`, hint);
  }
  if (rest < open || (open === 0 && rest !== 0)) {
    throw badInput(
      `the variants ask for ${stated} runs${open ? ` and ${open} more variants` : ""}, planned are ${total}`,
      hint,
    );
  }
  let given = 0;
  let seen = 0;
  return configs.map((config) => {
    if (config.runs !== undefined) return { config, runs: config.runs };
    seen += 1;
    const upTo = Math.floor((rest * seen) / open);
    const share = upTo - given;
    given = upTo;
    return { config, runs: share };
  });
}

/**
 * Resolves one variant: global settings, then its own.
 * @throws MultirunError `bad_input`: no agent and no command, agent without a command line
 */
export function resolveVariant(config: Config, own: VariantConfig, readPrompt: (path: string) => string): Variant {
  const { name, runs: _, ...overrides } = own;
  const merged = mergeSettings<VariantConfig>(perRunSettings(config), overrides);
  const { agent, command } = resolveAgent(config, own);
  return {
    name,
    agent,
    command,
    model: merged.model ?? null,
    prompt: merged.prompt === undefined ? null : readPrompt(merged.prompt),
    scripted: false,
    timeoutMs: merged.timeout ?? variantDefaults.timeoutMs,
    graceMs: variantDefaults.graceMs,
    stallMs: merged.stall ?? defaultStallMs,
    firstSignMs: merged.firstSign ?? Math.min(defaultFirstSignMs, merged.stall ?? defaultFirstSignMs),
    budgetUsd: merged.budget?.perRun ?? null,
    setup: merged.setup ?? [],
    checks: (merged.checks ?? []).map(planCheck),
    checkTimeoutMs: merged.checkTimeout ?? variantDefaults.checkTimeoutMs,
    contract: merged.contract ?? {},
  };
}

/** Numbered later, when the checks of all variants are known. */
function planCheck(check: NonNullable<Config["checks"]>[number]): PlannedCheck {
  const { run, report: path, format } = typeof check === "string" ? { run: check } : check;
  const report = path === undefined ? {} : { report: { path, ...(format === undefined ? {} : { format }) } };
  return { id: run, title: run, command: run, ...report };
}

function perRunSettings(config: Config): Partial<VariantConfig> {
  const { agent, model, command, prompt, timeout, stall, firstSign, setup, checks, checkTimeout, contract, budget } =
    config;
  return { agent, model, command, prompt, timeout, stall, firstSign, setup, checks, checkTimeout, contract, budget };
}

/**
 * Own command, else the own or global agent's command line, else, where no own agent is named, the global command, else
 * the adapter of the agent's name.
 */
function resolveAgent(config: Config, own: VariantConfig): { agent: string; command: string | null } {
  const agent = own.agent ?? config.agent;
  const known = config.agents ?? {};
  const listed = agent !== undefined && Object.hasOwn(known, agent) ? known[agent]?.command : undefined;
  const command = own.command ?? listed ?? (own.agent === undefined ? config.command : undefined);
  if (command !== undefined) return { agent: agent ?? "command", command };
  if (agent === undefined) {
    throw badInput(
      "no agent: neither agent nor command is set",
      `Pass --agent ${agentNames[0]} (or ${agentNames.slice(1).join(", ")}), or --command "your-agent …".`,
    );
  }
  if (agentNames.some((name) => name === agent)) return { agent, command: null };
  const near = nearest(agent, [...agentNames, ...Object.keys(known)]);
  throw badInput(
    `agent "${agent}" has no command line${near ? `; did you mean "${near}"?` : ""}`,
    `Known are ${agentNames.join(", ")}; write agents: { ${agent}: { command: "…" } } in .github/multirun.yml for another.`,
  );
}

/** Gives equal check commands one id over all variants, so that runs are compared check by check. */
export function numberChecks(variants: readonly Variant[]): Variant[] {
  const commands = [...new Set(variants.flatMap((each) => each.checks.map((check) => check.command)))];
  return variants.map((each) => ({
    ...each,
    checks: each.checks.map((check) => ({ ...check, id: `c${commands.indexOf(check.command) + 1}` })),
  }));
}

const firstPort = 20_000;
const portsPerRun = 20;
/** Ranges an experiment may begin at: with 256 runs behind the last one all stay below the system's own range (32768). */
const portStarts = 380;

/** Numbers the runs r01… in the order of the variants; `seed` spreads the port ranges of experiments side by side. */
export function numberRuns(shares: readonly Share[], seed: number): PlannedRun[] {
  const names = shares.flatMap((share) => Array.from({ length: share.runs }, () => share.config.name));
  return runIds(names.length).map((id, index) => ({
    id,
    variant: names[index] ?? "default",
    portBase: firstPort + ((seed % portStarts) + index) * portsPerRun,
  }));
}
