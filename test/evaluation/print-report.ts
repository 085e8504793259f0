import { reportOf } from "../support/report.js";
import { domainNames, domains } from "./planted/measure.js";

/** One report per domain, and where the program believes to be: run by tests as a program of its own. */
const reports = domainNames.map((name) => {
  const { runs, base } = domains[name](5000, { n: 10, names: "own" });
  return reportOf(runs, base);
});
const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
process.stdout.write(JSON.stringify({ timeZone, locale, reports }));
