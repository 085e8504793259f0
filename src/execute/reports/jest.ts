import { z } from "zod";
import { MultirunError } from "../../model/error.js";
import { type FoundTest, unreadable } from "./found.js";

/** What is read of Jest's `--json`, which vitest's JSON reporter writes, too (https://jestjs.io/docs/configuration#testresultsprocessor-string). */
const jestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

const statuses: Readonly<Record<string, FoundTest["status"]>> = { passed: "pass", failed: "fail" };

/** @throws MultirunError `bad_artifact` */
export function readJest(text: string): FoundTest[] {
  const report = jestReport.safeParse(parse(text));
  if (!report.success) throw new MultirunError("bad_artifact", "it is JSON, but no report of Jest or vitest");
  return report.data.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      path: [file, ...ancestorTitles, title],
      status: statuses[status] ?? "skip",
    })),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable("JSON", error);
  }
}
