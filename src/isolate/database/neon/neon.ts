import { withClient } from "../../../clients/postgres.js";
import type { Deps } from "../../../model/deps.js";
import { codeOf, MultirunError, messageOf } from "../../../model/error.js";
import { type Experiment, lifetimeMs, type NeonPlace } from "../../../model/experiment.js";
import type { Holder } from "../../../model/ids.js";
import type { Secret } from "../../../model/secret.js";
import type { DatabaseProvider, RunDatabase } from "../database.js";
import { applySeeds } from "../seed.js";
import { endOtherSessions } from "../sessions.js";
import type { Neon } from "./api.js";
import { acquireBranch, findBranch, requireOurs } from "./branches.js";
import { checkProject, type Project } from "./check.js";
import { markBase, readMark, requireMark } from "./mark.js";
import { branchName } from "./names.js";
import { neonObjects } from "./objects.js";
import { untilDone } from "./weather.js";

export interface NeonDatabaseOptions {
  experiment: Pick<Experiment, "id" | "repo" | "parallel" | "database" | "variants" | "runs">;
  place: NeonPlace;
  neon: () => Promise<Neon>;
  deps: Pick<Deps, "log" | "now" | "sleep">;
}

/** For one branch with its compute, in whatever weather. */
const acquireMs = 5 * 60_000;
/** Beyond the longest a run can take: a branch of ours must not expire under it. */
const slackMs = 30 * 60_000;

/** Where the branches of one holder are reached. */
interface Reached {
  id: string;
  direct: Secret;
}

/**
 * A branch of the project's parent as base, seeded once, and a branch of base for each attempt. No URL leaves it before the
 * branch behind it was seen to be ours, to be neither default nor protected, to be served elsewhere than its parent, and to
 * hold the mark that was written into base.
 */
export function neonDatabases({ experiment, place, neon, deps }: NeonDatabaseOptions): DatabaseProvider {
  const { database, role } = place;
  const reached = new Map<string, Reached>();
  let project: Promise<Project> | undefined;
  const until = (ms: number): number => deps.now() + ms;
  const known = async (): Promise<Project> => {
    project ??= neon().then((opened) => checkProject(opened, place, until(acquireMs)));
    return project;
  };
  const markFor = ({ run }: Holder) => {
    const expires = new Date(Math.ceil((deps.now() + lifetimeMs(experiment) + slackMs) / 1_000) * 1_000);
    return {
      experiment: experiment.id,
      run,
      repo: experiment.repo,
      expires: expires.toISOString().replace(".000Z", "Z"),
    };
  };
  const base: Holder = { experiment: experiment.id, run: "base", attempt: 1 };

  /** URLs of a branch that was seen to be ours, once its host was seen to be nobody else's. */
  const reach = async (
    id: string,
    name: string,
    others: readonly string[],
  ): Promise<{ pooled: Secret; direct: Secret }> => {
    const opened = await neon();
    const at = { branchId: id, database, role };
    const [pooled, direct] = await Promise.all(
      [true, false].map((each) => opened.uri({ ...at, pooled: each }, until(acquireMs))),
    );
    if (!pooled || !direct) throw new MultirunError("infra", `Neon tells no URL of ${name}`);
    for (const url of [pooled, direct]) refuseHost(hostOf(url), others, name);
    reached.set(name, { id, direct });
    return { pooled, direct };
  };

  const acquireBase = async (): Promise<RunDatabase> => {
    const opened = await neon();
    const { parentId, parentHosts } = await known();
    const name = branchName(base);
    const wish = { holder: base, parentId, at: place.at, mark: markFor(base) };
    const { id } = await acquireBranch(opened, wish, { ...deps, until: until(acquireMs) });
    // Branches inherit passwords: without this each run's URL would hold the parent's.
    await untilDone(() => opened.renewPassword(id, role, until(acquireMs)));
    const { direct } = await reach(id, name, parentHosts);
    await whenAwake(direct, deps, until(acquireMs));
    await markBase(direct, experiment.id, "making");
    await applySeeds(direct, experiment.database.seeds, {});
    return { url: direct, name, lineage: "clone" };
  };

  const reachBase = async (): Promise<Reached> => {
    const before = reached.get(branchName(base));
    if (before) return before;
    const { parentId, parentHosts } = await known();
    const found = await findBranch(await neon(), branchName(base), until(acquireMs));
    if (!found) throw new MultirunError("infra", `the branch ${branchName(base)} is not there`);
    requireOurs(found, { holder: base, parentId });
    const { direct } = await reach(found.id, found.name, parentHosts);
    return { id: found.id, direct };
  };

  const acquireRun = async (holder: Holder): Promise<RunDatabase> => {
    const opened = await neon();
    const { parentHosts } = await known();
    const parent = await reachBase();
    const name = branchName(holder);
    const wish = { holder, parentId: parent.id, at: null, mark: markFor(holder) };
    const { id } = await acquireBranch(opened, wish, { ...deps, until: until(acquireMs) });
    const { pooled, direct } = await reach(id, name, [...parentHosts, hostOf(parent.direct)]);
    await whenAwake(direct, deps, until(acquireMs));
    await requireMark(direct, experiment.id, name);
    return { url: pooled, name, lineage: "clone" };
  };

  return {
    provider: "neon",
    server: null,
    async check() {
      const { free } = await known();
      return { atOnce: free - 1 };
    },
    databases: {
      kind: "database",
      idFor: branchName,
      acquire: async (holder) => {
        if (holder.run === "base") return acquireBase();
        if (holder.run !== "reference") return acquireRun(holder);
        const { direct } = await reachBase();
        return { url: direct, name: branchName(holder), lineage: "clone" };
      },
      release: async (holder) => {
        if (holder.run === "reference") return;
        reached.delete(branchName(holder));
        await neonObjects(await neon(), place.project, deps).release(holder);
      },
      list: async () => {
        const all = await neonObjects(await neon(), place.project, deps).list();
        return all.filter(({ holder }) => holder.experiment === experiment.id);
      },
    },
    async seal() {
      await markBase((await reachBase()).direct, experiment.id, "ready");
    },
    async isSealed() {
      if (!(await findBranch(await neon(), branchName(base), until(acquireMs)))) return false;
      const { direct } = await reachBase();
      await whenAwake(direct, deps, until(acquireMs));
      return (await readMark(direct)) === `${experiment.id} ready`;
    },
    async endSessions(name) {
      await withClient(urlOf(name), {}, (client) => endOtherSessions(client, null, deps));
    },
    adminUrl: (name) => urlOf(name),
    close: () => undefined,
  };

  function urlOf(name: string): Secret {
    const found = reached.get(name);
    if (found) return found.direct;
    throw new MultirunError("infra", `the branch ${name} was not acquired here`, { hint: "Acquire it first." });
  }
}

export function hostOf(url: Secret): string {
  return new URL(url.reveal()).host;
}

function refuseHost(host: string, others: readonly string[], name: string): void {
  if (!others.includes(host)) return;
  throw new MultirunError(
    "infra",
    `the branch ${name} is served at ${host}, where its parent is: its URL is given to nobody`,
  );
}

/** A compute that sleeps, or is not there yet, refuses at first. */
async function whenAwake(url: Secret, { now, sleep }: Pick<Deps, "now" | "sleep">, until: number): Promise<void> {
  for (let waitMs = 200; ; waitMs = Math.min(2_000, waitMs * 2)) {
    try {
      return await withClient(url, {}, async (client) => void (await client.query("SELECT 1")));
    } catch (error) {
      // Of a wrong password, role or database no waiting makes a right one.
      const code = codeOf(error) ?? "";
      if (/^(?:28|3D|42)/.test(code) || now() + waitMs > until) {
        throw new MultirunError("infra", `${hostOf(url)} cannot be connected to: ${messageOf(error)}`, {
          cause: error,
        });
      }
      await sleep(waitMs);
    }
  }
}
