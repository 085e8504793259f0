import { configurations, domainNames, measure, testSeeds, tuningSeeds } from "../test/evaluation/planted/measure.js";

/**
 * How well the engine finds what was planted, one line of JSON per domain and configuration. `--tuning` measures the
 * seeds to look at while building, and says what was missed and what was wrong.
 */
export async function run(args: readonly string[] = []): Promise<Record<string, unknown>> {
  const tuning = args.includes("--tuning");
  const seeds = tuning ? tuningSeeds : testSeeds;
  const worst: Record<string, number> = {};
  for (const configuration of configurations) {
    for (const domain of domainNames) {
      const begun = performance.now();
      const { missed, wrong, ...figures } = measure({ domain, configuration, seeds });
      if (tuning)
        for (const line of [...missed.map((each) => `missed ${each}`), ...wrong.map((each) => `wrong ${each}`)])
          console.log(line);
      const ms = Math.round(performance.now() - begun);
      console.log(JSON.stringify({ domain, configuration, ...rounded(figures), ms }));
      for (const [name, value] of Object.entries(figures)) {
        const key = `${configuration}.${name}`;
        worst[key] = Math.min(worst[key] ?? value, value);
      }
    }
  }
  return { name: "consensus", seeds: [seeds[0], seeds.at(-1)], worst: rounded(worst) };
}

function rounded<T extends Record<string, number>>(figures: T): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value * 1000) / 1000]));
}
