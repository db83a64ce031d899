import "server-only";
import { findRunSets, type SingleRun } from "@/lib/core/comparison";
import { runInTime } from "@/lib/core/domain/run-in-time";
import { LONGEST_RULE } from "@/lib/people/views";

/** Milliseconds for a rule from a URL, since other pages wait meanwhile. 10,000 names took 18 to 32. */
const RULE_MS = 150;

export interface RuleResult {
  readonly sets: readonly (readonly string[])[];
  readonly problem: string | null;
}

/** Runs {@link findRunSets} with a time limit, since anyone can put a rule into a URL. */
export function findSetsByRule(runs: readonly SingleRun[], rule: string): RuleResult {
  const fail = (problem: string): RuleResult => ({ sets: [], problem });
  if (rule.length > LONGEST_RULE) return fail(`A rule has at most ${String(LONGEST_RULE)} characters.`);
  try {
    const sets = runInTime(() => findRunSets(runs, rule), RULE_MS);
    return sets === null ? fail("This expression takes too long on the job names.") : { sets, problem: null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return fail('A rule must be "numbers" or a regular expression.');
  }
}
