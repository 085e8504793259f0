// Runs inside a sandbox that has no network: what is said to a port of its loopback goes on to the socket of that number
// in a folder, behind which the harness listens. Then starts the program it was made for, and ends as that one ends.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [folder, file, ...args] = process.argv.slice(2);

const carry = (port) => (client) => {
  const host = connect({ path: `${folder}/${port}`, allowHalfOpen: true });
  client.pipe(host);
  host.pipe(client);
  client.on("error", () => host.destroy());
  host.on("error", () => client.destroy());
};
const listen = (port) =>
  new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, carry(port));
    const failed = (error) => {
      process.stderr.write(`multirun: port ${port} cannot be opened in the sandbox: ${error.message}\n`);
      resolve();
    };
    server.on("error", failed).listen(port, resolve);
  });
await Promise.all(readdirSync(folder).map((port) => listen(Number(port))));

// The program hears them itself, and may take its time.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]) process.on(signal, () => undefined);
const program = spawn(file, args, { stdio: "inherit" });
program.on("error", (error) => {
  process.stderr.write(`${file}: ${error.message}\n`);
  process.exit(error.code === "ENOENT" ? 127 : 126);
});
program.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
