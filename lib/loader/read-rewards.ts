import type { LoadIssue } from "@/lib/domain/load-issue";
import type { RewardFileReading } from "@/lib/domain/trial";
import { type PyValue, readRewardFiles, type RewardDict, validateRewards } from "@/lib/scoring";

import { canEnterFolder, MAX_BYTES, readFileBytes } from "./file-access";
import { joinFolder, type LoadRoot, prepareIssue } from "./load-root";

const ABSENT: RewardFileReading = { kind: "absent" };

/**
 * What the verifier's reward files in `verifierFolder` say, as Harbor reads them: reward.json before reward.txt.
 *
 * A file that cannot be read or holds no rewards is an `error` reading and an issue; no file at all is `absent`, which
 * is normal for trials that failed before their verifier or were stored without it.
 */
export function readRewardFolder(root: LoadRoot, verifierFolder: string, issues: LoadIssue[]): RewardFileReading {
  if (!canEnterFolder(root, verifierFolder)) return ABSENT;
  for (const file of ["reward.json", "reward.txt"] as const) {
    const path = joinFolder(verifierFolder, file);
    const reading = readFileBytes(root, path, MAX_BYTES.reward);
    if (reading.kind === "absent") continue;
    if (reading.kind === "refused") {
      issues.push(reading.issue);
      return { kind: "error", file, reasonCode: "harbor_reward_parse_error", message: reading.issue.detail };
    }
    const parsed = parseRewardFile(file, reading.bytes);
    if (parsed.kind === "error") issues.push(prepareIssue(root, "reward_file_invalid", path, parsed.message));
    return parsed;
  }
  return ABSENT;
}

function parseRewardFile(file: "reward.json" | "reward.txt", bytes: Buffer): RewardFileReading {
  const result = readRewardFiles(file === "reward.json" ? { json: bytes, text: null } : { json: null, text: bytes });
  if (!result.ok) return { kind: "error", file, reasonCode: result.error.reasonCode, message: result.error.message };
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
  if (first === undefined || keys.length === 0) return { ok: false, problem: "The rewards are not an object of numbers." };
  const verb = keys.length === 1 ? "is not a number" : "are not numbers";
  return { ok: false, problem: `The value of ${keys.slice(0, 5).join(", ")} ${verb}.` };
}
