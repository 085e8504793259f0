import { describe, expect, test } from "vitest";
import { attack, canary, modes, openAttack } from "../support/attack.js";

describe.each(modes)("what an agent does with a secret, sandbox %s", (mode) => {
  test("printed and encoded in every way that is known, it is in no artifact and no log", async () => {
    const opened = openAttack();
    // As if it had found it somewhere: in a sandbox it cannot.
    opened.place.write("agent/key", canary);
    const script = `
      key=$(cat ${opened.place.folder}/agent/key)
      say() {
        echo "key $key"; printf %s "$key" | base64; printf %s "user:$key@host" | base64 -w 20; printf %s "$key" | base64 -w 8
        printf %s "$key" | od -An -v -tx1; printf %s "$key" | fold -w 1; printf %s "$key" | fold -w 7 | tr '\\n' '\\r'
        printf %s "$key" | sed 's/./&\\x1b[31m/g'; echo
        printf %s "$key" | sed 's,/,%2F,g; s/+/%2B/g'; echo; printf %s "$key" | fold -w 5 | sed 's/.*/  "&" +/'
      }
      printf %s "$key" | sed 's/./&\\x00/g'; say; say >&2; say > said.txt; say >> app.txt
      mkdir "of $key" 2> /dev/null || mkdir -p "of $key"; echo x > "of $key/file"
      printf '{"version":1,"summary":"%s","filesChanged":["%s"]}' "$key" "$key" > "$MULTIRUN_CLAIMS_FILE"
      echo "$ANTHROPIC_API_KEY" > token.txt`;
    const { record, read } = await attack(script, {
      mode,
      opened,
      flags: ["--check", "cat said.txt; cat said.txt >&2; false"],
    });
    expect(record()).toMatchObject({ outcome: "completed", partial: false, patch: { applies: false } });
    expect(record().flags).toContain("secret_in_patch");
    expect(record().patch?.changed.map(({ path }) => path)).toContain("of **-***-******_**********/**+**/file");
    expect(read("runs/r01/stdout.log")).toContain("key ***\n");
    // The token for its model is good for nothing any more, and is a secret all the same.
    expect(read("runs/r01/patch.diff")).toMatch(/^\+[*_-]+$/m);
    expect(read("runs/r01/checks.json")).toContain("***");
  });

  test("the harness's own environment tells it nothing in a sandbox, and without one gets nothing past", async () => {
    const script =
      "cat /proc/[0-9]*/environ 2> /dev/null | tr '\\0' '\\n' | tee seen.txt; grep -c Canary seen.txt > count.txt; true";
    const { record, read } = await attack(script, { mode });
    expect(record().outcome).toBe("completed");
    const seen = Number(/^\+(\d+)$/m.exec(read("runs/r01/patch.diff").split("b/count.txt\n").at(-1) ?? "")?.[1]);
    if (mode === "bwrap") expect(seen).toBe(0);
    else expect({ seen: seen > 0, flags: record().flags }).toEqual({ seen: true, flags: ["secret_in_patch"] });
  });
});
