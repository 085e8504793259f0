import { rm } from "node:fs/promises";
import { z } from "zod";
import { readClaims } from "../capture/claims.js";
import { denialOf } from "../capture/contract.js";
import { capturePatch } from "../capture/patch/patch.js";
import { readOnly } from "../capture/read-only.js";
import { compareRows } from "../capture/rows.js";
import { readSchema } from "../capture/schema/snapshot.js";
import { readPlainFile, toJson, writeDurably } from "../clients/files.js";
import { type Dropped, findDropped } from "../facts/dropped.js";
import { type Claims, claimsSchema } from "../model/claims.js";
import { violation } from "../model/contract.js";
import { MultirunError, messageOf } from "../model/error.js";
import { type PatchStats, patchStats, type Unreadable, unreadable } from "../model/record.js";
import { redact, redactIn } from "../model/secret.js";
import { type Attempt, reviveServer, secretsOf } from "./attempt.js";
import { type Base, type Context, captureMs } from "./context.js";
import { judgeContract } from "./contract/contract.js";
import { makeRoom } from "./room.js";

/** What was found when the agent had ended; on disk before the checks begin, which may change what they meet. */
export const capturedSchema = z.strictObject({
  patch: patchStats.nullable(),
  database: z.strictObject({ lineage: z.enum(["clone", "independent"]), changed: z.boolean() }).nullable(),
  violations: z.array(violation),
  /** What the agent says of its work; null where it says nothing that can be read. */
  claims: claimsSchema.nullable(),
  /** Null where there is no database, or it could not be read. */
  schemaChanged: z.boolean().nullable(),
  unreadable: z.array(unreadable),
  warnings: z.array(z.string()),
});
export type Captured = z.infer<typeof capturedSchema>;

export const nothingCaptured: Captured = {
  patch: null,
  database: null,
  violations: [],
  claims: null,
  schemaChanged: null,
  unreadable: [],
  warnings: [],
};

/** Takes patch, schema, rows and claims of an attempt. What cannot be read is a warning; the rest is taken all the same. */
export async function captureWork(context: Context, attempt: Attempt, base: Pick<Base, "read">): Promise<Captured> {
  const lost: Unreadable[] = [];
  const losing = (what: string) => (error: unknown) => {
    lost.push({ what, reason: redact(messageOf(error), secretsOf(attempt)) });
    return null;
  };
  const room = await makeRoom(attempt.workspace.tmp).catch(losing("TMPDIR"));
  const [patch, database, claims] = await Promise.all([
    takePatch(context, attempt).catch(losing("patch")),
    takeDatabase(context, attempt, base)
      .catch(() => reviveServer(context).then(() => takeDatabase(context, attempt, base)))
      .catch(losing("database")),
    takeClaims(attempt).catch(losing("claims.json")),
  ]);
  // As the patch itself writes them: what the two say of a path must be the same.
  const inPatch = <T>(part: T): T => redactIn(part, secretsOf(attempt), "mask");
  const { contract } = attempt.variant;
  const unread = attempt.database && ("unread" as const);
  const found = { patch, file: attempt.files.patch, dropped: database?.dropped ?? unread };
  const judged = { contract, ...found, secrets: secretsOf(attempt) };
  return {
    patch: inPatch(patch),
    database: database
      ? { lineage: database.lineage, changed: database.changed }
      : attempt.database && { lineage: attempt.database.lineage, changed: false },
    violations: inPatch(await judgeContract(context, judged)),
    claims,
    schemaChanged: database?.schemaChanged ?? null,
    unreadable: lost,
    warnings: [...(room ?? []), ...inPatch(patch?.warnings ?? [])],
  };
}

function takePatch(context: Context, attempt: Attempt): Promise<PatchStats> {
  const { git } = context.deps;
  const { workspace, files, variant } = attempt;
  const isDenied = denialOf(variant.contract);
  const denial = isDenied && { denial: { isDenied, file: files.offered } };
  const secrets = secretsOf(attempt);
  return capturePatch({ git, workspace, base: context.experiment.base, file: files.patch, secrets, ...denial });
}

async function takeDatabase(
  context: Context,
  attempt: Attempt,
  { read }: Pick<Base, "read">,
): Promise<(NonNullable<Captured["database"]> & { schemaChanged: boolean; dropped: Dropped[] }) | null> {
  const { database, files } = attempt;
  const base = await read();
  if (!database || !base) return null;
  // A client that died may have left a transaction open: its locks would keep us waiting.
  await context.database.endSessions(database.name);
  const url = context.database.adminUrl(database.name);
  const { reference } = base;
  const options = { timeoutMs: captureMs, subject: "The database", revive: () => reviveServer(context) };
  return readOnly(url, options, async (run, { again, beside }) => {
    const runSchema = await readSchema(run, beside);
    const schema = toJson(runSchema);
    // Both hold what the agent wrote: defaults, and values it gave to all rows.
    await writeDurably(files.schema, toJson(redactIn(runSchema, secretsOf(attempt))));
    // In this process both are clones of one template, whatever was recorded before.
    const rows = await compareRows({ reference, run, again, runSchema, lineage: "clone" });
    await writeDurably(files.rows, toJson(redactIn(rows, secretsOf(attempt))));
    const schemaChanged = schema !== toJson(reference.schema);
    const changed = rows.tables.length > 0 || schemaChanged;
    const dropped = schemaChanged ? findDropped(runSchema, reference.schema, true) : [];
    return { lineage: base.sameAsRecorded ? database.lineage : "independent", changed, schemaChanged, dropped };
  });
}

const claimsLimit = 1024 * 1024;

/** What the agent says of its work is kept as it is; nobody believes it. */
async function takeClaims(attempt: Attempt): Promise<Claims | null> {
  const { workspace, files } = attempt;
  await rm(files.claims, { force: true });
  const text = await readPlainFile(workspace.claimsFile, "claims.json");
  if (text === undefined) return null;
  if (text.length > claimsLimit) throw new MultirunError("bad_artifact", `it has more than ${claimsLimit} bytes`);
  const said = readClaims(text);
  const claims = redactIn(said, secretsOf(attempt));
  await writeDurably(files.claims, toJson(claims) === toJson(said) ? text : toJson(claims));
  return claims;
}
