import { badInput } from "../../model/error.js";
import type { SandboxKind, SandboxProbe, Wrap } from "../../model/sandbox.js";
import type { SandboxNetwork } from "../network/network.js";
import type { Workspace } from "../workspace/workspace.js";
import { inBubblewrap } from "./bubblewrap.js";
import { objectStores } from "./objects.js";
import { type SystemFolders, systemFolders } from "./system.js";
import { type Surroundings, toolFolders } from "./visible.js";

/** What keeps the programs of one run from everything that is not its own. */
export interface Sandbox {
  /**
   * For one attempt; undefined where there is none.
   * @param folders of its agent's program, to be readable too
   * @param network in place of the machine's
   */
  around(workspace: Workspace, folders?: readonly string[], network?: SandboxNetwork): Promise<Wrap | undefined>;
}

/**
 * Which sandbox is had where this one is wanted.
 * @throws MultirunError `bad_input` where it is demanded and impossible, with what to install or set
 */
export function chooseSandbox(wanted: SandboxWish, probe: SandboxProbe): SandboxKind {
  if (wanted.kind === "none") return "none";
  const withoutBoth = "Or take --sandbox none, where nothing is limited and the report says so.";
  if (!probe.available) {
    if (wanted.closedNetwork) {
      throw badInput(`network.allow needs a sandbox: ${probe.reason}`, `${probe.hint} ${withoutBoth}`);
    }
    if (wanted.kind === "auto") return "none";
    throw badInput(`--sandbox: bwrap: ${probe.reason}`, probe.hint);
  }
  if (wanted.closedNetwork && probe.openNetwork !== null) {
    throw badInput(`network.allow: no sandbox is without a network here: ${probe.openNetwork}`, withoutBoth);
  }
  return "bwrap";
}

export interface SandboxWish {
  kind: "auto" | SandboxKind;
  /** Only some hosts may be reached. */
  closedNetwork: boolean;
}

/** The sandbox of an experiment: what all runs see is found out once. */
export function createSandbox(kind: SandboxKind | "unknown", surroundings: Surroundings): Sandbox {
  if (kind !== "bwrap") return { around: async () => undefined };
  let lookingAtSystem: Promise<SystemFolders> | undefined;
  const lookingForTools = new Map<string, Promise<string[]>>();
  const toolsWith = (folders: readonly string[]): Promise<string[]> => {
    const key = folders.join(":");
    const tools = lookingForTools.get(key) ?? toolFolders(surroundings, folders);
    lookingForTools.set(key, tools);
    return tools;
  };
  return {
    async around(workspace, folders = [], network) {
      lookingAtSystem ??= systemFolders();
      const [system, tools] = await Promise.all([lookingAtSystem, toolsWith(folders)]);
      const { repo, home, tmp, taskFile, gitDir } = workspace;
      const { home: own, hidden } = surroundings;
      const view = {
        system,
        hidden: own === undefined ? hidden : [...hidden, own],
        readOnly: [...tools, ...(await objectStores(gitDir)), taskFile],
        writable: [repo, home, tmp],
        cwd: repo,
        network,
      };
      return (program) => inBubblewrap(program, view);
    },
  };
}
