import type { HarborEra } from "@/lib/domain/harbor-era";
import type { RecordedStats } from "@/lib/domain/job";
import { dashedEvalsKey, evalsKey, type EvalsGroup } from "@/lib/scoring";

/**
 * Returns the function that gives a trial's evals key as its job's result.json spells it, so that a recorded group and the
 * trials behind it are one group.
 *
 * @param recorded - stats of result.json; without them keys are spelled as Harbor spells them today
 */
export function prepareGroupKeys(
  era: HarborEra,
  recorded: RecordedStats | null,
): (group: EvalsGroup) => string {
  if (!era.mayDashKeys || recorded === null) return evalsKey;
  const keys = new Set(recorded.groups.map((group) => group.key));
  return (group) => {
    const key = evalsKey(group);
    const dashed = key.includes("/") ? dashedEvalsKey(group) : key;
    return !keys.has(key) && keys.has(dashed) ? dashed : key;
  };
}
