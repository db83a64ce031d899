import { findTooManyValues } from "@/lib/core/domain/count-values";
import { NO_REWARD_FILES, type RewardFileReading, type Trial } from "@/lib/core/domain/trial";
import { type PyValue, readRewardFiles, type RewardDict, validateRewards } from "@/lib/core/scoring";

import { FILE_LIMITS, readFileBytes } from "../file-access";
import type { FolderReader } from "../folder-reader";

const REWARD_FILES = ["reward.json", "reward.txt"] as const;

export type RewardFolder = Pick<Trial, "rewardFile" | "otherRewardFile">;

/**
 * Reads reward.json before reward.txt, see `orderRewardFiles`. A file that is unreadable or has no rewards is an `error` reading
 * and an issue. No file is `absent`, which is normal for trials that failed before their verifier.
 * @param verifierFolder - relative to the trial's folder
 */
export function readRewardFolder(trial: FolderReader, verifierFolder: string): RewardFolder {
  if (!trial.mayEnter(verifierFolder)) return NO_REWARD_FILES;
  const readings: RewardFileReading[] = [];
  for (const file of REWARD_FILES) {
    const name = `${verifierFolder}/${file}`;
    const reading = readFileBytes(trial.root, trial.locate(name), FILE_LIMITS.reward.bytes);
    trial.accept(name, reading);
    if (reading.kind === "refused") readings.push(refuse(file, reading.issue.detail));
    else if (reading.kind === "read") readings.push(parseReading(trial, name, file, reading.bytes));
  }
  return { rewardFile: readings[0] ?? NO_REWARD_FILES.rewardFile, otherRewardFile: readings[1] ?? null };
}

type RewardFileName = (typeof REWARD_FILES)[number];

function refuse(file: RewardFileName, message: string): RewardFileReading {
  return { kind: "error", file, reasonCode: "harbor_reward_parse_error", message };
}

function parseReading(
  trial: FolderReader,
  name: string,
  file: RewardFileName,
  bytes: Buffer,
): RewardFileReading {
  const excess = findTooManyValues(bytes.toString("latin1"), name, FILE_LIMITS.reward.values);
  if (excess !== null) {
    trial.report(excess.code, name, excess.detail);
    return refuse(file, excess.detail);
  }
  const parsed = parseRewardFile(file, bytes);
  if (parsed.kind === "error") trial.report("reward_file_invalid", name, parsed.message);
  return parsed;
}

function parseRewardFile(file: RewardFileName, bytes: Buffer): RewardFileReading {
  const result = readRewardFiles(
    file === "reward.json" ? { json: bytes, text: null } : { json: null, text: bytes },
  );
  if (!result.ok)
    return { kind: "error", file, reasonCode: result.error.reasonCode, message: result.error.message };
  const checked = checkRewards(result.rewards);
  return checked.ok ? { kind: "read", file, rewards: checked.rewards } : refuse(file, checked.problem);
}

/** Validates like Harbor's result type: returns what Harbor would keep, or why it would refuse. */
export function checkRewards(
  value: PyValue,
):
  | { readonly ok: true; readonly rewards: RewardDict | null }
  | { readonly ok: false; readonly problem: string } {
  const result = validateRewards(value);
  if (result.ok) return result;
  const [first] = result.problems;
  const keys = result.problems.flatMap(({ key }) => (key === null ? [] : [`"${key}"`]));
  if (first === undefined || keys.length === 0)
    return { ok: false, problem: "The rewards are not an object of numbers." };
  const verb = keys.length === 1 ? "is not a number" : "are not numbers";
  return { ok: false, problem: `The value of ${keys.slice(0, 5).join(", ")} ${verb}.` };
}
