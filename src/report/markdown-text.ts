import { visible } from "../model/text.js";

/** A part of a report that is shown whole or not at all. */
export interface Block {
  name: string;
  text: string;
}

/** Words our own templates are made of. Anything else goes into a code span, where nothing is live. */
const harmless = /^[\p{L}\p{M}\p{N} ,.;:()%?'’·…–⚠-]*$/u;
/** What GitHub makes live without any mark-up: www links, :emoji:, GH-1, commit ids, and characters beside a code span. */
const live = /www\.|:\w+:|\bGH-\d|\b[0-9a-f]{7,}\b/i;

/**
 * Plain text as Markdown that shows exactly that text: what stands between back-ticks becomes code, the rest stays only
 * where it is made of harmless words. Back-slashes would not do: mentions and issue links are found after escapes are gone.
 */
export function safeText(text: string): string {
  const parts = visible(text).split("`");
  return parts.reduce((line, part, at) => {
    if (part === "") return line;
    const next = at % 2 === 1 ? code(part) : plain(part);
    // Two spans side by side would read as one with a longer fence.
    return line.endsWith("`") && next.startsWith("`") ? `${line} ${next}` : line + next;
  }, "");
}

function plain(part: string): string {
  if (harmless.test(part) && !live.test(part)) return part;
  const [, before = "", inner = "", after = ""] = /^( *)(.*?)( *)$/.exec(part) ?? [];
  return `${before}${code(inner)}${after}`;
}

/** Any text as one code span that no back-tick and no line break of it can end. */
export function code(text: string): string {
  const clean = visible(text);
  if (clean.trim() === "") return "` `";
  const longest = Math.max(0, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(clean) ? " " : "";
  return `${fence}${pad}${clean}${pad}${fence}`;
}

/** Markdown inside a table cell, where a pipe ends the cell even in a code span, and a back-slash before it may not. */
export function cell(markdown: string): string {
  return markdown.replaceAll(/\\+(?=\|)/g, (slashes) => `${slashes} `).replaceAll("|", "\\|");
}

/** Text nobody vouches for may be of any length. */
export function clip(text: string): string {
  const characters = [...text.slice(0, 1_000)];
  return characters.length > 160 ? `${characters.slice(0, 159).join("")}…` : text;
}
