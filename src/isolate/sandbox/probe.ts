import { execa } from "execa";
import type { SandboxProbe } from "../../model/sandbox.js";
import { bubblewrap, namespaces, noNetwork, system } from "./bubblewrap.js";
import { systemFolders } from "./system.js";

const probeMs = 10_000;

const install = "Install it (apt-get install bubblewrap), or use --sandbox none inside a container or VM.";
const newer = "Install 0.7 or newer, or use --sandbox none inside a container or VM.";
const allow =
  "Where Ubuntu keeps plain users from it: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0. " +
  "In a container it needs the right to make namespaces. Or use --sandbox none.";

/** Makes a sandbox with all we ask of one and sees a program in it be its first and only one. */
export async function probeSandbox(path: string): Promise<SandboxProbe> {
  if (process.platform !== "linux") {
    return { available: false, reason: "bubblewrap is for Linux", hint: "Use --sandbox none inside a VM." };
  }
  const options = { env: { PATH: path }, extendEnv: false, stdin: "ignore", reject: false, timeout: probeMs } as const;
  const version = await execa(bubblewrap, ["--version"], options);
  if (version.code === "ENOENT") return { available: false, reason: "bubblewrap is not installed", hint: install };
  const printed = version.stdout.replace(/^bubblewrap\s+/, "");
  if (isOld(printed)) {
    return { available: false, reason: `bubblewrap ${printed} cannot bound what is kept in memory`, hint: newer };
  }
  const folders = system(await systemFolders());
  const failureWith = async (more: readonly string[]): Promise<string | null> => {
    const args = [...namespaces, ...folders, ...more, "--", "/bin/sh", "-c", "echo $$ && kill -0 1"];
    const { exitCode, stdout, stderr, shortMessage } = await execa(bubblewrap, args, options);
    if (exitCode === 0 && Number(stdout) < 10) return null;
    return (stderr || shortMessage || "").split("\n").find((line) => line.trim() !== "") ?? "no reason";
  };
  const [failure, closing] = await Promise.all([failureWith([]), failureWith([noNetwork])]);
  if (failure !== null) {
    return { available: false, reason: `bubblewrap makes no sandbox here: ${failure}`, hint: allow };
  }
  return { available: true, version: printed, openNetwork: closing };
}

/** `--size` came with 0.7. */
function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 0 && minor < 7;
}
