/** Options as the command line wrote them; the plan validates them against the configuration's schema. */
export interface CommonOptions {
  json?: boolean;
  repo?: string;
  databaseUrl?: string;
}

export interface SynthesizeOptions extends CommonOptions {
  explain?: string;
}

export interface CompareOptions extends SynthesizeOptions {
  from?: string;
  base?: string;
  reference?: string;
  out?: string;
}

export interface SweepOptions extends CommonOptions {
  yes?: boolean;
  neon?: string;
}

export interface RunOptions extends CommonOptions {
  task?: string;
  runs?: string;
  parallel?: string;
  agent?: string;
  model?: string;
  prompt?: string;
  command?: string;
  base?: string;
  database?: string;
  seed?: string[] | string;
  setup?: string[];
  check?: string[];
  checkTimeout?: string;
  timeout?: string;
  stall?: string;
  firstSign?: string;
  modelAccess?: string;
  budget?: string;
  allow?: string[];
  deny?: string[];
  sandbox?: string;
  expose?: string[];
  keep?: boolean;
  out?: string;
}

/** Flags → settings of `.github/multirun.yml`, unset ones left out. */
export function settingsOf(options: RunOptions): Record<string, unknown> {
  const database = defined({ provider: options.database, seed: options.seed });
  const contract = defined({ allow: options.allow, deny: options.deny });
  return defined({
    runs: asNumber(options.runs),
    parallel: asNumber(options.parallel),
    command: options.command,
    setup: options.setup,
    checks: options.check,
    checkTimeout: options.checkTimeout,
    timeout: options.timeout,
    stall: options.stall,
    firstSign: options.firstSign,
    modelAccess: options.modelAccess,
    sandbox: options.sandbox,
    expose: options.expose,
    budget: options.budget === undefined ? undefined : { total: asNumber(options.budget) },
    database: Object.keys(database).length > 0 ? database : undefined,
    contract: Object.keys(contract).length > 0 ? contract : undefined,
  });
}

/** A number where the text is one, else the text, for the schema to refuse by value. */
function asNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function defined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
