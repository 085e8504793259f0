import type { Api } from "@neondatabase/api-client";
import { z } from "zod";
import type { Deps } from "../../../model/deps.js";
import { MultirunError } from "../../../model/error.js";
import { Secret } from "../../../model/secret.js";
import { shorten, visible } from "../../../model/text.js";
import { createWeather, FailedOperation, NeonRefusal, type Tried } from "./weather.js";

const branchSchema = z.object({
  id: z.string(),
  name: z.string(),
  parent_id: z.string().optional(),
  default: z.boolean(),
  protected: z.boolean(),
  created_at: z.string(),
  expires_at: z.string().optional(),
});

/** A branch, as much of it as we look at. */
export interface NeonBranch {
  id: string;
  name: string;
  parentId: string | null;
  isDefault: boolean;
  isProtected: boolean;
  expiresAt: string | null;
  /** What was written beside it when it was made. */
  annotation: Readonly<Record<string, string>>;
}

const operationSchema = z.object({ id: z.string(), action: z.string(), status: z.string() });
type Operation = z.infer<typeof operationSchema>;

export interface NewBranch {
  name: string;
  parentId: string;
  /** A time (ISO 8601) or a log sequence number on the parent; its newest state where neither is given. */
  at: string | null;
  /** ISO 8601, whole seconds; left out where the plan does not know it. */
  expiresAt: string;
  annotation: Readonly<Record<string, string>>;
}

/** Neon's API, as far as branches of one project go: every call waits for fair weather, every answer is checked. */
export interface Neon {
  /** How many branches the project may have. */
  branchLimit(until: number): Promise<number>;
  /** All of them, page by page. */
  branches(until: number): Promise<NeonBranch[]>;
  branch(id: string, until: number): Promise<NeonBranch | null>;
  names(kind: "databases" | "roles", branchId: string, until: number): Promise<string[]>;
  /**
   * Makes a branch with a compute of its own and waits until both are there.
   * @throws NeonRefusal 409 where the name is taken
   */
  create(branch: NewBranch, until: number): Promise<void>;
  /** Deletes a branch and waits until it is gone; one that is not there is. */
  delete(id: string, until: number): Promise<void>;
  /** Gives a role a password that no other branch knows. */
  renewPassword(branchId: string, role: string, until: number): Promise<void>;
  uri(at: { branchId: string; database: string; role: string; pooled: boolean }, until: number): Promise<Secret>;
}

export interface NeonOptions {
  key: Secret;
  project: string;
  /** In place of Neon's own. */
  url?: string;
  callsPerSecond?: number;
  random?: () => number;
  deps: Pick<Deps, "now" | "sleep" | "log">;
}

/** Neon bounds 700 a minute over everything, and 40 a second for one kind of call. */
const defaultCallsPerSecond = 10;
const callMs = 30_000;
const pageSize = 100;

export async function openNeon({ key, project, url, deps, ...options }: NeonOptions): Promise<Neon> {
  // Loaded by those who use it.
  const { createApiClient, EndpointType } = await import("@neondatabase/api-client");
  const api = createApiClient({ apiKey: key.reveal(), timeout: callMs, ...(url ? { baseURL: url } : {}) });
  const { random = Math.random, callsPerSecond = defaultCallsPerSecond } = options;
  const weather = createWeather({ callsPerSecond, random, ...deps });
  const hide = (text: string) => shorten(visible(text.replaceAll(key.reveal(), "***")), 300);
  const ask = async <T>(
    what: string,
    until: number,
    schema: z.ZodType<T>,
    call: (api: Api<unknown>) => Answer,
  ): Promise<T> => {
    const data = await weather.ask(what, until, () => attempt(() => call(api), hide));
    const parsed = schema.safeParse(data);
    if (parsed.success) return parsed.data;
    throw new MultirunError("infra", `Neon's answer cannot be read: ${z.prettifyError(parsed.error)} (to ${what})`);
  };
  const settle = async (what: string, operations: readonly Operation[], until: number): Promise<void> => {
    for (const operation of operations) await settleOne(what, operation, until);
  };
  const settleOne = async (what: string, operation: Operation, until: number): Promise<void> => {
    let { status } = operation;
    for (let waitMs = 100; !done.has(status); waitMs = Math.min(2_000, waitMs * 1.5)) {
      if (deps.now() + waitMs > until) throw unsettled(what, operation.action, status);
      await deps.sleep(waitMs);
      const seen = await ask("tell of an operation", until, z.object({ operation: operationSchema }), (neon) =>
        neon.getProjectOperation(project, operation.id),
      );
      status = seen.operation.status;
    }
    if (failed.has(status)) throw new FailedOperation(...unsettledWords(what, operation.action, status));
  };
  const operations = z.object({ operations: z.array(operationSchema) });
  return {
    async branchLimit(until) {
      const schema = z.object({ project: z.object({ owner: z.object({ branches_limit: z.number() }).optional() }) });
      const found = await ask("tell of the project", until, schema, (neon) => neon.getProject(project));
      return found.project.owner?.branches_limit ?? Number.POSITIVE_INFINITY;
    },
    async branches(until) {
      const schema = z.object({
        branches: z.array(branchSchema),
        annotations: z.record(z.string(), z.object({ value: z.record(z.string(), z.string()) })).optional(),
        pagination: z.object({ next: z.string().optional() }).optional(),
      });
      const found: NeonBranch[] = [];
      const seen = new Set<string>();
      for (let cursor: string | undefined; ; ) {
        const page = await ask("list its branches", until, schema, (neon) =>
          neon.listProjectBranches({ projectId: project, limit: pageSize, ...(cursor ? { cursor } : {}) }),
        );
        found.push(...page.branches.map((each) => branchOf(each, page.annotations?.[each.id]?.value)));
        cursor = page.pagination?.next;
        // A page that was there before says that there is no end.
        if (!cursor || page.branches.length === 0 || seen.has(cursor)) return found;
        seen.add(cursor);
      }
    },
    async branch(id, until) {
      const annotation = z.object({ value: z.record(z.string(), z.string()) }).optional();
      const schema = z.object({ branch: branchSchema, annotation });
      const found = await ask("tell of a branch", until, schema, (neon) => neon.getProjectBranch(project, id)).catch(
        gone,
      );
      return found && branchOf(found.branch, found.annotation?.value);
    },
    async names(kind, branchId, until) {
      const list = z.array(z.object({ name: z.string() }));
      const schema = z.object({ databases: list.optional(), roles: list.optional() });
      const found = await ask(`list its ${kind}`, until, schema, (neon) =>
        kind === "roles"
          ? neon.listProjectBranchRoles(project, branchId)
          : neon.listProjectBranchDatabases(project, branchId),
      );
      return (found[kind] ?? []).map(({ name }) => name);
    },
    async create({ name, parentId, at, expiresAt, annotation }, until) {
      const from = at === null ? {} : { [/^[0-9A-F]+\/[0-9A-F]+$/i.test(at) ? "parent_lsn" : "parent_timestamp"]: at };
      const make = (more: object) =>
        ask(`make the branch ${name}`, until, operations, (neon) =>
          neon.createProjectBranch(project, {
            branch: { name, parent_id: parentId, ...from, ...more },
            endpoints: [{ type: EndpointType.ReadWrite }],
            annotation_value: { ...annotation },
          }),
        );
      const made = await make({ expires_at: expiresAt }).catch((error: unknown) => {
        if (!(error instanceof NeonRefusal) || !refusesExpiry(error)) throw error;
        deps.log.warn("Neon's plan knows no expires_at: branches that are left over are found by multirun sweep only");
        return make({});
      });
      await settle(`make the branch ${name}`, made.operations, until);
    },
    async delete(id, until) {
      const told = await ask("delete a branch", until, operations, (neon) =>
        neon.deleteProjectBranch({ projectId: project, branchId: id }),
      ).catch(gone);
      if (told) await settle("delete a branch", told.operations, until);
    },
    async renewPassword(branchId, role, until) {
      const told = await ask(`renew the password of ${role}`, until, operations, (neon) =>
        neon.resetProjectBranchRolePassword(project, branchId, role),
      );
      await settle(`renew the password of ${role}`, told.operations, until);
    },
    async uri({ branchId, database, role, pooled }, until) {
      const asked = { projectId: project, branch_id: branchId, database_name: database, role_name: role, pooled };
      const found = await ask("tell a URL", until, z.object({ uri: z.string() }), (neon) =>
        neon.getConnectionUri(asked),
      );
      return new Secret(found.uri);
    },
  };
}

type Answer = Promise<{ status: number; data: unknown }>;

const done = new Set(["finished", "skipped", "failed", "error", "cancelled"]);
const failed = new Set(["failed", "error", "cancelled"]);

/** One call, whatever becomes of it as a value: the client's own errors hold the key. */
async function attempt(call: () => Answer, hide: (text: string) => string): Promise<Tried<unknown>> {
  try {
    return { kind: "answered", data: (await call()).data };
  } catch (error) {
    const { response, code, message } = error as {
      response?: { status: number; data?: unknown; headers?: Record<string, unknown> };
      code?: string;
      message?: string;
    };
    if (!response)
      return { kind: "refused", status: 0, code: code ?? "", message: hide(code ?? message ?? ""), retryAfterMs: null };
    const said = z.object({ code: z.string().catch(""), message: z.string().catch("") }).safeParse(response.data);
    const seconds = Number(response.headers?.["retry-after"] ?? Number.NaN);
    return {
      kind: "refused",
      status: response.status,
      code: said.success ? said.data.code : "",
      message: hide(said.success ? said.data.message : ""),
      retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null,
    };
  }
}

function branchOf(branch: z.infer<typeof branchSchema>, annotation: Record<string, string> | undefined): NeonBranch {
  return {
    id: branch.id,
    name: branch.name,
    parentId: branch.parent_id ?? null,
    isDefault: branch.default,
    isProtected: branch.protected,
    expiresAt: branch.expires_at ?? null,
    annotation: annotation ?? {},
  };
}

/** What is not there is none; every other refusal is thrown on. */
function gone(error: unknown): null {
  if (error instanceof NeonRefusal && error.status === 404) return null;
  throw error;
}

function refusesExpiry({ status, message }: NeonRefusal): boolean {
  return status >= 400 && status < 500 && /expires_at|expiration|ttl/i.test(message);
}

function unsettled(what: string, action: string, status: string): MultirunError {
  return new MultirunError(...unsettledWords(what, action, status));
}

function unsettledWords(what: string, action: string, status: string): ConstructorParameters<typeof MultirunError> {
  const hint = "Look at the project's operations in Neon's console, then resume.";
  return ["infra", `Neon does not ${what}: its operation ${action} is ${status}`, { hint }];
}
