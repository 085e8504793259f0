/** What the stub's model does, one step for each request; a request shows by its tool results how many are done. */
export type Step = { write: string; content: string } | { run: string } | { say: string };

/** One answer of the model, before it is put in a maker's words. */
export interface Answer {
  /** Counts up over the whole stub: makes ids. */
  number: number;
  text: string;
  call?: { name: string; input: Record<string, unknown> };
  usage: AnswerUsage;
}

export interface AnswerUsage {
  /** Read anew. */
  input: number;
  output: number;
  cached: number;
}

/** Told apart by request, so that what is summed twice or not at all shows in the sum. */
export function usageOf(number: number): AnswerUsage {
  return { input: 1_000 + number, output: 50 + number, cached: 200 };
}

/** The tools with which the agents write a file or run a command, with what they want to be told. */
const writers: Record<string, (path: string, content: string) => Record<string, unknown>> = {
  Write: (path, content) => ({ file_path: path, content }),
  write: (path, content) => ({ filePath: path, content }),
  write_file: (path, content) => ({ file_path: path, content }),
};
const runners: Record<string, (command: string) => Record<string, unknown>> = {
  Bash: (command) => ({ command, description: "Runs a command" }),
  bash: (command) => ({ command, description: "Runs a command" }),
  run_shell_command: (command) => ({ command, description: "Runs a command" }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ["sh", "-c", command] }),
};

/** The call a step becomes with the tools an agent offers; without a tool for files they are written by a command. */
export function callFor(step: Step, tools: readonly string[]): Answer["call"] {
  if ("say" in step) return undefined;
  const find = <T>(known: Record<string, T>) => tools.find((name) => Object.hasOwn(known, name)) ?? "";
  const name = "write" in step ? find(writers) : "";
  const write = writers[name];
  if ("write" in step && write) return { name, input: write(step.write, step.content) };
  const runner = find(runners);
  const command = "run" in step ? step.run : `printf %s '${step.content.replaceAll("'", "'\\''")}' > '${step.write}'`;
  const run = runners[runner];
  if (!run) throw new Error(`the agent offers no tool for a step: ${tools.join(", ")}`);
  return { name: runner, input: run(command) };
}
