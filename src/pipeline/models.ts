import type { Agent } from "../execute/agents/adapter.js";
import { commandAgent } from "../execute/agents/command.js";
import { type FoundAgent, findAgent } from "../execute/agents/find.js";
import { adapterOf, loginOf } from "../execute/agents.js";
import { dialects, type Gateway, type GatewayRun, openGateway } from "../execute/gateway/gateway.js";
import { type Protocol, protocols } from "../model/agent.js";
import type { Deps } from "../model/deps.js";
import { badInput, MultirunError } from "../model/error.js";
import type { Experiment, Variant } from "../model/experiment.js";
import type { Holder } from "../model/ids.js";
import { Secret } from "../model/secret.js";
import type { ExperimentFolder } from "./folder.js";
import { openSpending, type Spending } from "./spending.js";

/** An agent as it is on this machine. */
export interface ReadyAgent {
  agent: Agent;
  /** Undefined where it is a command line of the user's. */
  found: FoundAgent | undefined;
  /** Logins of the caller's own, which it gets in direct mode only. */
  login: Readonly<Record<string, Secret>>;
}

/** How the agents of an experiment are started and reach their models. */
export interface Models {
  /** @throws MultirunError `bad_input` where its program is missing */
  agentOf(variant: Variant): Promise<ReadyAgent>;
  /** The gateway for one run; null where agents reach their models without it, or there is no key to any. */
  open(variant: Variant, run: Holder["run"]): Promise<GatewayRun | null>;
  close(): Promise<void>;
}

export interface ModelsOptions {
  experiment: Experiment;
  folder: ExperimentFolder;
  deps: Deps;
}

/** Nothing is started or looked for before it is needed. */
export function createModels({ experiment, folder, deps }: ModelsOptions): Models {
  const keys = keysIn(deps.environment);
  const agents = new Map<string, Promise<ReadyAgent>>();
  let gateway: Promise<Gateway> | undefined;
  let spending: Promise<Spending> | undefined;
  return {
    agentOf(variant) {
      const known = agents.get(variant.name);
      if (known) return known;
      const ready = readyAgent(variant, experiment, deps);
      agents.set(variant.name, ready);
      return ready;
    },
    async open({ budgetUsd, timeoutMs, graceMs }, run) {
      if (experiment.modelAccess === "direct" || Object.keys(keys).length === 0) return null;
      spending ??= openSpending(folder.spending);
      const spent = await spending;
      gateway ??= openGateway({
        ...deps,
        keys,
        upstreams: upstreamsIn(deps.environment),
        totalBudgetUsd: experiment.budgetUsd,
        alreadySpentUsd: spent.totalUsd,
        ...(experiment.prices ? { prices: experiment.prices } : {}),
      });
      return (await gateway).open({
        budgetUsd,
        deadline: deps.now() + timeoutMs + graceMs,
        earlier: spent.of(run),
        onCharge: (charge) => spent.add(run, charge),
      });
    },
    close: async () => {
      await (await gateway?.catch(() => undefined))?.close();
      await (await spending?.catch(() => undefined))?.written();
    },
  };
}

async function readyAgent(variant: Variant, { modelAccess }: Experiment, deps: Deps): Promise<ReadyAgent> {
  if (variant.command !== null) return { agent: commandAgent(variant.command), found: undefined, login: {} };
  const adapter = adapterOf(variant.agent);
  if (!adapter)
    throw new MultirunError("bad_artifact", `experiment.json names an agent "${variant.agent}" that is not known`);
  const found = await findAgent(adapter, deps.environment["PATH"] ?? "");
  return { agent: adapter, found, login: modelAccess === "direct" ? loginOf(adapter, deps.environment) : {} };
}

/**
 * Says before anything starts what an agent lacks to reach its model.
 * @throws MultirunError `bad_input`
 */
export function requireKeys({ variants, modelAccess }: Experiment, deps: Pick<Deps, "environment">): void {
  const keys = keysIn(deps.environment);
  for (const { agent, command, model } of variants) {
    const adapter = command === null ? adapterOf(agent) : undefined;
    if (!adapter) continue;
    if (modelAccess === "direct") {
      if (Object.keys(loginOf(adapter, deps.environment)).length > 0) continue;
      throw badInput(`agent "${agent}" has no login: none of ${adapter.logins.join(", ")} is set`, "Set one of them.");
    }
    const { keyVariable } = dialects[adapter.protocol(model)];
    if (keys[adapter.protocol(model)]) continue;
    throw badInput(
      `agent "${agent}" has no key for its model: ${keyVariable} is not set`,
      `Set ${keyVariable}, which the gateway adds and no agent sees; or modelAccess: direct, for a login of your own.`,
    );
  }
}

/**
 * Whoever goes on with an experiment must meter it as it was planned: without any key there is no gateway to keep a budget.
 * @throws MultirunError `bad_input`
 */
export function requireMeter(
  { budgetUsd, variants, modelAccess, notEnforced }: Experiment,
  deps: Pick<Deps, "environment">,
): void {
  const limited = budgetUsd !== null || variants.some((variant) => variant.budgetUsd !== null);
  const kept = modelAccess === "gateway" && !notEnforced.includes("budget");
  if (!limited || !kept || Object.keys(keysIn(deps.environment)).length > 0) return;
  throw badInput(
    "the experiment has a budget, and no key for a model is set: nothing could be metered",
    "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY as when it was started.",
  );
}

/** Keys of the caller's, by the protocol they are for. */
export function keysIn(environment: Deps["environment"]): Partial<Record<Protocol, Secret>> {
  return Object.fromEntries(
    protocols.flatMap((protocol) => {
      const key = environment[dialects[protocol].keyVariable];
      return key ? [[protocol, new Secret(key)]] : [];
    }),
  );
}

/** The caller's own proxies, where agents called by hand would go as well. */
function upstreamsIn(environment: Deps["environment"]): Partial<Record<Protocol, string>> {
  const variables = { anthropic: "ANTHROPIC_BASE_URL", openai: "OPENAI_BASE_URL", gemini: "GOOGLE_GEMINI_BASE_URL" };
  return Object.fromEntries(
    protocols.flatMap((protocol) => {
      const url = environment[variables[protocol]];
      if (!url) return [];
      if (!URL.canParse(url))
        throw badInput(`${variables[protocol]}: "${url}" is no URL`, "Write https://host or unset it.");
      return [[protocol, url.replace(/\/(?:v1\/?)?$/, "").replace(/\/v1$/, "")]];
    }),
  );
}
