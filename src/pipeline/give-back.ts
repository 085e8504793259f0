import { endProcesses } from "../clients/end-processes.js";
import { listMarked, type MarkedProcess } from "../clients/processes.js";
import { release } from "../isolate/borrow.js";
import { readLedger, tallyResources } from "../isolate/ledger.js";
import { type Held, inOrderOfRelease, type Resource } from "../isolate/resource.js";
import { messageOf } from "../model/error.js";
import { type Context, releaseMs } from "./context.js";

/**
 * Gives back all that exists of an experiment, whoever made it: first what runs, then workspaces, databases with their
 * server, and the work folder. Looks at the world, not at the ledger; the ledger is told.
 */
export async function giveBackAll(context: Context): Promise<void> {
  await endAll(context);
  for (const resource of resourcesOf(context)) await releaseAll(context, resource);
  await closeAccounts(context);
}

/** What is still there, by name. */
export async function listAll(context: Context): Promise<string[]> {
  const held = await Promise.all(resourcesOf(context).map((resource) => listOwn(context, resource)));
  const processes = listMarked({ experiment: context.experiment.id });
  return [...held.flat().map(({ kind, id }) => `${kind} ${id}`), ...processes.map((each) => `process ${each.pid}`)];
}

/** Databases of a server of ours go with it. */
function resourcesOf({ database, workspaces, work }: Context): Resource<unknown>[] {
  return [workspaces, database.server ?? database.databases, work];
}

async function releaseAll(context: Context, resource: Resource<unknown>): Promise<void> {
  const options = { ledger: context.ledger, releaseMs };
  for (const holders of inOrderOfRelease(await listOwn(context, resource))) {
    await Promise.all(holders.map((holder) => release(resource, holder, options)));
  }
}

async function listOwn({ experiment, deps }: Context, resource: Resource<unknown>): Promise<Held[]> {
  try {
    return (await resource.list()).filter((held) => held.holder.experiment === experiment.id);
  } catch (error) {
    deps.log.warn(`${resource.kind}s cannot be listed: ${messageOf(error)}`);
    return [];
  }
}

/** The server's processes are the server's to end: cut off, it could not drop its databases. */
async function endAll({ experiment }: Context): Promise<void> {
  const strays = (): MarkedProcess[] =>
    listMarked({ experiment: experiment.id }).filter((each) => each.run !== "server");
  await endProcesses(strays, { graceMs: 500 });
}

/** What the ledger has open and the world does not hold any more went back with something else, or never came to be. */
async function closeAccounts(context: Context): Promise<void> {
  const there = new Set(await listAll(context));
  const { open } = tallyResources(await readLedger(context.folder.ledger));
  const head = { event: "release", run: "experiment", attempt: 1 } as const;
  for (const { kind, id } of open) {
    if (!there.has(`${kind} ${id.split(":")[0]}`) && !there.has(`${kind} ${id}`))
      await context.ledger.write({ ...head, kind, id });
  }
}
