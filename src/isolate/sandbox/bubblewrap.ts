import type { Executable } from "../../model/sandbox.js";
import type { SandboxNetwork } from "../network/network.js";
import type { SystemFolders } from "./system.js";

export const bubblewrap = "bwrap";

/**
 * Processes, memory and names of its own; nothing may be gained, and all ends when the harness does. No `--new-session`:
 * there is no terminal to type into, and the supervisor knows the agent by its session.
 */
export const namespaces: readonly string[] = [
  ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--hostname", "multirun"],
  ...["--die-with-parent", "--cap-drop", "ALL"],
];

/** Bytes a run may keep in each of the folders that live in memory. TMPDIR lies on the disk. */
const memoryBytes = 512 * 1024 * 1024;
const inMemory = (path: string): string[] => ["--size", String(memoryBytes), "--tmpfs", path];

/** What may be written by whoever is called root, with no capability asked for. */
const kernelSettings = ["/proc/sys", "/proc/irq", "/proc/bus", "/proc/scsi", "/proc/acpi", "/proc/sysrq-trigger"];

/** The machine as a program may see it: its system, read-only, and nobody's files. */
export function system({ roots, secretFiles, secretFolders, resolver }: SystemFolders): string[] {
  return [
    ...roots.flatMap((path) => ["--ro-bind", path, path]),
    ...secretFiles.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...["--proc", "/proc", "--dev", "/dev", "--symlink", "/run", "/var/run"],
    ...kernelSettings.flatMap((path) => ["--ro-bind-try", path, path]),
    ...secretFolders.flatMap(inMemory),
    ...["/tmp", "/var/tmp", "/run"].flatMap(inMemory),
    ...(resolver === null ? [] : ["--ro-bind", resolver, resolver]),
  ];
}

/** What one run's programs see beside the system. All paths are absolute and the same inside and outside. */
export interface View {
  system: SystemFolders;
  /** Covered where they lie inside a folder of the system. */
  hidden: readonly string[];
  /** Tools, and what the user asked to show. */
  readOnly: readonly string[];
  writable: readonly string[];
  cwd: string;
  /** In place of the machine's, where that is not shared. */
  network: SandboxNetwork | undefined;
}

/** Where the sockets of a network appear. */
const socketFolder = "/run/multirun";

/** The call that starts a program so that it sees this and nothing else. Its environment is the caller's to give. */
export function inBubblewrap({ file, args }: Executable, view: View): Executable {
  const within = (path: string) => view.system.roots.some((root) => path.startsWith(`${root}/`));
  const options = [
    ...namespaces,
    ...system(view.system),
    ...view.hidden.filter(within).flatMap(inMemory),
    // Parents first, or they would cover what lies in them.
    ...byDepth(view.readOnly).flatMap((path) => ["--ro-bind-try", path, path]),
    ...byDepth(view.writable).flatMap((path) => ["--bind", path, path]),
    ...(view.network ? closedNetwork(view.network) : []),
    // What stands right under the root was made to hang the others on.
    ...["--remount-ro", "/", "--chdir", view.cwd],
  ];
  const bridge = view.network ? [process.execPath, view.network.bridge, socketFolder] : [];
  return { file: bubblewrap, args: [...options, "--", ...bridge, file, ...args] };
}

/** Interfaces, ports and abstract sockets of its own: a loopback, and nothing behind it but what the bridge carries. */
export const noNetwork = "--unshare-net";

function closedNetwork({ sockets, hosts, bridge }: SandboxNetwork): string[] {
  const shown = [
    [sockets, socketFolder],
    [hosts, "/etc/hosts"],
    [bridge, bridge],
  ] as const;
  return [noNetwork, ...shown.flatMap(([from, to]) => ["--ro-bind", from, to])];
}

function byDepth(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
}
