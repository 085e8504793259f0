/**
 * `npm run bench [name…] [-- argument…]`: runs the measurements named, or all, each ending with one line of JSON. What
 * stands behind the names and is no name is for them.
 */
const benches: Record<string, () => Promise<{ run(args: readonly string[]): Promise<Record<string, unknown>> }>> = {
  start: () => import("./start.js"),
  overhead: () => import("./overhead.js"),
  memory: () => import("./memory.js"),
  output: () => import("./output.js"),
  redact: () => import("./redact.js"),
  workspace: () => import("./workspace.js"),
  patch: () => import("./patch.js"),
  schema: () => import("./schema.js"),
  rows: () => import("./rows.js"),
  consensus: () => import("./consensus.js"),
  nway: () => import("./nway.js"),
  growth: () => import("./growth.js"),
  code: () => import("./code.js"),
  execute: () => import("./execute.js"),
  "chaos-neon": () => import("./chaos-neon.js"),
};

const args = process.argv.slice(2);
const firstOther = args.findIndex((each) => !(each in benches));
const wanted = args.slice(0, firstOther === -1 ? args.length : firstOther);
const rest = args.slice(wanted.length);
if (wanted.length === 0 && rest.length > 0)
  throw new Error(`No bench is called ${rest[0]}: ${Object.keys(benches).join(", ")}`);
for (const [name, load] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`${JSON.stringify(await (await load()).run(rest))}\n`);
}
