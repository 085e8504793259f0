import { withoutCommands } from "../model/text.js";

/** Prints a result for people on stdout, which in a workflow is a log. */
export function say(text: string): void {
  process.stdout.write(withoutCommands(text));
}

/** Prints a result as one line of JSON, in which the letters that begin a runner's command are written otherwise. */
export function sayJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value).replaceAll("##[", "#\\u0023[")}\n`);
}
