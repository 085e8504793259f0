import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type AgentResult, runAgent, taskText } from "../execute/agent.js";
import { agentEnvironment } from "../execute/environment.js";
import type { Supervision } from "../execute/program.js";
import { renderPrompt } from "../execute/prompts/prompt.js";
import { runSetup, type SetupResult } from "../execute/setup.js";
import type { BorrowedSet } from "../isolate/borrow.js";
import type { RunDatabase } from "../isolate/database/database.js";
import type { RunNetwork } from "../isolate/network/network.js";
import type { Workspace } from "../isolate/workspace/workspace.js";
import type { Metered } from "../model/agent.js";
import { MultirunError, messageOf } from "../model/error.js";
import type { PlannedRun, Variant } from "../model/experiment.js";
import type { Holder } from "../model/ids.js";
import type { Wrap } from "../model/sandbox.js";
import { type Secret, urlSecrets } from "../model/secret.js";
import type { Base, Context } from "./context.js";
import { type Ended, nothingUsed } from "./ended.js";
import type { RunFiles } from "./folder.js";
import { serverSecrets } from "./secrets.js";

/** One attempt of one run, with all it works on. */
export interface Attempt {
  planned: Pick<PlannedRun, "portBase">;
  variant: Variant;
  holder: Holder;
  files: RunFiles;
  workspace: Workspace;
  database: RunDatabase | null;
  /** Puts its programs into its sandbox; undefined where it has none. */
  wrap: Wrap | undefined;
  /** What nothing of it may hold, beside its database's URL; the token for its model is added once there is one. */
  secrets: Secret[];
  /** In place of the machine's; null where it has that. */
  network: RunNetwork | null;
  /** Aborted on cancel and when another process took the run over. */
  signal: AbortSignal;
}

const retryAfterMs = [500, 2_000];

/**
 * Borrows what an attempt works on. Only this is tried again when it fails: what an agent does is a result.
 * @throws the last error
 */
export async function provision(
  context: Context,
  { borrowed, holder, base, variant }: { borrowed: BorrowedSet; holder: Holder; base: Base; variant: Variant },
): Promise<Held> {
  const { found } = await context.models.agentOf(variant);
  for (const waitMs of [...retryAfterMs, undefined]) {
    try {
      const workspace = await borrowed.borrow(context.workspaces, holder);
      const { provider, databases } = context.database;
      await base.sealed;
      const database = provider === "none" ? null : await borrowed.borrow(databases, holder);
      const ofServer = database ? serverSecrets(context.database.adminUrl(database.name)) : [];
      return {
        workspace,
        database,
        secrets: [...context.secrets, ...ofServer],
        ...(await enclose(context, holder, { workspace, database, folders: found?.folders })),
      };
    } catch (error) {
      const passing = error instanceof MultirunError ? error.code === "infra" : true;
      if (waitMs === undefined || !passing || context.signal.aborted) throw error;
      context.deps.log.warn(`${holder.run}: ${messageOf(error)}; trying again`);
      await context.deps.sleep(waitMs, context.signal);
      await reviveServer(context);
    }
  }
  throw new MultirunError("infra", `${holder.run} could not be provisioned`);
}

type Held = Pick<Attempt, "workspace" | "database" | "wrap" | "network" | "secrets">;

/** The sandbox and the network of an attempt. */
export async function enclose(
  context: Pick<Context, "network" | "sandbox">,
  holder: Holder,
  { workspace, database, folders }: Pick<Held, "workspace" | "database"> & { folders?: readonly string[] | undefined },
): Promise<Pick<Held, "wrap" | "network">> {
  const network = await context.network.around(holder, database?.url);
  try {
    return { network, wrap: await context.sandbox.around(workspace, folders, network?.sandbox) };
  } catch (error) {
    await network?.close();
    throw error;
  }
}

/** A server that died has its databases still: started again, it goes on where it was. */
export async function reviveServer({ database, experiment }: Context): Promise<void> {
  await database.server?.acquire({ experiment: experiment.id, run: "base", attempt: 1 });
}

/** Setup, then the agent; both supervised, neither believed. */
export async function workOn(context: Context, attempt: Attempt): Promise<Ended> {
  const { variant, workspace, files, holder } = attempt;
  const startedAt = new Date(context.deps.now()).toISOString();
  const { warnings } = workspace;
  const setup = await setUp(context, attempt);
  if (!setup.ok) {
    if (setup.cancelled) throw attempt.signal.reason;
    return { outcome: "infra_failed", reason: setup.reason, agent: null, startedAt, warnings, ...nothingUsed };
  }
  await context.ledger.write({ event: "state", run: holder.run, attempt: holder.attempt, state: "running" });
  const { agent, found, login } = await context.models.agentOf(variant);
  const model = await context.models.open(variant, holder.run);
  attempt.secrets.push(...(model ? [model.access.token] : []));
  if (model) await attempt.network?.open(Number(new URL(model.access.urls.anthropic).port));
  const supervision = superviseBy(context, attempt);
  const program = found && { file: found.file };
  try {
    const result = await runAgent({
      ...supervision,
      invocation: { ...agent.invocation({ model: variant.model, access: model?.access ?? null }), ...program },
      parser: agent.parser,
      variant,
      signs: model ? [() => model.metered().bytes] : [],
      task: promptOf(context, attempt),
      paths: { ...workspace, out: files.folder },
      environment: { ...environmentOf(context, attempt, variant.timeoutMs), ...revealed(login) },
    });
    const version = found && { version: found.version };
    // Of a known agent all calls go through the gateway; of a command nobody can say.
    const metered = model?.metered();
    const tried = metered && (found || metered.requests > 0 || metered.stopped !== null);
    const usage = tried ? metered.usage : result.usage;
    const refused = attempt.network?.refused() ?? [];
    const asked = refused.length > 0 ? { refusedHosts: refused } : {};
    return { ...judge(result, metered), usage, agent: result.end, startedAt, warnings, ...version, ...asked };
  } finally {
    model?.close();
  }
}

/** An agent with an adapter is told how it works here; a command gets the task as it is. */
function promptOf({ experiment, deps }: Context, { variant, workspace, database }: Attempt): string {
  const task = taskText(variant.prompt, experiment.task.text);
  if (variant.command !== null) return task;
  const { contract, timeoutMs } = variant;
  const now = deps.now();
  const { claimsFile } = workspace;
  return renderPrompt({ task, contract, now, deadline: now + timeoutMs, claimsFile, hasDatabase: database !== null });
}

function revealed(login: Readonly<Record<string, Secret>>): Record<string, string> {
  return Object.fromEntries(Object.entries(login).map(([name, secret]) => [name, secret.reveal()]));
}

/**
 * What came of it: what the gateway saw goes before what the agent says. An agent that ended well got over what its maker
 * refused it now and then, but not over what let no further call pass: a budget, a key, a price nobody knows.
 */
function judge(
  { outcome, reason, denied }: AgentResult,
  metered: Metered | undefined,
): Pick<Ended, "outcome" | "reason" | "flags"> {
  const flags = denied > 0 ? ["permission_denied"] : [];
  const stop = metered?.stopped ?? (outcome === "completed" ? null : metered?.refused);
  return stop && outcome !== "cancelled" ? { ...stop, flags } : { outcome, reason, flags };
}

/** Runs the variant's setup commands in an attempt's workspace. */
export async function setUp(context: Context, attempt: Attempt): Promise<SetupResult> {
  const { variant, workspace, files } = attempt;
  await rm(join(files.folder, "setup"), { recursive: true, force: true });
  return runSetup({
    ...superviseBy(context, attempt),
    commands: variant.setup,
    timeoutMs: variant.checkTimeoutMs,
    paths: { ...workspace, out: files.folder },
    environment: environmentOf(context, attempt, variant.checkTimeoutMs * variant.setup.length),
  });
}

/** What agent, setup and checks of an attempt see of the world. */
export function environmentOf(context: Context, attempt: Attempt, allowedMs: number): Record<string, string> {
  const { holder, workspace, files, database, planned, variant, network } = attempt;
  const environment = agentEnvironment({
    caller: context.deps.environment,
    holder,
    paths: { ...workspace, out: files.folder },
    portBase: planned.portBase,
    deadline: context.deps.now() + allowedMs,
    ...(database ? { databaseUrl: database.url } : {}),
    ...(variant.model === null ? {} : { model: variant.model }),
  });
  return { ...environment, ...network?.environment };
}

/** How every program of an attempt is watched, and what the ledger hears of it. */
export function superviseBy(context: Context, attempt: Attempt): Supervision {
  const { holder, variant, signal } = attempt;
  const head = { run: holder.run, attempt: holder.attempt, kind: "process" as const };
  return {
    graceMs: variant.graceMs,
    wrap: attempt.wrap,
    signal,
    secrets: secretsOf(attempt),
    onSurvivors: async (survivors) => {
      for (const { pid, startTime } of survivors) {
        await context.ledger.write({ event: "acquired", ...head, id: `${pid}:${startTime}` });
      }
    },
  };
}

export function secretsOf(attempt: Attempt): Secret[] {
  return [...attempt.secrets, ...(attempt.database ? urlSecrets(attempt.database.url) : [])];
}
