import { z } from "zod";
import type { Address } from "../../../src/clients/postgres.js";
import type { EmulatedBranch, EmulatedOperation, State } from "./state.js";

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string> | undefined;
}

export interface World {
  state: State;
  project: string;
  branchLimit: number;
  knowsExpiry: boolean;
  admin: Address;
}

type Handler = (asked: Asked, world: World, ids: string[]) => Answer | Promise<Answer>;

const routes: [method: string, path: RegExp, handler: Handler][] = [
  ["GET", /^\/projects\/[^/]+$/, (_, world) => ok({ project: projectOf(world) })],
  ["GET", /^\/projects\/[^/]+\/branches$/, listBranches],
  ["POST", /^\/projects\/[^/]+\/branches$/, createBranch],
  [
    "GET",
    /^\/projects\/[^/]+\/branches\/([^/]+)$/,
    withBranch((branch) => ok({ branch: shown(branch), annotation: annotationOf(branch) })),
  ],
  ["DELETE", /^\/projects\/[^/]+\/branches\/([^/]+)$/, withBranch(deleteBranch)],
  ["GET", /^\/projects\/[^/]+\/branches\/[^/]+\/databases$/, () => ok({ databases: [{ name: "app" }] })],
  ["GET", /^\/projects\/[^/]+\/branches\/[^/]+\/roles$/, () => ok({ roles: [{ name: "app_owner" }] })],
  ["POST", /^\/projects\/[^/]+\/branches\/([^/]+)\/roles\/[^/]+\/reset_password$/, withBranch(resetPassword)],
  ["GET", /^\/projects\/[^/]+\/operations\/([^/]+)$/, tellOperation],
  ["GET", /^\/projects\/[^/]+\/connection_uri$/, tellUri],
];

export function answerTo(asked: Asked, world: World): Answer | Promise<Answer> {
  const [, project] = /^\/projects\/([^/]+)/.exec(asked.path) ?? [];
  if (project !== world.project) return refused(404, "", "project not found");
  for (const [method, path, handler] of routes) {
    const match = method === asked.method ? path.exec(asked.path) : null;
    if (match) return handler(asked, world, match.slice(1));
  }
  return refused(404, "", "this endpoint does not exist");
}

const created = z.strictObject({
  branch: z.strictObject({
    name: z.string().min(1).max(256),
    parent_id: z.string(),
    expires_at: z.string().optional(),
    parent_timestamp: z.string().optional(),
    parent_lsn: z.string().optional(),
  }),
  endpoints: z.array(z.strictObject({ type: z.literal("read_write") })).length(1),
  annotation_value: z.record(z.string(), z.string()),
});

async function createBranch({ body }: Asked, { state, branchLimit, knowsExpiry }: World): Promise<Answer> {
  const parsed = created.safeParse(body);
  if (!parsed.success) return refused(400, "", z.prettifyError(parsed.error));
  const { branch: wish, annotation_value: annotation } = parsed.data;
  const parent = state.branches.get(wish.parent_id);
  if (!parent) return refused(404, "", "parent branch not found");
  if ([...state.branches.values()].some(({ name }) => name === wish.name))
    return refused(409, "", "branch already exists");
  if (state.branches.size >= branchLimit) return refused(422, "BRANCHES_LIMIT_EXCEEDED", "branches limit exceeded");
  if (state.isLocked(parent.id)) return refused(423, "", "project already has running operations");
  const { expires_at: expiresAt = null } = wish;
  if (expiresAt !== null && !knowsExpiry) return refused(403, "", "expires_at is not available on this plan");
  if (expiresAt !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(expiresAt))
    return refused(400, "", "expires_at must be precise to seconds");
  if (expiresAt !== null && Date.parse(expiresAt) < Date.now()) return refused(400, "", "expires_at is in the past");
  const { branch, operations } = await state.fork(parent, { name: wish.name, expiresAt, annotation });
  return {
    status: 201,
    body: { branch: shown(branch), endpoints: [], roles: [], databases: [], operations: operations.map(tell) },
  };
}

function deleteBranch(branch: EmulatedBranch, { state }: World): Answer {
  if (branch.isDefault || branch.isProtected)
    return refused(422, "", "the default branch and protected branches cannot be deleted");
  if ([...state.branches.values()].some(({ parentId }) => parentId === branch.id))
    return refused(422, "", "branch has children");
  if (state.isLocked(branch.id)) return refused(423, "", "branch has running operations");
  const operation = state.operate("delete_timeline", branch.id, undefined, () => state.remove(branch));
  return ok({ branch: shown(branch), operations: [tell(operation)] });
}

function resetPassword(branch: EmulatedBranch, { state }: World): Answer {
  if (state.isLocked(branch.id)) return refused(423, "", "branch has running operations");
  return ok({ role: { name: "app_owner" }, operations: [tell(state.operate("apply_config", branch.id))] });
}

const pageSize = 3;

/** Small pages, whatever was asked for: whoever looks at the first one only finds little. */
function listBranches({ query }: Asked, { state }: World): Answer {
  const all = [...state.branches.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const from = Number(query.get("cursor") ?? 0);
  const page = all.slice(from, from + pageSize);
  const next = from + pageSize < all.length ? { next: String(from + pageSize) } : {};
  const annotations = Object.fromEntries(page.map((branch) => [branch.id, annotationOf(branch)]));
  return ok({ branches: page.map(shown), annotations, pagination: next });
}

function tellOperation(_: Asked, { state }: World, [id = ""]: string[]): Answer {
  const operation = state.operations.get(id);
  return operation ? ok({ operation: tell(operation) }) : refused(404, "", "operation not found");
}

function tellUri({ query }: Asked, { state, admin }: World): Answer {
  const branch = state.branches.get(query.get("branch_id") ?? "");
  if (!branch) return refused(404, "", "branch not found");
  const { port } = query.get("pooled") === "true" ? branch.pooled : branch.direct;
  const role = query.get("role_name");
  return ok({ uri: `postgresql://${role}:${admin.password}@127.0.0.1:${port}/${query.get("database_name")}` });
}

function withBranch(handle: (branch: EmulatedBranch, world: World) => Answer): Handler {
  return (_, world, [id = ""]) => {
    const branch = world.state.branches.get(id);
    return branch ? handle(branch, world) : refused(404, "", "branch not found");
  };
}

function tell({ id, action, branchId, endsAt, ending }: EmulatedOperation) {
  const status = Date.now() >= endsAt ? ending : Date.now() >= endsAt - 10 ? "running" : "scheduling";
  return { id, project_id: "", branch_id: branchId, action, status, failures_count: 0, created_at: "", updated_at: "" };
}

function shown({ id, name, parentId, isDefault, isProtected, createdAt, expiresAt }: EmulatedBranch) {
  return {
    id,
    name,
    ...(parentId === null ? {} : { parent_id: parentId }),
    default: isDefault,
    protected: isProtected,
    created_at: createdAt,
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
  };
}

function annotationOf({ id, annotation }: EmulatedBranch) {
  return { object: { type: "console/branch", id }, value: annotation };
}

function projectOf({ project, branchLimit }: World) {
  return { id: project, name: project, owner: { name: "", email: "", branches_limit: branchLimit } };
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function refused(status: number, code: string, message: string): Answer {
  return { status, body: { code, message } };
}
