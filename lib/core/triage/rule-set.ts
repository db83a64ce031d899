import { hash } from "node:crypto";

import { RULES_OF_ANSWERS } from "./bundled/rules-of-answers";
import { RULES_OF_RUNS } from "./bundled/rules-of-runs";
import { parseRules, type RuleSet, type RulesProblem } from "./rules";

let bundled: ReturnType<typeof parseRules> | null = null;

interface RuleSetReading {
  readonly set: RuleSet;
  readonly problems: readonly RulesProblem[];
}

/**
 * Puts the user's own rules before the bundled ones. Any mistake in them leaves only the bundled ones in force. The version is a
 * hash of all rules that count.
 * @param own - text of the user's `rules.toml`; null without one
 */
export function makeRuleSet(own: string | null): RuleSetReading {
  bundled ??= parseRules(`${RULES_OF_RUNS}\n${RULES_OF_ANSWERS}`);
  if (!bundled.ok) throw new Error(`The bundled rules are broken: ${JSON.stringify(bundled.problems)}`);
  const parsed = own === null ? { ok: true as const, rules: [] } : parseRules(own);
  const first = parsed.ok ? parsed.rules : [];
  const taken = new Set(first.map(({ id }) => id));
  // A user's rule with the id of a bundled one replaces it, before all others.
  const rules = [...first, ...bundled.rules.filter(({ id }) => !taken.has(id))];
  const version = hash("sha256", JSON.stringify(rules), "hex").slice(0, 12);
  return { set: { version, rules, nOwn: first.length }, problems: parsed.ok ? [] : parsed.problems };
}
