import fc from "fast-check";
import { expect, test } from "vitest";
import { languages, other, plain, program, statement, statements } from "./programs.js";
import { reader } from "./reading.js";

const { changes, facts, read } = await reader(["python", "typescript", "go"]);
const settings = { numRuns: 150, seed: 5 };

test.each(languages)("Comments, layout and the names of locals give no facts: %s", (path) => {
  fc.assert(
    fc.property(statements, (body) => {
      const [before, after] = [program(path, body, plain), program(path, body, other)];
      expect(read(path, after).broken).toEqual([]);
      expect(facts(path, before, after)).toEqual([]);
      expect(facts(path, after, before)).toEqual([]);
      for (const { status } of changes(path, before, after)) expect(status).toBe("text");
    }),
    settings,
  );
});

test.each(languages)("An added statement gives only facts about itself, and takes none away: %s", (path) => {
  fc.assert(
    fc.property(statements, statement, fc.nat(5), (body, added, at) => {
      const longer = [...body.slice(0, at), added, ...body.slice(at)];
      const own = new Set(facts(path, program(path, [], plain), program(path, [added], plain)));
      const told = facts(path, program(path, body, plain), program(path, longer, plain));
      for (const fact of told) {
        const again = /^again (\w+) = /.exec(fact)?.[1];
        if (again !== undefined) expect(own).toContain(`call ${again} = called`);
        else expect(own).toContain(fact);
      }
    }),
    settings,
  );
});

test.each(languages)("Other names for locals add nothing to what is told of a change: %s", (path) => {
  fc.assert(
    fc.property(statements, statement, fc.nat(5), (body, added, at) => {
      const longer = [...body.slice(0, at), added, ...body.slice(at)];
      const told = facts(path, program(path, body, plain), program(path, longer, other));
      const same = facts(path, program(path, body, plain), program(path, longer, plain));
      // What a local is set to is told by its name; of another name nothing is known.
      expect(told).toEqual(same.filter((fact) => !/^assign a\d /.test(fact)));
    }),
    settings,
  );
});

test.each(languages)("What is told of a change and of the change taken back speaks of the same slots: %s", (path) => {
  fc.assert(
    fc.property(statements, statements, (one, two) => {
      const [before, after] = [program(path, one, plain), program(path, two, plain)];
      const slots = (told: string[], gone: boolean) =>
        told
          .filter((fact) => /^-?(?:call|cond|set) /.test(fact) && fact.startsWith("-") === gone)
          .map((fact) => fact.replace(/^-/, ""))
          .sort();
      expect(slots(facts(path, before, after), false)).toEqual(slots(facts(path, after, before), true));
    }),
    settings,
  );
});

test.each(languages)("The same two texts are told the same twice: %s", (path) => {
  fc.assert(
    fc.property(statements, statements, (one, two) => {
      const [before, after] = [program(path, one, plain), program(path, two, other)];
      expect(changes(path, before, after)).toEqual(changes(path, before, after));
    }),
    { numRuns: 30, seed: 5 },
  );
});
