#!/usr/bin/env node
import { Command, CommanderError, Option } from "commander";
import { version } from "../model/version.js";
import { exitCodes, reportError } from "./exit.js";
import type { CommonOptions, CompareOptions, RunOptions, SweepOptions, SynthesizeOptions } from "./options.js";

// Commands load what they need when they run: --help answers at once.
const program = new Command("multirun")
  .description("Run one coding task through N isolated agents and see which decisions they took the same way.")
  .version(version)
  .showHelpAfterError("(multirun --help lists commands and options)")
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text) });

const list = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];
const json = new Option("--json", "print one JSON document on stdout and nothing else there");
const explain = new Option(
  "--explain <decision>",
  "print what one decision stands on, such as D2, instead of the report; not with --json",
);
const out = new Option("--out <dir>", "folder for the experiment (default .multirun/<experiment>)");
const repo = new Option("--repo <dir>", "the git repository").default(".");
const databaseUrl = new Option("--database-url <url>", "admin URL of a postgres server (or $MULTIRUN_DATABASE_URL)");

program
  .command("demo")
  .description("the whole pipeline on a bundled example with scripted agents; no key, no network")
  .option("-n, --runs <n>", "how many runs (default 10)")
  .option("--seed <number>", "which implementations the scripted agents choose", "1")
  .option("--parallel <n>", "how many at once (default all)")
  .addOption(out)
  .addOption(json)
  .option("--keep", "leave workspaces and databases for a look; sweep takes them")
  .action(async (options: RunOptions) => (await import("./commands/demo.js")).demo(options));

program
  .command("run")
  .description("run a task through N agents, compare, report")
  .requiredOption("--task <file>", "Markdown task, - for standard input")
  .option("-n, --runs <n>", "how many runs (default 10)")
  .option("--parallel <n>", "how many at once (default all)")
  .option("--agent <name>", "claude, codex, gemini, opencode, or a mix: claude:3,codex:2")
  .option("--model <name>", "model, or a mix: small:5,large:5")
  .option("--prompt <file>", "text put in front of the task, or a mix: a.md:5,b.md:5")
  .option("--command <cmd>", "any program: task on stdin, workspace as current folder")
  .addOption(repo)
  .option("--base <ref>", "commit the runs start from", "HEAD")
  .option("--database <provider>", "none, embedded or postgres")
  .addOption(databaseUrl)
  .option("--seed <file>", "SQL for the database, in order; may be a pattern", list)
  .option("--setup <cmd>", "command before the agent", list)
  .option("--check <cmd>", "command after the agent; exit 0 is a pass", list)
  .option("--check-timeout <time>", "longest time of one setup command or check (default 10m)")
  .option("--timeout <time>", "longest time of an agent (default 30m)")
  .option("--stall <time>", "longest time without a sign of life (default 10m)")
  .option("--first-sign <time>", "longest time until the first sign of life (default 5m)")
  .option("--budget <usd>", "US dollars all runs together may spend on models")
  .option("--model-access <way>", "gateway, or direct: agents use your own login, unmetered")
  .option("--allow <glob>", "paths agents may change; others are flagged", list)
  .option("--deny <glob>", "paths agents may not change", list)
  .option("--sandbox <kind>", "auto, bwrap or none")
  .option("--expose <path>", "what agents in a sandbox may read beside the system and the tools on PATH", list)
  .option("--keep", "leave workspaces and databases for a look; sweep takes them")
  .addOption(out)
  .addOption(json)
  .action(async (options: RunOptions) => (await import("./commands/run.js")).run(options));

program
  .command("resume <experiment>")
  .description("go on with an experiment that was interrupted; finished runs are kept")
  .addOption(databaseUrl)
  .addOption(json)
  .action(async (path: string, options: CommonOptions) => (await import("./commands/resume.js")).resume(path, options));

program
  .command("status [experiment]")
  .description("what the runs of an experiment are doing, or which experiments there are")
  .addOption(repo)
  .addOption(json)
  .action(async (path: string | undefined, options: CommonOptions) =>
    (await import("./commands/status.js")).status(path, options),
  );

program
  .command("cancel <experiment>")
  .description("end an experiment: agents stop, what they did is captured and reported")
  .action(async (path: string) => (await import("./commands/cancel.js")).cancel(path));

program
  .command("sweep [experiment]")
  .description("find what crashed experiments of yours left on this machine; --yes gives it back")
  .option("--yes", "delete; without it the findings are only listed")
  .option("--neon <project>", "look in this Neon project instead of on a server, with the key in $NEON_API_KEY")
  .addOption(repo)
  .addOption(databaseUrl)
  .addOption(json)
  .action(async (only: string | undefined, options: SweepOptions) =>
    (await import("./commands/sweep.js")).sweep(only, options),
  );

program
  .command("synthesize <experiment>")
  .description("an experiment folder → report again, without running agents")
  .addOption(explain)
  .addOption(json)
  .action(async (path: string, options: SynthesizeOptions) =>
    (await import("./commands/synthesize.js")).synthesize(path, options),
  );

program
  .command("compare [refs...]")
  .description("runs that others made → report: branches (--base REF REF REF…) or a folder of files (--from DIR)")
  .option(
    "--base <ref>",
    "what the branches started from; each counts from where it left this. With --from: what the patches were made for",
  )
  .option(
    "--from <dir>",
    "folder with <run>.sql, <run>.patch, <run>.checks.json or any of these, and base.sql, what all started from",
  )
  .option("--reference <run>", "one more ref, or one run of --from: told beside the others and never counted")
  .addOption(repo)
  .addOption(explain)
  .addOption(new Option("--out <dir>", "also write an experiment folder, which synthesize reads again"))
  .addOption(json)
  .action(async (refs: string[], options: CompareOptions) =>
    (await import("./commands/compare.js")).compare(refs, options),
  );

const names =
  "A URL may also be the name of an environment variable that holds it, which keeps passwords out of process lists.";

program
  .command("schema <url>")
  .description("what a Postgres database is made of: tables, columns, rules, rights and all else its catalogs hold")
  .addOption(json)
  .addHelpText(
    "after",
    `
${names}

Examples:
  multirun schema postgres://me:secret@localhost:5432/app
  multirun schema DATABASE_URL --json > schema.json`,
  )
  .action(async (url: string, options: CommonOptions) => (await import("./commands/schema.js")).schema(url, options));

program
  .command("rows <base> <run>")
  .description("in which rows the database <run> differs from <base>; both are only read")
  .addOption(json)
  .addHelpText(
    "after",
    `
${names}

Examples:
  multirun rows postgres://me:secret@localhost/app postgres://me:secret@localhost/app_try
  multirun rows BASE_URL RUN_URL --json`,
  )
  .action(async (base: string, run: string, options: CommonOptions) =>
    (await import("./commands/rows.js")).rows(base, run, options),
  );

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own message already; help and version are no errors.
  process.exitCode =
    error instanceof CommanderError ? (error.exitCode === 0 ? 0 : exitCodes.badInput) : reportError(error);
}
