import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { readPlainFile } from "../clients/files.js";
import type { LedgerLine, ResourceKind } from "../model/ledger.js";
import { ledgerLine } from "../model/ledger.js";

/** A line before its time is put on. */
export type LedgerEntry = LedgerLine extends infer Line ? (Line extends LedgerLine ? Omit<Line, "at"> : never) : never;

/** What happened, in order: append-only, one JSON object a line, on disk before anyone goes on. */
export interface Ledger {
  /** Resolves when the line survives a crash. */
  write(entry: LedgerEntry): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a ledger for appending. Several processes may have it open at once: every batch is one append of whole lines.
 * Lines of runs that write at the same moment share one fsync.
 */
export async function openLedger(path: string, now: () => number): Promise<Ledger> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o644);
  await closeTornLine(file);
  let waiting: string[] = [];
  let flushing: Promise<void> | undefined;

  const flush = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    flushing = undefined;
    await file.appendFile(lines.join(""));
    await file.datasync();
  };
  let last: Promise<void> = Promise.resolve();
  return {
    write(entry) {
      const line = ledgerLine.parse({ at: new Date(now()).toISOString(), ...entry });
      waiting.push(`${JSON.stringify(line)}\n`);
      flushing ??= last.then(flush);
      last = flushing;
      return flushing;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

/** A crash may have left half a line: the next one must not continue it. */
async function closeTornLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  if (size === 0) return;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer.toString() !== "\n") await file.appendFile("\n");
}

/** All whole lines of a ledger; half a line, which only a crash leaves, says nothing and is passed over. */
export async function readLedger(path: string): Promise<LedgerLine[]> {
  const text = (await readPlainFile(path, "ledger.jsonl")) ?? "";
  return text.split("\n").flatMap((line) => {
    try {
      const parsed = ledgerLine.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}

export interface ResourceTally {
  acquired: number;
  released: number;
  /** Acquired, or about to be when a crash came, and not given back since. */
  open: { kind: ResourceKind; id: string }[];
}

/** Counts things, not calls: one that is acquired twice under one name is one. */
export function tallyResources(lines: readonly LedgerLine[]): ResourceTally {
  const held = new Map<string, { kind: ResourceKind; id: string; existed: boolean; released: boolean }>();
  for (const line of lines) {
    if (line.event !== "acquire" && line.event !== "acquired" && line.event !== "release") continue;
    const key = `${line.kind} ${line.id}`;
    const known = held.get(key) ?? { kind: line.kind, id: line.id, existed: false, released: false };
    const released = line.event === "release" && line.error === undefined;
    held.set(key, { ...known, existed: known.existed || line.event === "acquired", released });
  }
  const all = [...held.values()];
  const existed = all.filter((each) => each.existed);
  return {
    acquired: existed.length,
    released: existed.filter((each) => each.released).length,
    open: all.filter((each) => !each.released).map(({ kind, id }) => ({ kind, id })),
  };
}
