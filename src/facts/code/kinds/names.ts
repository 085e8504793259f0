import { partOf, type SyntaxNode } from "../syntax.js";
import type { Place } from "./kind.js";
import { raisedBy } from "./raised.js";
import { bare, lastName } from "./reading.js";

/** Functions every program has at hand: that one is called says little. */
export const builtIn = new Set(
  (
    "abs all any append bool bytes callable chr dict dir enumerate filter float format frozenset getattr hasattr hash hex id " +
    "int isinstance issubclass iter len list map max min next object oct open ord print property range repr reversed " +
    "round set setattr slice sorted staticmethod classmethod str sum super tuple type vars zip Array Boolean Number Object " +
    "String Set Map Symbol parseInt parseFloat make new cap copy delete string byte rune error push join split trim " +
    "nil? present? blank? empty? is_empty is_none is_some freeze new to_s to_i dup " +
    "toString slice forEach Some Ok None into clone to_string unwrap vec puts isset empty count array strlen"
  ).split(" "),
);

/** Calls whose arguments are words for people. */
const speaking =
  /^(?:print|println|printf|warn|warn_explicit|warning|debug|info|error|exception|critical|trace|log|fail|exit|echo|write|console|puts|Println|Printf|Fatal|Fatalf|Errorf|Logf)!?$/;

/** Named arguments that hold words for people. */
const spokenArguments = /^(?:help|description|reason|message|msg|title|label|usage|epilog|metavar|stacklevel)$/;

export function isSpeaking(name: string): boolean {
  return speaking.test(name);
}

export function isSpoken(argument: string): boolean {
  return spokenArguments.test(argument);
}

/** Functions that are told by another kind of fact. */
const toldElsewhere =
  /^(?:isinstance|issubclass|hasattr|is_a\?|kind_of\?|matches!?|Err|require|require_relative|import|raise|panic!?|getattr|[gG]etenv|LookupEnv)$/;

/** Whether a call is one of its own, not words for people, an error that is raised, or a matter of another kind. */
export function isCall(node: SyntaxNode, place: Place): boolean {
  const { text, spelling } = place;
  const callee = bare(partOf(node, "callee"));
  const name = lastName(callee, text);
  if (name === "" || isSpeaking(name) || toldElsewhere.test(name) || node.part === "target") return false;
  if (raisedBy(node, place) !== undefined) return false;
  if (node.parent?.role === "raise" || node.parent?.role === "decorator") return false;
  return callee?.role === "member" || !spelling.isLocal(name);
}
