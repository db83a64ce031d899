import { expect, it } from "vitest";

import { findHarborEra } from "@/lib/core/domain/harbor-era";
import { NO_STATS } from "@/lib/core/domain/job";
import type { RewardFileReading } from "@/lib/core/domain/trial";

import { orderRewardFiles } from "./place-trials";

const read = (file: "reward.json" | "reward.txt", reward: number): RewardFileReading => ({
  kind: "read",
  file,
  rewards: new Map([["reward", reward]]),
});
const json = read("reward.json", 1);
const text = read("reward.txt", 0);

function choose(recorded: number | null, version: string | null, hasOldSpelling = false) {
  const era = findHarborEra(version, { ...NO_STATS, hasOldSpelling });
  const rewards = recorded === null ? null : new Map([["reward", recorded]]);
  const { rewardFile } = orderRewardFiles(
    { rewards, rewardFile: json, otherRewardFile: text },
    era.firstRewardFile,
  );
  return rewardFile.kind === "absent" ? null : rewardFile.file;
}

it.each([
  ["0.6.6", "reward.txt"],
  ["0.6.10", "reward.json"],
  ["0.7.0", "reward.json"],
  ["0.24.0.dev1", "reward.json"],
])("Harbor %s reads %s first, for any record", (version, file) => {
  expect(choose(0, version)).toBe(file);
  expect(choose(1, version)).toBe(file);
});

it("the older spelling of counters tells the era where no version is written", () => {
  expect(choose(1, null, true)).toBe("reward.txt");
});

it("without a version the file that agrees counts, and reward.json when none does", () => {
  expect(choose(0, null)).toBe("reward.txt");
  expect(choose(1, null)).toBe("reward.json");
  expect(choose(0.5, null)).toBe("reward.json");
  expect(choose(null, null)).toBe("reward.json");
});
