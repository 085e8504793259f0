import type { FileClass } from "../../../model/code.js";
import * as pattern from "./class-patterns.js";

/** What is known of a file besides its path. */
export interface FileSigns {
  /** It was not there before. */
  fresh?: boolean;
  /** Something else brings it in, or it is all there is of the change. */
  used?: boolean;
  /** Its text: tools say in the first lines that they wrote it. */
  text?: string;
}

const readClasses: ReadonlySet<FileClass> = new Set(["source", "test", "config"]);
const toolClasses: ReadonlySet<FileClass> = new Set(["generated", "vendored", "lock"]);

/** True for classes whose texts are read; of the others lines are counted. */
export function isRead(fileClass: FileClass): boolean {
  return readClasses.has(fileClass);
}

/** True for what tools and other projects wrote: no choice of any run. */
export function isForeign(fileClass: FileClass): boolean {
  return toolClasses.has(fileClass);
}

/** Characters in which a tool says that it wrote the file. */
const generatedHead = 400;

/**
 * What a file is for, by the habits of the languages it may be written in. Of several that fit, the first in this order:
 * lock, left over (scratch), generated, vendored, scratch, test, docs, config, source.
 */
export function classOf(path: string, { fresh = false, used = true, text = "" }: FileSigns = {}): FileClass {
  if (pattern.lock.test(path)) return "lock";
  if (pattern.leftOver.test(path)) return "scratch";
  if (isGenerated(path, fresh, text)) return "generated";
  if (pattern.vendored.test(path) || pattern.vendoredAnywhere.test(path)) return "vendored";
  if (fresh && !used && isScratch(path)) return "scratch";
  if (isTest(path)) return "test";
  if (isDocs(path)) return "docs";
  if (pattern.configName.test(path) || pattern.config.test(path)) return "config";
  return pattern.code.test(path) ? "source" : "other";
}

/** True for a new file that is scratch unless something uses it. */
export function mayBeScratch(path: string): boolean {
  return classOf(path, { fresh: true, used: false }) === "scratch" && !pattern.leftOver.test(path);
}

/** True where its very name says that it is made for once. */
export function isNamedScratch(path: string): boolean {
  return pattern.scratchName.test(path) || pattern.rootScratchName.test(path);
}

function isGenerated(path: string, fresh: boolean, text: string): boolean {
  if (pattern.output.test(path) || (fresh && pattern.freshOutput.test(path))) return true;
  if (pattern.generatedEnding.test(path) || pattern.generatedName.test(path)) return true;
  return pattern.generatedText.test(text.slice(0, generatedHead));
}

/** Beside the README any program that nothing uses, called a test or not; elsewhere one whose name says so. */
function isScratch(path: string): boolean {
  if (path.includes("/")) return pattern.program.test(path) && pattern.scratchName.test(path) && !isTest(path);
  if (isNamedScratch(path)) return true;
  return pattern.program.test(path) && !pattern.entry.test(path) && !pattern.configName.test(path);
}

function isTest(path: string): boolean {
  if (pattern.testFolder.test(path) || pattern.camelTestFolder.test(path) || pattern.specData.test(path)) return true;
  if (!pattern.code.test(path)) return false;
  return pattern.specFolder.test(path) || pattern.testName.test(path) || pattern.camelTestName.test(path);
}

/** Code in a folder of that name is docs only at the top, where it builds them: `news/models.py` is none. */
function isDocs(path: string): boolean {
  if (pattern.docs.test(path) || pattern.docsName.test(path) || pattern.docsRoot.test(path)) return true;
  return pattern.docsFolder.test(path) && !pattern.code.test(path);
}
