import type { Held } from "../resource.js";
import { holderOf, markerOf } from "./names.js";
import { asAdmin, databaseComment, type Site } from "./site.js";

/** Every database and role on the server that bears our marker, of whatever experiment. */
export async function listMarkedObjects(site: Site): Promise<Held[]> {
  const rows = await asAdmin(site, async (client) => {
    const found = await client.query<{ kind: "database" | "role"; name: string; comment: string | null }>(
      `SELECT 'database' AS kind, d.datname AS name,
              ${databaseComment} AS comment
       FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba WHERE d.datname LIKE 'multirun\\_%'
       UNION ALL
       SELECT 'role', rolname, shobj_description(oid, 'pg_authid') FROM pg_roles WHERE rolname LIKE 'multirun\\_%'
       ORDER BY kind, name`,
    );
    return found.rows;
  });
  return rows.flatMap(({ kind, name, comment }) => {
    const [marker, holder] = [markerOf(name, comment), holderOf(name)];
    return marker && holder ? [{ kind, id: name, holder, expiresAt: marker.expiresAt }] : [];
  });
}
