import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { MultirunError } from "../../model/error.js";
import { deepest, type FoundTest, unreadable } from "./found.js";

/**
 * Tests of a JUnit XML report, in the many dialects of it: suites in suites, or none. The parser knows no entities but
 * XML's own five and reads no other file.
 * @throws MultirunError `bad_artifact`
 */
export function readJUnit(text: string): FoundTest[] {
  const root = rootOf(text);
  if (root?.name !== "testsuites" && root?.name !== "testsuite") {
    throw new MultirunError("bad_artifact", "it is XML, but no JUnit report");
  }
  const found: FoundTest[] = [];
  const open = [{ element: root, suites: [] as string[] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { element, suites } = next;
    if (element.name === "testcase") found.push(testOf(element, suites));
    // The outermost element is named after the tool, where it has a name.
    if (suites.length > deepest)
      throw new MultirunError("bad_artifact", `its suites are nested deeper than ${deepest}`);
    const own = element.name === "testsuite" ? [...suites, element.attributes["name"] ?? ""] : suites;
    for (const child of childrenOf(element)) open.push({ element: child, suites: own });
  }
  return found;
}

function rootOf(text: string): XmlElement | null {
  try {
    return parseXml(text).root;
  } catch (error) {
    throw unreadable("XML", error);
  }
}

function testOf(element: XmlElement, suites: readonly string[]): FoundTest {
  const { file, classname, name } = element.attributes;
  const path = [file, ...suites, classname, name ?? "a test without a name"].filter((part) => part !== undefined);
  const said = new Set(childrenOf(element).map((child) => child.name));
  if (said.has("error")) return { path, status: "error" };
  if (said.has("failure")) return { path, status: "fail" };
  return { path, status: said.has("skipped") ? "skip" : "pass" };
}

function childrenOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => child instanceof XmlElement);
}
