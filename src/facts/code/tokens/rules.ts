/** How a format without a grammar is read. */
export interface TokenRules {
  /** What begins a comment that ends with its line. */
  lineComments: readonly string[];
  blockComments: readonly (readonly [begin: string, end: string])[];
  /** What strings stand between; those longer than one character may span lines, as back-ticks may. */
  quotes: readonly string[];
  /** True where the kind of quotes decides what a string means: in a shell, in SQL. */
  quotesMatter: boolean;
  /** What layout means: nothing, the ends of lines, or indentation as well. */
  layout: "free" | "lines" | "indented";
  blocks:
    | "braces"
    | "rules"
    | "keys"
    | "sections"
    | "pairs"
    | "statements"
    | "instructions"
    | "commands"
    | "targets"
    | "none";
}

const base: TokenRules = {
  lineComments: [],
  blockComments: [],
  quotes: ['"', "'"],
  quotesMatter: false,
  layout: "free",
  blocks: "none",
};
const slashes: Partial<TokenRules> = { lineComments: ["//"], blockComments: [["/*", "*/"]] };
const c: TokenRules = { ...base, ...slashes, quotes: ['"""', '"', "'"], blocks: "braces" };
const shell: TokenRules = { ...base, lineComments: ["#"], quotesMatter: true, layout: "lines", blocks: "commands" };
const yaml: TokenRules = { ...base, lineComments: ["#"], layout: "indented", blocks: "keys" };
const sections: TokenRules = {
  ...base,
  lineComments: ["#"],
  quotes: ['"""', "'''", '"', "'"],
  layout: "lines",
  blocks: "sections",
};
const json: TokenRules = { ...base, ...slashes, quotes: ['"'], blocks: "pairs" };
const css: TokenRules = { ...base, blockComments: [["/*", "*/"]], blocks: "rules" };
const docker: TokenRules = { ...shell, blocks: "instructions" };
const make: TokenRules = { ...base, lineComments: ["#"], quotesMatter: true, layout: "indented", blocks: "targets" };
const sql: TokenRules = {
  ...base,
  lineComments: ["--"],
  blockComments: [["/*", "*/"]],
  quotes: ["$$", '"', "'"],
  quotesMatter: true,
  blocks: "statements",
};
const markup: TokenRules = { ...base, blockComments: [["<!--", "-->"]] };
const script: TokenRules = { ...base, lineComments: ["#"], layout: "indented" };

const endings: Readonly<Record<string, TokenRules>> = {
  ...all("c h cc cpp cxx hpp hh m mm kt kts swift scala dart groovy gradle proto graphql gql zig sol v", c),
  ...all("hcl tf tfvars", { ...c, lineComments: ["//", "#"] }),
  ...all("sh bash zsh ksh fish env", shell),
  ...all("yml yaml", yaml),
  ...all("toml", sections),
  ...all("ini cfg conf properties editorconfig", { ...sections, lineComments: ["#", ";"], quotes: [] }),
  ...all("json jsonc json5 webmanifest", json),
  css,
  ...all("scss less sass", { ...css, lineComments: ["//"] }),
  ...all("sql psql pgsql", sql),
  dockerfile: docker,
  ...all("mk mak", make),
  ...all("html htm xml svg vue svelte md markdown xhtml", markup),
  ...all("ex exs pl pm r jl nim ps1 tcl coffee", script),
  ...all("lua hs elm", { ...base, lineComments: ["--"], layout: "indented" }),
};
const names: Readonly<Record<string, TokenRules>> = {
  Dockerfile: docker,
  Containerfile: docker,
  Makefile: make,
  GNUmakefile: make,
  Jenkinsfile: c,
  ".env": shell,
  ".gitignore": { ...base, lineComments: ["#"], quotes: [], layout: "lines" },
};

/** By the file's name, or by its `#!` line. */
export function rulesOf(path: string, text: string): TokenRules {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const known = (table: Readonly<Record<string, TokenRules>>, key: string) =>
    Object.hasOwn(table, key) ? table[key] : undefined;
  const named = known(names, name) ?? known(names, /^(?:Dockerfile|Makefile|\.env)(?=\.)/.exec(name)?.[0] ?? "");
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return named ?? known(endings, ending) ?? (/^#!.*\b(?:ba|z|k|da)?sh\b/.test(text.slice(0, 100)) ? shell : base);
}

function all(list: string, rules: TokenRules): Record<string, TokenRules> {
  return Object.fromEntries(list.split(" ").map((ending) => [ending, rules]));
}
