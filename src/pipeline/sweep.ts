import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { endProcesses } from "../clients/end-processes.js";
import { listMarked } from "../clients/processes.js";
import { underLease } from "../isolate/claim.js";
import { openServerObjects, type ServerObjects } from "../isolate/database/database.js";
import { openNeonObjects } from "../isolate/database/neon/open.js";
import type { Leases } from "../isolate/leases.js";
import { type Held, inOrderOfRelease } from "../isolate/resource.js";
import { createWork, type FoundWork, findWork, isOwnFolder, listWork } from "../isolate/work.js";
import type { Deps } from "../model/deps.js";
import { badInput, messageOf } from "../model/error.js";
import type { Experiment } from "../model/experiment.js";
import { type ExperimentId, experimentId } from "../model/ids.js";
import type { Secret } from "../model/secret.js";
import { hasWorkers, sharedLease } from "./context.js";
import { accountOf, type ExperimentFolder, openExperimentFolder, removeExperimentFolder } from "./folder.js";
import { giveBackAll, listAll } from "./give-back.js";
import { neonKeyIn, type OpenOptions, openContext, openExperimentLeases } from "./open.js";
import { listExperiments } from "./status.js";

export interface SweepOptions {
  deps: Deps;
  repo: string;
  /** Where work folders lie. */
  temporary: string;
  /** A server to look for databases on. */
  databaseUrl: Secret | null;
  /** A Neon project to look for branches in, rather. */
  neonProject: string | null;
  /** One experiment by its id or its folder; null for all there are. */
  only: string | null;
  /** False: only list. */
  remove: boolean;
}

/** What was found of one experiment, whether or not anybody remembers it. */
export interface Finding {
  experiment: string;
  /** Its folder; null where it is gone or unknown. */
  path: string | null;
  /** Somebody works on it, here or perhaps elsewhere: nothing of it is touched. */
  live: boolean;
  found: string[];
  /** What is still there after removing; null where nothing was to be removed. */
  left: string[] | null;
}

/**
 * Finds what crashed experiments left by what really exists: work folders, marked processes, marked databases. Removes
 * it where asked to, unless somebody is alive, or may be, who still needs it. Nothing without our marker is touched.
 */
export async function sweepAll(options: SweepOptions): Promise<Finding[]> {
  const { deps, neonProject, databaseUrl } = options;
  const server =
    neonProject === null
      ? databaseUrl && (await openServerObjects(databaseUrl))
      : await openNeonObjects(neonProject, { deps, ...neonKeyIn(deps.environment) });
  try {
    return await sweepOver(server, options);
  } finally {
    server?.close();
  }
}

async function sweepOver(server: ServerObjects | null, options: SweepOptions): Promise<Finding[]> {
  const remains = await findRemains(server, options);
  const folders = await knownFolders(options, remains);
  const ids = new Set([...remains.works.map(({ marker }) => marker.experiment), ...remains.strays, ...folders.keys()]);
  for (const { holder } of remains.objects) ids.add(holder.experiment);

  const { only } = options;
  const wanted = [...ids].filter((id) => only === null || only === id || resolve(only) === folders.get(id));
  if (only !== null && wanted.length === 0 && !looksLikeOurs(only)) {
    throw badInput(`"${only}" is no experiment, and nothing of one is here`, "multirun status lists what there is.");
  }
  const findings: Finding[] = [];
  for (const id of wanted.sort()) {
    const path = folders.get(id) ?? null;
    try {
      const known = path === null ? undefined : await sweepKnown(path, options);
      findings.push(known ?? (await sweepForgotten(id, remains, { ...options, server })));
    } catch (error) {
      // One experiment's trouble, such as a folder that goes away just now, is no reason to leave the others.
      options.deps.log.warn(`${id} could not be swept: ${messageOf(error)}`);
    }
  }
  return findings.filter((finding) => finding.found.length > 0);
}

/** An id as they are made: of one that was given back wholly nothing is left to know it by. */
function looksLikeOurs(name: string): boolean {
  return /-\d{8}-\d{6}-[0-9a-z]{4}$|^compare-[0-9a-f]+$/.test(basename(name));
}

/** All that bears our marker. */
interface Remains {
  works: FoundWork[];
  objects: Held[];
  /** Experiments with processes. */
  strays: Set<ExperimentId>;
  /** Experiments with processes whose work folder is there and cannot be read as ours: nobody can say they are over. */
  unjudged: Set<ExperimentId>;
}

async function findRemains(server: ServerObjects | null, { temporary }: SweepOptions): Promise<Remains> {
  const works = new Map((await listWork(temporary)).map((each) => [each.path, each]));
  const objects = server ? await server.list() : [];
  const [strays, unjudged] = [new Set<ExperimentId>(), new Set<ExperimentId>()];
  for (const { experiment, work } of listMarked({})) {
    if (!isId(experiment)) continue;
    strays.add(experiment);
    // Its work folder may lie in another temporary folder than ours.
    const found = work === undefined ? "foreign" : (works.get(work) ?? (await findWork(work)));
    if (typeof found === "object" && found.marker.experiment === experiment) works.set(found.path, found);
    else if (found !== "gone") unjudged.add(experiment);
  }
  return { works: [...works.values()], objects, strays, unjudged };
}

async function knownFolders(
  { repo, only, temporary }: SweepOptions,
  { works }: Remains,
): Promise<Map<ExperimentId, string>> {
  const paths = [
    ...(await listExperiments(repo)),
    ...(await listAccounts(temporary)),
    ...(only === null ? [] : [only]),
    ...works.map(({ marker }) => marker.experimentFolder),
  ];
  const opened = await Promise.all(paths.map((path) => openExperimentFolder(path).catch(() => undefined)));
  return new Map(opened.flatMap((each) => (each && isOwnName(each) ? [[each.experiment.id, each.folder.path]] : [])));
}

/** @returns undefined where the folder was removed meanwhile */
async function sweepKnown(path: string, options: SweepOptions): Promise<Finding | undefined> {
  const { deps } = options;
  const opened = await openExperimentFolder(path).catch(() => undefined);
  if (!opened) return undefined;
  const { folder, experiment } = opened;
  const leases = await openExperimentLeases(folder, deps);
  const head = { experiment: experiment.id, path };
  if (await hasWorkers(leases)) return { ...head, live: true, found: ["its workers"], left: null };
  const asked = experiment.database.provider !== "postgres" || options.databaseUrl !== null;
  if (!asked)
    deps.log.warn(`${experiment.id} used ${experiment.database.server}: pass --database-url to look there too`);
  const database = { ...experiment.database, ...(asked ? {} : { provider: "none" as const }) };
  const plan = { ...experiment, database };
  const account = path === accountOf(experiment.work) ? [`account ${path}`] : [];
  const finding = await sweepUnderLease(
    { ...options, folder, experiment: plan, cancel: new AbortController() },
    leases,
  );
  if (account.length > 0 && finding.left?.length === 0) await removeExperimentFolder(folder);
  return { ...head, ...finding, found: [...finding.found, ...account] };
}

/** Whoever goes on with the experiment meanwhile waits for this lease before it makes anything. */
async function sweepUnderLease(
  options: OpenOptions & Pick<SweepOptions, "remove">,
  leases: Leases,
): Promise<Pick<Finding, "live" | "found" | "left">> {
  const { context, close } = await openContext(options);
  try {
    return await underLease(context, sharedLease, async () => {
      const [live, found] = [await hasWorkers(leases), await listAll(context)];
      if (live || !options.remove) return { live, found, left: null };
      if (found.length > 0) await giveBackAll(context);
      return { live, found, left: await listAll(context) };
    });
  } finally {
    await close();
  }
}

/** Anybody can make an account in a temporary folder: it speaks for the experiment it is named after, and for no other. */
function isOwnName({ folder, experiment }: { folder: ExperimentFolder; experiment: Experiment }): boolean {
  return !folder.path.endsWith(accountOf("")) || basename(folder.path) === accountOf(`multirun-${experiment.id}`);
}

/** This user's experiment folders among the temporary ones: a comparison that was killed leaves its own there. */
async function listAccounts(temporary: string): Promise<string[]> {
  const names = (await readdir(temporary)).filter((name) => /^multirun-compare-[0-9a-f]+\.account$/.test(name)).sort();
  const own = await Promise.all(names.map((name) => isOwnFolder(join(temporary, name))));
  return names.filter((_, at) => own[at]).map((name) => join(temporary, name));
}

/** No folder tells whether somebody is at it: a work folder's experiment cannot go on without one, a server's may. */
async function sweepForgotten(
  id: ExperimentId,
  remains: Remains,
  { deps, server, remove }: SweepOptions & { server: ServerObjects | null },
): Promise<Finding> {
  const objects = remains.objects.filter(({ holder }) => holder.experiment === id);
  const works = remains.works.filter(({ marker }) => marker.experiment === id);
  const inUse = objects.some(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > deps.now());
  const live = inUse || remains.unjudged.has(id);
  const processes = () => listMarked({ experiment: id });
  const list = (held: readonly Held[], folders: readonly FoundWork[]): string[] => [
    ...processes().map((each) => `process ${each.pid}`),
    ...held.map((each) => `${each.kind} ${each.id}`),
    ...folders.map((each) => `work ${each.path}`),
  ];
  const finding = { experiment: id, path: null, live, found: list(objects, works) };
  if (live || !remove) return { ...finding, left: null };
  await endProcesses(processes, { graceMs: 500 });
  const holder = { experiment: id, run: "base", attempt: 1 } as const;
  for (const { path, marker } of works) {
    const { experimentFolder } = marker;
    await createWork({ experiment: id, experimentFolder, work: path, now: deps.now }).release(holder);
  }
  if (server) for (const each of inOrderOfRelease(objects).flat()) await server.release(each);
  const again = server ? await server.list() : [];
  return {
    ...finding,
    left: list(
      again.filter((each) => each.holder.experiment === id),
      [],
    ),
  };
}

function isId(text: string): text is ExperimentId {
  return experimentId.safeParse(text).success;
}
