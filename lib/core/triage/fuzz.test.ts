import fc from "fast-check";
import { expect, it } from "vitest";

import { arbitraryMutation, withinTime } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { RULES_OF_ANSWERS } from "./bundled/rules-of-answers";
import { RULES_OF_RUNS } from "./bundled/rules-of-runs";
import { makeRuleSet } from "./rule-set";
import { parseRules } from "./rules";

const OWN = `# mine
[[rule]]
id = "disk-full"
class = "environment"
why = "The disk of the container was full."
facts = ["raised", "!passed"]
match = [{ exception = "No space left" }, { verifier = '''ENOSPC|\\bquota\\b''' }]
show = ["exception"]

[[rule]]
id = "second"
class = "agent"
why = """Two
lines"""
`;

it("a table of rules is taken as a whole, or refused with every mistake in words and none of its rules used", async () => {
  const { set: bundled } = makeRuleSet(null);
  await fc.assert(
    fc.asyncProperty(arbitraryMutation([OWN, OWN, RULES_OF_RUNS, RULES_OF_ANSWERS]), ({ text }) =>
      withinTime(() => {
        const parsed = parseRules(text);
        const { set, problems } = makeRuleSet(text);
        if (parsed.ok) return;
        expect(problems.every(({ detail, line }) => detail !== "" && (line ?? 1) >= 1)).toBe(true);
        expect([problems.length > 0, set.version]).toEqual([true, bundled.version]);
      }),
    ),
    planRuns({ short: 40, long: 25_000 }),
  );
});
