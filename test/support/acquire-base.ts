import { createDatabases } from "../../src/isolate/database/database.js";
import { testDeps, testExperiment } from "./experiment.js";

/** Program: takes the embedded server and base, as any process of an experiment does, and says where the server is. */
const { folder, seeds } = JSON.parse(process.argv[2] ?? "");
const experiment = testExperiment(folder, { seeds });
const provider = createDatabases({ experiment, deps: testDeps() });
const holder = { experiment: experiment.id, run: "base" as const, attempt: 1 };
await provider.server?.acquire(holder);
const { url } = await provider.databases.acquire(holder);
process.stdout.write(new URL(url.reveal()).port);
