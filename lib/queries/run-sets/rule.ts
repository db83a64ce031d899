import "server-only";

import { runInNewContext } from "node:vm";

import { findRunSets, type SingleRun } from "@/lib/comparison";

/** A rule may be slow on some name for longer than anybody lives. */
const TIMEOUT_MS = 150;
const LONGEST_RULE = 200;

/** Sets that a rule finds, or why it finds none. */
export interface RuleResult {
  readonly sets: readonly (readonly string[])[];
  /** What is wrong with the rule, in a sentence; null when nothing is. */
  readonly problem: string | null;
}

/** {@link findRunSets} with a rule that anybody may have written into an address: it ends within a moment. */
export function findSetsByRule(runs: readonly SingleRun[], rule: string): RuleResult {
  const fail = (problem: string): RuleResult => ({ sets: [], problem });
  if (rule.length > LONGEST_RULE) return fail(`A rule has at most ${String(LONGEST_RULE)} characters.`);
  try {
    return { sets: findRunSets(runs, rule, matchInTime), problem: null };
  } catch (error) {
    // A SyntaxError is of the other context, where every class is another one.
    const { code, name }: { code?: unknown; name?: unknown } =
      typeof error === "object" && error !== null ? error : {};
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return fail("This expression takes too long on the names of the jobs.");
    if (name === "SyntaxError") return fail('A rule is "numbers" or a regular expression, and this is none.');
    throw error;
  }
}

/** The first group or the match of an expression in each name, in a context of its own, which is stopped when it takes too long. */
function matchInTime(names: readonly string[], pattern: string): readonly (string | null)[] {
  const found: unknown = runInNewContext(
    `JSON.stringify((() => {
       const expression = new RegExp(pattern, "u");
       return JSON.parse(names).map((name) => {
         const match = expression.exec(name);
         return match === null ? null : (match[1] ?? match[0]);
       });
     })())`,
    { names: JSON.stringify(names), pattern },
    { timeout: TIMEOUT_MS },
  );
  const matches: unknown = JSON.parse(String(found));
  return Array.isArray(matches)
    ? matches.map((match: unknown) => (typeof match === "string" ? match : null))
    : [];
}
