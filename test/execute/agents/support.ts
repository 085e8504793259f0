import { readFileSync } from "node:fs";
import type { AgentAdapter } from "../../../src/execute/agents/adapter.js";
import type { StreamParser } from "../../../src/execute/agents/parser.js";
import { adapterOf } from "../../../src/execute/agents.js";
import { type AgentName, agentNames, type TraceEvent, traceEvent } from "../../../src/model/agent.js";

export const adapters: AgentAdapter[] = agentNames.map(adapter);

export function adapter(name: AgentName): AgentAdapter {
  const found = adapterOf(name);
  if (!found) throw new Error(`there is no adapter ${name}`);
  return found;
}

export function parserOf({ parser, name }: AgentAdapter): StreamParser {
  if (!parser) throw new Error(`${name} has no parser`);
  return parser();
}

/** What the real program printed, talking to the stub of test/support/models: `stdout.log` of a run, its folder called /repo. */
export function stream(name: string): string {
  return readFileSync(new URL(`streams/${name}.jsonl`, import.meta.url), "utf8");
}

/** Everything an adapter reads in a stream; each event is one by the schema. */
export function eventsOf(read: AgentAdapter, text: string): TraceEvent[] {
  const parser = parserOf(read);
  const events = [...text.split("\n").flatMap((line) => parser.push(line)), ...parser.end()];
  return events.map((event) => traceEvent.parse(event));
}
