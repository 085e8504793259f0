import { z } from "zod";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Twenty-four days is the longest time a timer can wait. */
const longestMs = 24 * unitMs.d;

/** `90s`, `30m`, `2h` → whole milliseconds; undefined where the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const match = pattern.exec(text.trim());
  if (!match?.[1] || !match[2]) return undefined;
  return Math.round(Number(match[1]) * unitMs[match[2] as keyof typeof unitMs]);
}

/** A duration as people write it, read as milliseconds between 1 and 24 days. */
export const duration = z.string("must be a duration such as 90s, 30m or 2h").transform((text, context) => {
  const ms = parseDuration(text);
  if (ms === undefined || ms < 1 || ms > longestMs) {
    context.addIssue({
      code: "custom",
      input: text,
      message: `"${text}" is no duration between 1ms and 24d; write for example 90s, 30m or 2h`,
    });
    return z.NEVER;
  }
  return ms;
});

/** 83_000 → `1m 23s`; below ten seconds one decimal. */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}m ${String(seconds % 60).padStart(2, "0")}s`
    : `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}
