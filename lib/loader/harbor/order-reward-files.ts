import type { HarborEra } from "@/lib/domain/harbor-era";
import type { RewardFileReading, StepRecord } from "@/lib/domain/trial";
import type { RewardDict } from "@/lib/scoring";

type RewardedRecord = Pick<StepRecord, "rewards" | "rewardFile" | "otherRewardFile">;

/**
 * The record with the reward file first that its Harbor read.
 *
 * @param first - which file this Harbor read first; when that is unknown, the file that agrees with the recorded rewards
 *   counts, and reward.json when both or neither do
 * @returns the record itself where only one file is there or nothing changes
 */
export function orderRewardFiles<Rewarded extends RewardedRecord>(
  record: Rewarded,
  first: HarborEra["firstRewardFile"],
): Rewarded {
  const { rewardFile, otherRewardFile, rewards } = record;
  if (otherRewardFile === null || isFirst(rewardFile, otherRewardFile, rewards, first)) return record;
  return { ...record, rewardFile: otherRewardFile, otherRewardFile: rewardFile };
}

function isFirst(
  a: RewardFileReading,
  b: RewardFileReading,
  recorded: RewardDict | null,
  first: HarborEra["firstRewardFile"],
): boolean {
  if (first !== null) return nameFile(a) === first;
  const agreesA = agrees(a, recorded);
  return agreesA === agrees(b, recorded) ? nameFile(a) === "reward.json" : agreesA;
}

function nameFile(reading: RewardFileReading): string | null {
  return reading.kind === "absent" ? null : reading.file;
}

function agrees(reading: RewardFileReading, recorded: RewardDict | null): boolean {
  if (recorded === null) return reading.kind === "error";
  if (reading.kind !== "read" || reading.rewards?.size !== recorded.size) return false;
  return [...reading.rewards].every(([key, value]) => {
    const stated = recorded.get(key);
    return stated !== undefined && Object.is(Number(stated), Number(value));
  });
}
