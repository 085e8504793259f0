import { randomBytes, randomUUID } from "node:crypto";
import { identifier, toUrl, withClient } from "../../../src/clients/postgres.js";
import type { Site } from "../../../src/isolate/database/site.js";
import { type Compute, startCompute } from "./compute.js";

export interface EmulatedBranch {
  id: string;
  name: string;
  parentId: string | null;
  isDefault: boolean;
  isProtected: boolean;
  createdAt: string;
  expiresAt: string | null;
  annotation: Record<string, string>;
  /** On the server. */
  database: string;
  direct: Compute;
  pooled: Compute;
  /** Milliseconds since the epoch when its compute lets clients in. */
  readyAt: number;
}

export interface EmulatedOperation {
  id: string;
  action: string;
  branchId: string;
  /** Milliseconds since the epoch. */
  endsAt: number;
  ending: "finished" | "failed";
  /** Done when it ends well. */
  effect?: () => Promise<void>;
}

export interface StateOptions {
  site: Site;
  /** The parent's own database, on the server. */
  parentDatabase: string;
  operationMs: number;
}

/** Branches and what is being done to them. Each is a database of the server, a fork is a copy. */
export class State {
  readonly branches = new Map<string, EmulatedBranch>();
  readonly operations = new Map<string, EmulatedOperation>();
  /** Names of the branches that ever had a port, by port. */
  readonly ports = new Map<number, string>();
  /** Asked for each operation whether it fails. */
  fails: () => boolean = () => false;
  readonly #options: StateOptions;

  constructor(options: StateOptions) {
    this.#options = options;
  }

  async addParent(): Promise<EmulatedBranch> {
    const more = { name: "main", parentId: null, isDefault: true, isProtected: true, expiresAt: null, annotation: {} };
    return this.#add(more, this.#options.parentDatabase, 0);
  }

  /** A fork of what its parent holds just now. */
  async fork(
    parent: EmulatedBranch,
    more: Pick<EmulatedBranch, "name" | "expiresAt" | "annotation">,
  ): Promise<{ branch: EmulatedBranch; operations: EmulatedOperation[] }> {
    const database = `neon_${randomBytes(6).toString("hex")}`;
    await this.#sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${parent.database}' AND pid <> pg_backend_pid()`,
      `CREATE DATABASE ${identifier(database)} TEMPLATE ${identifier(parent.database)} STRATEGY FILE_COPY`,
      // In Neon a comment on a database is part of the branch; here it stands beside all of them.
      `DO $$ BEGIN EXECUTE format('COMMENT ON DATABASE ${identifier(database)} IS %L', (SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '${parent.database}')); END $$`,
      `ALTER DATABASE ${identifier(database)} OWNER TO app_owner`,
    );
    const { operationMs } = this.#options;
    const all = { ...more, parentId: parent.id, isDefault: false, isProtected: false };
    const branch = await this.#add(all, database, Date.now() + 2 * operationMs);
    const operations = [
      this.operate("create_branch", branch.id, operationMs),
      this.operate("start_compute", branch.id, 2 * operationMs),
    ];
    return { branch, operations };
  }

  operate(
    action: string,
    branchId: string,
    ms = this.#options.operationMs,
    effect?: () => Promise<void>,
  ): EmulatedOperation {
    const operation: EmulatedOperation = {
      id: randomUUID(),
      action,
      branchId,
      endsAt: Date.now() + ms,
      ending: action !== "start_compute" && this.fails() ? "failed" : "finished",
      ...(effect ? { effect } : {}),
    };
    this.operations.set(operation.id, operation);
    if (effect) setTimeout(() => operation.ending === "finished" && void effect(), ms);
    return operation;
  }

  /** True while anything is done to a branch: then nothing else may be. */
  isLocked(branchId: string): boolean {
    return [...this.operations.values()].some((each) => each.branchId === branchId && each.endsAt > Date.now());
  }

  async remove(branch: EmulatedBranch): Promise<void> {
    branch.direct.close();
    branch.pooled.close();
    this.branches.delete(branch.id);
    await this.#sql(`DROP DATABASE IF EXISTS ${identifier(branch.database)} WITH (FORCE)`);
  }

  async close(): Promise<void> {
    for (const branch of [...this.branches.values()]) {
      if (branch.isDefault) {
        branch.direct.close();
        branch.pooled.close();
      } else await this.remove(branch);
    }
  }

  async #add(
    more: Pick<EmulatedBranch, "name" | "parentId" | "isDefault" | "isProtected" | "expiresAt" | "annotation">,
    database: string,
    readyAt: number,
  ): Promise<EmulatedBranch> {
    const { host, port } = this.#options.site.admin;
    const start = () => startCompute({ server: { host, port }, database, isReady: () => Date.now() >= readyAt });
    const [direct, pooled] = await Promise.all([start(), start()]);
    const branch = {
      ...more,
      id: `br-${randomBytes(6).toString("hex")}`,
      createdAt: new Date().toISOString(),
      database,
      direct,
      pooled,
      readyAt,
    };
    this.branches.set(branch.id, branch);
    for (const { port } of [direct, pooled]) this.ports.set(port, more.name);
    return branch;
  }

  async #sql(...statements: string[]): Promise<void> {
    await withClient(toUrl(this.#options.site.admin), {}, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  }
}
