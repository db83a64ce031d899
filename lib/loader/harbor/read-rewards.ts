import type { LoadIssue } from "@/lib/domain/load-issue";
import type { RewardFileReading, TrialRecord } from "@/lib/domain/trial";
import { findTooManyValues } from "@/lib/schema/count-values";
import { type PyValue, readRewardFiles, type RewardDict, validateRewards } from "@/lib/scoring";

import { type FileBytes, FILE_LIMITS, readFileBytes } from "../file-access";
import { stampFile, statFolder } from "../file-stamp";
import { joinFolder, type LoadRoot, prepareIssue } from "../discover/load-root";
import type { ProbeLog } from "./trial-probes";

const ABSENT: RewardFileReading = { kind: "absent" };
const REWARD_FILES = ["reward.json", "reward.txt"] as const;

/** What the two reward files of a verifier say; which of them counts depends on the Harbor that ran the job. */
export type RewardFolder = Pick<TrialRecord, "rewardFile" | "otherRewardFile">;

/** No reward file at all. */
export const NO_REWARD_FILES: RewardFolder = { rewardFile: ABSENT, otherRewardFile: null };

/**
 * Reads the verifier's reward files in `verifierFolder`, reward.json before reward.txt.
 *
 * A file that cannot be read or holds no rewards is an `error` reading and an issue; no file at all is `absent`, which
 * is normal for trials that failed before their verifier or were stored without it.
 *
 * @param verifierFolder - relative to the trial's folder
 * @returns see `orderRewardFiles` for the order of two files
 */
export function readRewardFolder(
  root: LoadRoot,
  trialFolder: string,
  verifierFolder: string,
  issues: LoadIssue[],
  log: ProbeLog,
): RewardFolder {
  const state = statFolder(root, joinFolder(trialFolder, verifierFolder));
  if (state.stamp !== null) log.add(verifierFolder, state.stamp);
  if (state.issue !== null) issues.push(state.issue);
  if (!state.canEnter) return NO_REWARD_FILES;
  const readings: RewardFileReading[] = [];
  for (const file of REWARD_FILES) {
    const probe = `${verifierFolder}/${file}`;
    const path = joinFolder(trialFolder, probe);
    // Nearly every trial has one of the files: reward.txt, unless reward.json was there.
    const isExpected = file === "reward.txt" && readings.length === 0;
    const bytes = isExpected ? readFileBytes(root, path, FILE_LIMITS.reward.bytes) : readIfThere(root, path);
    log.add(probe, bytes.stamp, bytes.kind === "refused" && bytes.isDenied);
    if (bytes.kind !== "absent") readings.push(prepareReading(root, path, file, bytes, issues));
  }
  return { rewardFile: readings[0] ?? ABSENT, otherRewardFile: readings[1] ?? null };
}

/** Looks before opening, since a failed opening costs four times a look. */
function readIfThere(root: LoadRoot, path: string): FileBytes {
  const stamp = stampFile(root, path);
  return stamp === "" ? { kind: "absent", stamp } : readFileBytes(root, path, FILE_LIMITS.reward.bytes);
}

function prepareReading(
  root: LoadRoot,
  path: string,
  file: (typeof REWARD_FILES)[number],
  bytes: Exclude<FileBytes, { kind: "absent" }>,
  issues: LoadIssue[],
): RewardFileReading {
  const refuse = (issue: LoadIssue): RewardFileReading => {
    issues.push(issue);
    return { kind: "error", file, reasonCode: "harbor_reward_parse_error", message: issue.detail };
  };
  if (bytes.kind === "refused") return refuse(bytes.issue);
  const excess = findTooManyValues(bytes.bytes.toString("latin1"), path, FILE_LIMITS.reward.values);
  if (excess !== null) return refuse(prepareIssue(root, excess.code, path, excess.detail));
  const parsed = parseRewardFile(file, bytes.bytes);
  if (parsed.kind === "error") issues.push(prepareIssue(root, "reward_file_invalid", path, parsed.message));
  return parsed;
}

function parseRewardFile(file: "reward.json" | "reward.txt", bytes: Buffer): RewardFileReading {
  const result = readRewardFiles(
    file === "reward.json" ? { json: bytes, text: null } : { json: null, text: bytes },
  );
  if (!result.ok)
    return { kind: "error", file, reasonCode: result.error.reasonCode, message: result.error.message };
  const checked = checkRewards(result.rewards);
  if (checked.ok) return { kind: "read", file, rewards: checked.rewards };
  return { kind: "error", file, reasonCode: "harbor_reward_parse_error", message: checked.problem };
}

/** Rewards that Harbor would keep, or in words why it would refuse them. */
export type CheckedRewards =
  | { readonly ok: true; readonly rewards: RewardDict | null }
  | { readonly ok: false; readonly problem: string };

/** Checks a `rewards` value as Harbor's result type does. */
export function checkRewards(value: PyValue): CheckedRewards {
  const result = validateRewards(value);
  if (result.ok) return result;
  const [first] = result.problems;
  const keys = result.problems.flatMap(({ key }) => (key === null ? [] : [`"${key}"`]));
  if (first === undefined || keys.length === 0)
    return { ok: false, problem: "The rewards are not an object of numbers." };
  const verb = keys.length === 1 ? "is not a number" : "are not numbers";
  return { ok: false, problem: `The value of ${keys.slice(0, 5).join(", ")} ${verb}.` };
}
