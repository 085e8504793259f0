import { createHash } from "node:crypto";
import { cut } from "./kind.js";

/** One value of a file of settings, by the keys that lead to it: `services.web.image`. */
export interface Setting {
  path: string;
  value: string;
}

const longest = 100;
const deepest = 30;
const opening = new Set(["{", "["]);
const closing = new Set(["}", "]"]);

/** The settings of one line or section of tokens: what stands behind the first `=` or `:`. */
export function plainSetting(name: string, tokens: readonly string[]): Setting[] {
  const sign = tokens.findIndex((token) => token === "=" || token === ":");
  return [{ path: name, value: words(tokens.slice(sign + 1)) }];
}

/** The settings of a member of a JSON object, as deep as objects go; a list is one value. */
export function jsonSettings(tokens: readonly string[]): Setting[] {
  const settings: Setting[] = [];
  const keys: string[] = [];
  let value: string[] = [];
  let lists = 0;
  const flush = () => {
    if (value.length > 0) settings.push({ path: keys.join("."), value: words(value) });
    if (value.length > 0) keys.pop();
    value = [];
  };
  for (const [index, token] of tokens.entries()) {
    if (token === "⏎") continue;
    if (token === "[") lists += 1;
    if (token === "]") lists -= 1;
    const inList = lists > 0 || token === "]";
    if (!inList && tokens[index + 1] === ":" && value.length === 0) keys.push(unquoted(token));
    else if (!inList && (token === "," || token === "}")) {
      const ended = value.length > 0;
      flush();
      // An object ends, and with it the key it stood behind.
      if (token === "}" && (ended || tokens[index - 1] === "}" || tokens[index - 1] === "{")) keys.pop();
    } else if (!inList && token === "{" && value.length === 0) continue;
    else if (token !== ":" || inList) value.push(token);
  }
  flush();
  return settings;
}

/** The settings of a YAML section. Elements of a list are values of the same path. */
export function yamlSettings(tokens: readonly string[]): Setting[] {
  const settings: Setting[] = [];
  const keys: string[] = [];
  let depth = 0;
  let line: string[] = [];
  const flush = () => {
    if (line.length > 0 && depth < deepest) settings.push(...ofLine(line, depth, keys));
    line = [];
  };
  for (const token of tokens) {
    if (token !== "⏎" && token !== "⇥" && token !== "⇤") line.push(token);
    else {
      flush();
      if (token === "⇥") depth += 1;
      if (token === "⇤") depth -= 1;
    }
  }
  flush();
  return settings;
}

/** Tells what a line sets, and keeps its key for the lines below it. */
function ofLine(line: readonly string[], depth: number, keys: string[]): Setting[] {
  let level = Math.max(depth, 0);
  let rest = line;
  while (rest[0] === "-" && rest.length > 1) {
    keys[level] = "";
    rest = rest.slice(1);
    level += 1;
  }
  const colon = colonIn(rest);
  keys.length = Math.min(keys.length, level);
  if (colon > 0) keys[level] = unquoted(words(rest.slice(0, colon)));
  const value = words(rest.slice(colon + 1));
  const path = Array.from(keys, (key) => key ?? "").filter((key) => key !== "");
  return value === "" ? [] : [{ path: path.join("."), value }];
}

/** Where a key ends; -1 where there is none. */
function colonIn(tokens: readonly string[]): number {
  let open = 0;
  for (const [index, token] of tokens.entries()) {
    if (opening.has(token)) open += 1;
    if (closing.has(token)) open -= 1;
    if (token === ":" && open === 0) return index;
  }
  return -1;
}

function unquoted(token: string): string {
  return token.replace(/^["']|["']$/g, "");
}

const joining = /^[.:/@=&|-]$/;

/** Tokens as one would write them; long values that begin alike differ by a number at the end. */
export function words(tokens: readonly string[]): string {
  let written = "";
  let last = "";
  for (const token of tokens) {
    if (/^[⏎⇥⇤]$/.test(token)) continue;
    // What stands in quotes, and the dashes of an option, are no signs.
    const close =
      joining.test(last) ||
      joining.test(token) ||
      token.startsWith("@") ||
      /^[[({]$/.test(last) ||
      /^[\])},]$/.test(token);
    written += close || written === "" ? token : ` ${token}`;
    last = token;
  }
  if (written.length <= longest) return written;
  return `${cut(written, longest - 9)}#${createHash("sha256").update(written).digest("hex").slice(0, 8)}`;
}
