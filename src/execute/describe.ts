import { formatDuration } from "../model/duration.js";
import type { ProgramEnd } from "../model/record.js";

/** How a program ended, as the end of a sentence about it. */
export function describeEnd(end: ProgramEnd, timeoutMs: number): string {
  if (end.cancelled) return "was cancelled";
  if (end.stalledMs !== undefined) {
    const time = formatDuration(end.stalledMs);
    return `showed no sign of life for ${time}: no output, no file written, no call to its model, hardly any processor time`;
  }
  if (end.timedOut) return `did not end within ${formatDuration(timeoutMs)}`;
  if (end.signal !== null) return `was ended by ${end.signal}`;
  return `exited with code ${end.exitCode}`;
}
