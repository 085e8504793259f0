/** A program with its arguments, no shell between. */
export interface Executable {
  file: string;
  args: readonly string[];
}

/** Puts a program into a sandbox: what is started is the sandbox, which starts the program. */
export type Wrap = (program: Executable) => Executable;

export type SandboxKind = "none" | "bwrap";

/** Whether this machine can make a sandbox, by having made one. */
export type SandboxProbe =
  /** `openNetwork`: why a sandbox cannot be without the machine's network; null where it can. */
  { available: true; version: string; openNetwork: string | null } | { available: false; reason: string; hint: string };
