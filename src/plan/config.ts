import { parse } from "yaml";
import { type Config, configSchema } from "../model/config.js";
import { badInput, messageOf } from "../model/error.js";
import { parseStrict } from "../model/strict.js";

/** Where a repo keeps its settings. */
export const configPath = ".github/multirun.yml";

/**
 * Reads `.github/multirun.yml`.
 * @throws MultirunError `bad_input` with the key or value that is wrong
 */
export function readConfig(yaml: string, name: string = configPath): Config {
  let data: unknown;
  try {
    data = parse(yaml);
  } catch (error) {
    throw badInput(`${name} is no YAML: ${messageOf(error)}`, "Correct the line it names.");
  }
  return parseStrict(configSchema, data ?? {}, { name });
}

type Plain = Record<string, unknown>;

/** Later settings over earlier ones: mappings merge key by key, scalars and lists replace; undefined says nothing. */
export function mergeSettings<T extends object>(...layers: readonly Partial<T>[]): Partial<T> {
  return layers.reduce<Plain>((merged, layer) => mergeTwo(merged, layer as Plain), {}) as Partial<T>;
}

function mergeTwo(under: Plain, over: Plain): Plain {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const before = merged[key];
    merged[key] = isMapping(before) && isMapping(value) ? mergeTwo(before, value) : value;
  }
  return merged;
}

function isMapping(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
