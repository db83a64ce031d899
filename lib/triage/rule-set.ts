import { hash } from "node:crypto";

import { RULES_OF_ANSWERS } from "./bundled/rules-of-answers";
import { RULES_OF_RUNS } from "./bundled/rules-of-runs";
import { parseRules, type RuleSet, type RulesProblem } from "./rules";

/** Hexadecimal digits that tell two tables of rules apart. */
const DIGITS = 12;

/** The rules that trials are classified by, and why rules of the user are not among them. */
export interface RuleSetReading {
  readonly set: RuleSet;
  /** What is wrong with the user's own rules; where anything is, none of them counts. */
  readonly problems: readonly RulesProblem[];
}

/**
 * Puts the user's own rules in front of those that come with Assay. A mistake in them leaves these alone in force.
 * The version is a hash of all rules that count.
 *
 * @param own - text of the user's `rules.toml`; null without one
 */
export function makeRuleSet(own: string | null): RuleSetReading {
  const bundled = parseRules(`${RULES_OF_RUNS}\n${RULES_OF_ANSWERS}`);
  if (!bundled.ok)
    throw new Error(`The rules that come with Assay are broken: ${JSON.stringify(bundled.problems)}`);
  const parsed = own === null ? { ok: true as const, rules: [] } : parseRules(own);
  const first = parsed.ok ? parsed.rules : [];
  const taken = new Set(first.map(({ id }) => id));
  // A rule of the user's with the id of one of ours takes its place, in front of all others.
  const rules = [...first, ...bundled.rules.filter(({ id }) => !taken.has(id))];
  const version = hash("sha256", JSON.stringify(rules), "hex").slice(0, DIGITS);
  return { set: { version, rules, nOwn: first.length }, problems: parsed.ok ? [] : parsed.problems };
}
