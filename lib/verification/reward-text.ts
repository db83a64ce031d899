import { selectHeadlineReward } from "@/lib/domain/trial";
import { dumpPythonJson, type PyNumber, type RewardDict } from "@/lib/scoring";

/** One reward of a trial, with its value as Python writes it. */
export interface RewardText {
  readonly key: string;
  readonly value: PyNumber;
  readonly text: string;
}

/** The reward of a key, or the headline for null; null when the trial has no such reward. */
export function readReward(rewards: RewardDict | null, key: string | null = null): RewardText | null {
  const named = key === null ? selectHeadlineReward(rewards) : { key, value: rewards?.get(key) };
  if (named?.value === undefined) return null;
  return { key: named.key, value: named.value, text: dumpPythonJson(named.value) };
}

/** All rewards of a trial in the order of its file; empty without any. */
export function listRewards(rewards: RewardDict | null): readonly RewardText[] {
  return [...(rewards ?? [])].map(([key, value]) => ({ key, value, text: dumpPythonJson(value) }));
}
