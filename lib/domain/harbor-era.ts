import type { RecordedStats } from "./job";

/** What the version of Harbor that ran a job says of how it wrote and read files. */
export interface HarborEra {
  /** Whether evals keys may have `/` written as `-`: Harbor up to 0.3.0. */
  readonly mayDashKeys: boolean;
  /** Which of two reward files Harbor read: reward.txt up to 0.6.6, reward.json since 0.7.0; null when unknown. */
  readonly firstRewardFile: "reward.txt" | "reward.json" | null;
}

/** The newest Harbor whose rules Assay knows. */
const NEWEST_HARBOR: Version = [0, 26, 0];
/** The newest `schema_version` of its result.json. */
const NEWEST_SCHEMA = 1n;

type Version = readonly [number, number, number];

const LAST_WITH_DASHED_KEYS: Version = [0, 3, 0];
const LAST_WITH_TEXT_FIRST: Version = [0, 6, 6];

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

/** Returns the Harbor of a job, such as `Harbor 0.27.0`, if it is newer than Assay knows or unreadable; else null. */
export function nameNewerHarbor(version: string | null, recorded: RecordedStats | null): string | null {
  const parts = parseVersion(version);
  if (parts !== null && !isUpTo(parts, NEWEST_HARBOR)) return `Harbor ${parts.join(".")}`;
  const schema = recorded?.schemaVersion ?? null;
  if (schema === "unreadable") return "schema_version in result.json cannot be read";
  return schema !== null && (schema > NEWEST_SCHEMA || schema < 1n)
    ? `Harbor with result schema ${schema}`
    : null;
}

/** Returns the three numbers of a version; null when it does not start with them. */
export function parseVersion(version: string | null): Version | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version ?? "");
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Returns true for a version that is `first` or later. */
export function isSince(version: Version, first: Version): boolean {
  return isUpTo(first, version);
}

function isUpTo(version: Version, last: Version): boolean {
  const at = version.findIndex((part, index) => part !== last[index]);
  return at === -1 || (version[at] ?? 0) < (last[at] ?? 0);
}
