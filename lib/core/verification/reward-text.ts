import { selectHeadlineReward } from "@/lib/core/domain/trial";
import { dumpPythonJson, type RewardDict } from "@/lib/core/scoring";

export function readReward(rewards: RewardDict | null, key: string | null = null) {
  const named = key === null ? selectHeadlineReward(rewards) : { key, value: rewards?.get(key) };
  if (named?.value === undefined) return null;
  return { key: named.key, value: named.value, text: dumpPythonJson(named.value) };
}

export function listRewards(rewards: RewardDict | null) {
  return [...(rewards ?? [])].map(([key, value]) => ({ key, value, text: dumpPythonJson(value) }));
}
