/** One expression for many words, which are expressions themselves and stand apart by white space. */
function anyOf(words: string, around: (either: string) => string, flags = ""): RegExp {
  return new RegExp(around(`(?:${words.trim().split(/\s+/).join("|")})`), flags);
}

const named = (either: string): string => `(?:^|/)${either}$`;
const folder = (either: string): string => `(?:^|/)${either}/`;
const ending = (either: string): string => `\\.${either}$`;
/** Below the folders of a project's own code such a name may be a word of its business: `src/vendor/prices.ts`. */
const outerFolder = (either: string): string =>
  `^(?:(?!(?:src|lib|app|apps/[^/]+/src|internal|pkg|cmd)/)[^/]+/)*?${either}/`;

export const lock: RegExp = anyOf(
  String.raw`package-lock\.json npm-shrinkwrap\.json yarn\.lock pnpm-lock\.yaml bun\.lockb? deno\.lock Cargo\.lock
  poetry\.lock uv\.lock pdm\.lock Pipfile\.lock go\.sum go\.work\.sum composer\.lock Gemfile\.lock packages\.lock\.json
  mix\.lock pubspec\.lock Podfile\.lock Package\.resolved gradle\.lockfile flake\.lock \.terraform\.lock\.hcl`,
  named,
);

export const leftOver: RegExp = /(?:\.(?:orig|rej|bak|swp|swo|log|tmp)|~|(?:^|\/)\.DS_Store)$/;

/** Output of tools, never kept by hand. */
export const output: RegExp = anyOf(
  String.raw`dist generated __generated__ node_modules __pycache__ __snapshots__ \.tox \.nox \.venv venv site-packages \.next \.nuxt
  \.gradle \.dart_tool \.mypy_cache \.pytest_cache \.ruff_cache htmlcov [^/]+\.egg-info`,
  folder,
);

/** Folders a project may keep by hand, too: only what is new there is output. */
export const freshOutput: RegExp = anyOf("build out target coverage obj bin/Debug bin/Release", outerFolder);

export const vendored: RegExp = anyOf(
  "vendor vendored third_party third-party thirdparty extern externals bower_components Pods",
  outerFolder,
);

/** A name nobody gives to anything else. */
export const vendoredAnywhere: RegExp = anyOf("_vendor", folder);

export const generatedEnding: RegExp = anyOf(
  String.raw`min\.(?:js|css) (?:js|css|ts)\.map snap tsbuildinfo pyc pyo class o obj so dll exe jar wasm pb\.(?:go|cc|h)
  (?:g|freezed)\.dart g\.cs designer\.cs (?:generated|gen)\.\w+`,
  ending,
  "i",
);

export const generatedName: RegExp =
  /(?:^|\/)(?:zz_generated[^/]*|[^/]*(?:_pb2(?:_grpc)?\.pyi?|_pb\.(?:js|d\.ts)|_generated\.\w+))$/;

export const generatedText: RegExp = /@generated\b|\bDO NOT EDIT\b|<auto-?generated/;

export const code: RegExp = anyOf(
  `py pyi pyx js jsx mjs cjs ts tsx mts cts vue svelte astro go rs rb rake erb haml java kt kts scala groovy cljs?
  c h cc cpp cxx hh hpp m mm cs cshtml razor fs vb php phtml swift dart ex exs heex erl hs ml lua pl pm r jl zig nim v sol
  sh bash zsh fish ps1 bat cmd sql prisma graphql gql proto thrift html? css scss sass less hbs mustache ejs j2 jinja2? twig
  liquid tera tmpl tpl pug tf nix`,
  ending,
  "i",
);

/** Used only where something brings it in by name; in other languages its folder is enough. */
export const program: RegExp = anyOf(
  "py js jsx mjs cjs ts tsx mts cts rb php lua pl sh bash zsh ps1 java",
  ending,
  "i",
);

/** What starts an application, or is found by its name. */
export const entry: RegExp = anyOf(
  `main index app application server cli manage wsgi asgi worker middleware instrumentation mod lib fabfile noxfile
  tasks __init__ __main__ bootstrap artisan install entrypoint docker-entrypoint`,
  (either) => `^${either}\\.\\w+$`,
  "i",
);

/** Names that say it wherever the file is, and names that say it beside the README. */
export const scratchName: RegExp = anyOf(
  String.raw`repro(?:_|-|\.|duc) scratch debug[_-] [_-]debug\. tmp[_-] temp[_-] playground`,
  (either) => `(?:^|/)[^/]*${either}[^/]*$`,
  "i",
);
export const rootScratchName: RegExp = anyOf(
  "run[_-]?tests? bug issue demo try verify check poc quick manual sanity",
  (either) => `^${either}(?:[_\\d-][^/]*)?\\.(?:py|[cm]?js|ts|sh|rb|php|go|txt|sql|patch|diff|md)$`,
  "i",
);

export const testFolder: RegExp = anyOf(
  String.raw`tests? testing testdata __tests__ __mocks__ __fixtures__ e2e cypress test[_-]?utils androidTest
  (?:unit|integration|functional|acceptance|system|smoke)[_-]tests?
  [^/]*\.(?:unit|integration|functional)?tests?`,
  folder,
  "i",
);
export const camelTestFolder: RegExp = anyOf("[^/]*[A-Za-z0-9](?:Tests|Specs)", folder);
/** Ruby and JavaScript keep tests in it; elsewhere it may hold descriptions. */
export const specFolder: RegExp = anyOf("specs?", folder, "i");
export const specData: RegExp = /(?:^|\/)specs?\/(?:.*\/)?(?:fixtures|factories|support|snapshots|data)\//i;
export const testName: RegExp = anyOf(
  `test_[^/]* [^/]*[._-](?:test|tests|spec|specs|cy|e2e) conftest tests?`,
  (either) => `(?:^|/)${either}\\.[a-z]+$`,
);
export const camelTestName: RegExp =
  /[a-z0-9](?:Tests?|TestCase|TestBase|IT|Specs?)\.(?:java|kt|groovy|scala|cs|vb|fs|php|swift)$/;

export const docs: RegExp = anyOf("md mdx markdown rst adoc asciidoc", ending, "i");
export const docsFolder: RegExp = anyOf("docs? documentation changelogs? changes news newsfragments man", folder, "i");
export const docsRoot: RegExp = /^(?:docs?|documentation)\//i;
export const docsName: RegExp = anyOf(
  "CHANGES CHANGELOG HISTORY AUTHORS CONTRIBUTORS README NEWS LICENSE LICENCE COPYING NOTICE SECURITY TODO",
  (either) => `(?:^|/)${either}(?:\\.(?:txt|html?))?$`,
  "i",
);

export const config: RegExp = anyOf(
  `toml cfg ini conf config ya?ml json jsonc json5 env properties props targets xml plist editorconfig csproj fsproj
  vbproj sln gradle gemspec podspec cabal sbt mk hcl tfvars service`,
  ending,
  "i",
);
export const configName: RegExp = anyOf(
  String.raw`[^/]*Dockerfile[^/]* Containerfile Makefile GNUmakefile CMakeLists\.txt Procfile Jenkinsfile Vagrantfile Gemfile
  Pipfile Brewfile [Jj]ustfile Rakefile CODEOWNERS go\.mod go\.work setup\.py mix\.exs (?:build|settings)\.gradle\.kts
  (?:[\w.-]*[-_.])?requirements[\w.-]*\.txt constraints[\w.-]*\.txt [^/]+\.config\.[cm]?[jt]s gulpfile\.\w+ Gruntfile\.\w+
  \.env[^/]* \.[^/]+rc(?:\.\w+)? \.[^/.]+`,
  named,
);
