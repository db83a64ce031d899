import type { RecordedStats } from "./job";

export interface HarborEra {
  /** True if evals keys may have `/` written as `-`: Harbor up to 0.3.0. */
  readonly mayDashKeys: boolean;
  /** The file that Harbor read if both exist: reward.txt up to 0.6.6, reward.json since 0.7.0; null if unknown. */
  readonly firstRewardFile: "reward.txt" | "reward.json" | null;
}

const NEWEST_HARBOR: Version = [0, 26, 0];
const NEWEST_SCHEMA = 1n;

type Version = readonly [number, number, number];

const LAST_WITH_DASHED_KEYS: Version = [0, 3, 0];
const LAST_WITH_TEXT_FIRST: Version = [0, 6, 6];

export function findHarborEra(version: string | null, recorded: RecordedStats | null): HarborEra {
  const parts = parseVersion(version);
  if (parts !== null) {
    return {
      mayDashKeys: isUpTo(parts, LAST_WITH_DASHED_KEYS),
      firstRewardFile: isUpTo(parts, LAST_WITH_TEXT_FIRST) ? "reward.txt" : "reward.json",
    };
  }
  // Harbor records pass_at_k, even if empty, since the version that stopped writing dashes.
  const mayDashKeys = recorded !== null && recorded.groups.every((group) => group.passAtK === null);
  return { mayDashKeys, firstRewardFile: recorded?.hasOldSpelling === true ? "reward.txt" : null };
}

export function nameNewerHarbor(version: string | null, recorded: RecordedStats | null): string | null {
  const parts = parseVersion(version);
  if (parts !== null && !isUpTo(parts, NEWEST_HARBOR)) return `Harbor ${parts.join(".")}`;
  const schema = recorded?.schemaVersion ?? null;
  if (schema === "unreadable") return "schema_version in result.json cannot be read";
  return schema !== null && (schema > NEWEST_SCHEMA || schema < 1n)
    ? `Harbor with result schema ${schema}`
    : null;
}

export function parseVersion(version: string | null): Version | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version ?? "");
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

export function isSince(version: Version, first: Version): boolean {
  return isUpTo(first, version);
}

function isUpTo(version: Version, last: Version): boolean {
  const at = version.findIndex((part, index) => part !== last[index]);
  return at === -1 || (version[at] ?? 0) < (last[at] ?? 0);
}
