import type { AgentName, ModelAccess, Protocol } from "../../model/agent.js";
import type { StreamParser } from "./parser.js";

export interface InvocationInput {
  /** As the variant names it; null leaves the choice to the agent. */
  model: string | null;
  /** Null in direct mode: the agent talks to its maker itself, with a login of the user's in its environment. */
  access: ModelAccess | null;
}

/** How an agent is started. The task comes on standard input: it is never an argument. */
export interface Invocation {
  file: string;
  args: readonly string[];
  /** On top of what every program of a run gets. */
  environment: Readonly<Record<string, string>>;
  /** To be there before it starts; paths are relative to its HOME. */
  files: readonly { path: string; content: string }[];
}

/** Something that works on a task. */
export interface Agent {
  invocation(input: InvocationInput): Invocation;
  /** Null where nothing it prints can be read: its exit code is all it says. */
  parser: (() => StreamParser) | null;
}

/** A coding agent that is known by name. */
export interface AgentAdapter extends Agent {
  name: AgentName;
  /** The line to type where it is missing. */
  install: string;
  /** Arguments that make it print its version and nothing else. */
  version: readonly string[];
  /** Variables of the caller that hold a login: handed on in direct mode only. */
  logins: readonly string[];
  /**
   * How it talks to this model.
   * @throws MultirunError `bad_input` where that depends on the model and none is named
   */
  protocol(model: string | null): Protocol;
}
