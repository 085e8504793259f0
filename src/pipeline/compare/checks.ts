import { z } from "zod";
import { decodeText } from "../../clients/files.js";
import { MultirunError } from "../../model/error.js";
import { type CheckResult, checksSchema } from "../../model/record.js";
import { parseStrict } from "../../model/strict.js";

const count = z.number().int().nonnegative();

/**
 * Result of BaxBench, a public benchmark whose runs are a common subject of comparisons: functional and security tests as
 * counts, and the weaknesses found (github.com/logic-star-ai/baxbench).
 */
const benchmarkResult = z.object({
  num_passed_ft: count,
  num_total_ft: count,
  num_ft_exceptions: count,
  num_total_st: count,
  num_st_exceptions: count,
  cwes: z.array(z.unknown()),
});

/**
 * `<run>.checks.json`: the form of `checks.json` in an experiment, or a result of BaxBench.
 * @throws MultirunError `bad_artifact`
 */
export function readChecks(bytes: Buffer): CheckResult[] {
  const data = parseJson(decodeText(bytes, "it"));
  const result = benchmarkResult.safeParse(data);
  if (result.success) return fromBenchmark(result.data);
  return parseStrict(checksSchema, data, { name: "it", code: "bad_artifact" });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MultirunError("bad_artifact", "it is no JSON", { cause: error });
  }
}

type BenchmarkResult = z.infer<typeof benchmarkResult>;

function fromBenchmark(result: BenchmarkResult): CheckResult[] {
  const { num_total_ft: functional, num_total_st: security } = result;
  return [
    ...(functional > 0 ? [check("functional test suite", functionalStatus(result))] : []),
    ...(security > 0 ? [check("security test suite", securityStatus(result))] : []),
  ];
}

function functionalStatus(result: BenchmarkResult): CheckResult["status"] {
  if (result.num_passed_ft >= result.num_total_ft) return "pass";
  return result.num_ft_exceptions >= result.num_total_ft ? "error" : "fail";
}

/** Tests that could not be run say nothing of the weaknesses they look for. */
function securityStatus(result: BenchmarkResult): CheckResult["status"] {
  if (result.cwes.length > 0) return "fail";
  return result.num_st_exceptions > 0 ? "error" : "pass";
}

function check(title: string, status: CheckResult["status"]): CheckResult {
  return { id: title.replaceAll(" ", "-"), title, status, durationMs: 0, tail: "" };
}
