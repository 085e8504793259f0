import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reader, roles } from "./reading.js";

const read = await reader();
const url = (name: string) => new URL(name, import.meta.url);
const all =
  "argument assert assign await binary block call case catch choose class constant declare decorator delete function hole if " +
  "import list loop map member name number pair parameter raise return string subscript switch text try type unary yield";

/** What a language has no words for, or writes as a call. */
const missing: Record<string, string> = {
  "cart.py": "",
  "cart.ts": "argument assert",
  "cart.tsx": "argument assert",
  "cart.js": "argument assert type",
  "cart.go": "argument assert await catch choose decorator delete hole try yield",
  "Cart.java": "await delete hole map pair type",
  "cart.rs": "argument assert catch choose delete hole try yield",
  "cart.rb": "assert await declare decorator delete import type",
  "cart.php": "assert await map type",
  "Cart.cs": "assert delete map pair type",
};

for (const [name, without] of Object.entries(missing)) {
  test(`Every role and its parts are told of ${name}`, async () => {
    const told = roles(read(name, readFileSync(url(`samples/${name}.txt`), "utf8")));
    const absent = without.split(" ");
    expect(told.map((line) => line.slice(0, line.indexOf(":"))).filter((role) => role !== "comment")).toEqual(
      all.split(" ").filter((role) => !absent.includes(role)),
    );
    await expect(`${told.join("\n")}\n`).toMatchFileSnapshot(fileURLToPath(url(`roles/${name}.txt`)));
  });
}
