import "server-only";
import { type RuleScore, scoreUnderRules } from "@/lib/core/comparison";
import { type IndexStore, type JobHead, readRuleTallies } from "@/lib/store/tables";

import { createCache } from "../shell/cache";

export interface GroupRuleScores {
  readonly groupKey: string;
  readonly scores: readonly RuleScore[];
}

const cached = createCache<readonly GroupRuleScores[]>(20);

/** Returns the scores of a job's groups under each rule; none for a ledger, which Harbor did not score. */
export async function readRuleScores(
  store: IndexStore,
  { rowId, version, groups, kind, scoringRule }: JobHead,
): Promise<readonly GroupRuleScores[]> {
  if (kind === "ledger") return [];
  return cached(`${rowId} ${version}`, async () => {
    const byGroup = Map.groupBy(await readRuleTallies(store, rowId), ({ groupKey }) => groupKey);
    return groups.map(({ group: { key } }) => ({
      groupKey: key,
      scores: scoreUnderRules(byGroup.get(key) ?? [], scoringRule),
    }));
  });
}
