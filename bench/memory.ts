import { join } from "node:path";
import { makeProject, measure, withFolder } from "./command.js";

/** Memory of the orchestrator: with fifty runs all at once, and with agents that print 500 MB against silent ones. */
export async function run(): Promise<Record<string, unknown>> {
  return withFolder(async (folder) => {
    const { repo, task, seed } = await makeProject(folder);
    const peak = async (name: string, runs: number, command: string): Promise<number> => {
      const flags = ["--database", "embedded", "--seed", seed, "--command", command];
      const out = ["--repo", repo, "--out", join(folder, name)];
      return (await measure(["run", "--task", task, "-n", `${runs}`, ...flags, ...out], folder)).peakMb;
    };
    const fiftyMb = await peak("fifty", 50, "echo change > file-1.txt");
    const tenMb = await peak("ten", 10, "echo change > file-1.txt");
    const quietMb = await peak("quiet", 2, "true");
    const loudMb = await peak("loud", 2, "head -c 500000000 /dev/zero");
    return {
      name: "memory",
      peakMb: fiftyMb,
      tenRunsMb: tenMb,
      quietMb,
      loudMb,
      ratio: Math.round((100 * loudMb) / quietMb) / 100,
    };
  });
}
