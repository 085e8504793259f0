import { type Claims, claimsSchema } from "../model/claims.js";
import { MultirunError, messageOf } from "../model/error.js";
import type { ChangedFile, CheckResult } from "../model/record.js";
import { parseStrict } from "../model/strict.js";

/**
 * What an agent says of its own work.
 * @throws MultirunError `bad_artifact` where it is not in the form it was asked for
 */
export function readClaims(text: string): Claims {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new MultirunError("bad_artifact", `it is no JSON: ${messageOf(error)}`);
  }
  return parseStrict(claimsSchema, data, { name: "claims.json", code: "bad_artifact" });
}

/** What was found of the same. */
export interface Found {
  changed: readonly Pick<ChangedFile, "path" | "oldPath">[];
  /** Null where they were not run. */
  checks: readonly CheckResult[] | null;
  /** Whether the run's schema is another than base's; null where there is no database, or it could not be read. */
  schemaChanged: boolean | null;
}

const mostTold = 3;

/** One sentence for each claim that is not so. What could not be found out contradicts nothing. */
export function contradictionsOf(claims: Claims, { changed, checks, schemaChanged }: Found): string[] {
  const failing = (checks ?? []).filter(({ status }) => status === "fail" || status === "timeout");
  const tests =
    claims.testsPass === true && failing[0] ? [`says its tests pass; \`${oneSpan(failing[0].title)}\` fails`] : [];
  const paths = new Set(changed.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const untouched = (claims.filesChanged ?? []).map(plainPath).filter((path) => !paths.has(path));
  const files = untouched.slice(0, mostTold).map((path) => `says it changed \`${oneSpan(path)}\`, which is as it was`);
  const more = untouched.length > mostTold ? [`says so of ${untouched.length - mostTold} more files`] : [];
  const said = claims.migrationApplied;
  const migration =
    said === undefined || schemaChanged === null || said === schemaChanged
      ? []
      : [
          said
            ? "says a migration was applied; the schema is as it was"
            : "says no migration was applied; the schema changed",
        ];
  return [...tests, ...files, ...more, ...migration];
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}

/** Names come from agents and users: what they hold must not end the code they are shown as. */
function oneSpan(text: string): string {
  return text.replaceAll("`", "'").slice(0, 200);
}
