import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { execa } from "execa";

export interface FoundProgram {
  /** The word the shell will look for; undefined where the line begins with something only a shell can judge. */
  word: string | undefined;
  /** True, too, where it cannot be judged. */
  found: boolean;
}

/** `NAME=value` in front of the program. One that sets PATH itself is left to the shell. */
const assignment = /^\s*(?!PATH=)[A-Za-z_][A-Za-z0-9_]*=[^\s'"`\\$;&|<>()]*(?=\s)/;
const firstWord = /^\s*([^\s'"`\\$;&|<>(){}*?[\]#~!=]+)(?=$|[\s;&|<>])/;

/**
 * Says whether the program a command line begins with is there: a word of the shell's own, on the search path, or a
 * file relative to `cwd`. Nothing of the user's is executed.
 */
export async function findProgram(line: string, options: { path: string; cwd: string }): Promise<FoundProgram> {
  let rest = line;
  while (assignment.test(rest)) rest = rest.replace(assignment, "");
  const word = firstWord.exec(rest)?.[1];
  if (word === undefined) return { word, found: true };
  const found = word.includes("/") ? await isExecutable(resolve(options.cwd, word)) : await isCommand(word, options);
  return { word, found };
}

async function isCommand(word: string, options: { path: string; cwd: string }): Promise<boolean> {
  const { exitCode, stdout } = await execa("/bin/sh", ["-c", 'command -v -- "$1"', "sh", word], {
    cwd: options.cwd,
    env: { PATH: options.path },
    extendEnv: false,
    stdin: "ignore",
    reject: false,
  });
  if (exitCode !== 0) return false;
  // The shell's own words are printed as they are; files as a path, whose mode some shells do not look at.
  return stdout.includes("/") ? isExecutable(resolve(options.cwd, stdout)) : true;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
