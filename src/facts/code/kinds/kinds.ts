import type { CodeKindWords } from "../../../model/code.js";
import { namedArguments, passed } from "./arguments.js";
import { assigned, assignments } from "./assignments.js";
import { calls } from "./calls.js";
import { catches } from "./catches.js";
import { conditions } from "./conditions.js";
import { constants } from "./constants.js";
import { decorators } from "./decorators.js";
import { deletions } from "./deletions.js";
import { elements } from "./elements.js";
import { environment } from "./environment.js";
import { errorClasses } from "./error-classes.js";
import { exported, resultTypes } from "./exports.js";
import { fallbacks } from "./fallbacks.js";
import { asynchronous, generators } from "./generators.js";
import { imports } from "./imports.js";
import type { CodeKind } from "./kind.js";
import { literals, names } from "./literals.js";
import { messages } from "./messages.js";
import { parameters } from "./parameters.js";
import { raises } from "./raises.js";
import { rejections } from "./rejections.js";
import { returns } from "./returns.js";
import { routes } from "./routes.js";
import { settings } from "./settings.js";
import { statusCodes } from "./status-codes.js";
import { again, symbols } from "./symbols.js";
import { tables } from "./tables.js";
import { typeTests } from "./type-tests.js";

/** Every kind of fact that is read in code. */
export const kinds: readonly CodeKind[] = [
  routes,
  rejections,
  raises,
  catches,
  errorClasses,
  fallbacks,
  typeTests,
  conditions,
  elements,
  constants,
  parameters,
  exported,
  resultTypes,
  assignments,
  calls,
  namedArguments,
  returns,
  assigned,
  passed,
  generators,
  asynchronous,
  decorators,
  deletions,
  environment,
  statusCodes,
  tables,
  settings,
  imports,
  messages,
  literals,
  names,
  symbols,
  again,
];

/** The same by name, as far as decisions need to know them. */
export const kindWords: ReadonlyMap<string, CodeKindWords> = new Map(kinds.map((kind) => [kind.kind, kind]));
