import { z } from "zod";
import { MultirunError } from "../../model/error.js";
import type { FoundTest } from "./found.js";

/** An event of `go test -json` (https://pkg.go.dev/cmd/test2json). */
const goEvent = z.object({ Action: z.string(), Package: z.string().optional(), Test: z.string().optional() });
type GoEvent = z.infer<typeof goEvent>;

/**
 * Tests of `go test -json`: one event a line; lines that are none are what the compiler says.
 * @throws MultirunError `bad_artifact` where there is no event
 */
export function readGo(text: string): FoundTest[] {
  const events = text.split("\n").flatMap((line) => eventIn(line) ?? []);
  if (events.length === 0) throw new MultirunError("bad_artifact", "there are no events of go test -json in it");
  return events.flatMap(({ Action: status, Package, Test }) => {
    if (Test === undefined || (status !== "pass" && status !== "fail" && status !== "skip")) return [];
    return { path: [...(Package === undefined ? [] : [Package]), ...Test.split("/")], status };
  });
}

export function eventIn(line: string): GoEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return goEvent.safeParse(JSON.parse(line)).data;
  } catch {
    // No JSON, hence no event: a program under test may print what it likes.
    return undefined;
  }
}
