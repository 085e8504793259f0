/** What the stages get from outside, built once in `entry/`; tests pass their own. */
export interface Deps {
  log: Log;
  git: Git;
  /** Milliseconds since the epoch. */
  now: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The caller's environment. Read for PATH, LANG, TERM and the database URL's variable only. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** Progress for people, on stderr. Text from agents never goes here unescaped. */
export interface Log {
  info(line: string): void;
  warn(line: string): void;
}

export interface GitOptions {
  /** Where git runs. With `gitDir` it is the work tree. */
  cwd: string;
  /** A git directory of ours, for trees whose own `.git` an agent may have touched. */
  gitDir?: string;
  /** A private index. */
  indexFile?: string;
  /** Extra object stores to read from. */
  objectDirectories?: string[];
  input?: string | Uint8Array;
  /** Exit codes that are an answer and no failure. */
  accept?: readonly number[];
  signal?: AbortSignal;
}

/** Git as argument arrays. Both calls throw MultirunError `infra` with git's own words. */
export interface Git {
  /** Standard output as text. */
  text(args: readonly string[], options: GitOptions): Promise<string>;
  /** Standard output as bytes, what git said besides, and the exit code where `accept` names others than 0. */
  result(args: readonly string[], options: GitOptions): Promise<GitResult>;
}

export interface GitResult {
  stdout: Uint8Array;
  /** Warnings of a call that went well. */
  stderr: string;
  exitCode: number;
}
