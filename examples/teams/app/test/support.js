import { after, before, test } from "node:test";
import { connect } from "../src/database.js";

let db;
before(async () => {
  db = await connect();
});
after(() => db.end());

/** A test that leaves no rows behind: it runs in a transaction that is always rolled back. */
export function testWithDatabase(name, body) {
  test(name, async () => {
    await db.query("begin");
    try {
      await body(db);
    } finally {
      await db.query("rollback");
    }
  });
}
