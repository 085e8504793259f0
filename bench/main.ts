/** `npm run bench [name…]`: runs the measurements named, or all, each ending with one line of JSON. */
const benches: Record<string, () => Promise<{ run(): Promise<Record<string, unknown>> }>> = {
  start: () => import("./start.js"),
  overhead: () => import("./overhead.js"),
  memory: () => import("./memory.js"),
  output: () => import("./output.js"),
  workspace: () => import("./workspace.js"),
  patch: () => import("./patch.js"),
};

const wanted = process.argv.slice(2);
for (const [name, load] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`${JSON.stringify(await (await load()).run())}\n`);
}
