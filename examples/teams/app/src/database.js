import pg from "pg";

/** A connected client; the caller ends it. */
export async function connect(url = process.env.DATABASE_URL) {
  if (!url) {
    throw new Error("DATABASE_URL is not set: give the address of a Postgres database");
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
