import type { RecordedStats } from "./job";

/** What the version of Harbor that ran a job says of how it wrote and read files. */
export interface HarborEra {
  /** Whether evals keys may have `/` written as `-`: Harbor up to 0.3.0. */
  readonly mayDashKeys: boolean;
  /** Which of two reward files Harbor read: reward.txt up to 0.6.6, reward.json since 0.7.0; null when unknown. */
  readonly firstRewardFile: "reward.txt" | "reward.json" | null;
}

const LAST_WITH_DASHED_KEYS = [0, 3, 0] as const;
const LAST_WITH_TEXT_FIRST = [0, 6, 6] as const;

/** Tells the era of a job, from the version in lock.json, else from what only some versions wrote in result.json. */
export function findHarborEra(version: string | null, recorded: RecordedStats | null): HarborEra {
  const parts = parseVersion(version);
  if (parts !== null) {
    return {
      mayDashKeys: isUpTo(parts, LAST_WITH_DASHED_KEYS),
      firstRewardFile: isUpTo(parts, LAST_WITH_TEXT_FIRST) ? "reward.txt" : "reward.json",
    };
  }
  // Harbor records pass_at_k, be it empty, since the version that stopped writing dashes.
  const mayDashKeys = recorded !== null && recorded.groups.every((group) => group.passAtK === null);
  return { mayDashKeys, firstRewardFile: recorded?.hasOldSpelling === true ? "reward.txt" : null };
}

function parseVersion(version: string | null): readonly number[] | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version ?? "");
  return match === null ? null : match.slice(1).map(Number);
}

function isUpTo(version: readonly number[], last: readonly number[]): boolean {
  for (const [index, part] of last.entries()) {
    const own = version[index] ?? 0;
    if (own !== part) return own < part;
  }
  return true;
}
