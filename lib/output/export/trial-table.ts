import {
  INDEXED_TRIAL_FIELDS,
  type ListedTrial,
  TRIAL_CELLS,
  TRIAL_FIELDS,
  TRIAL_REWARD_CELLS,
} from "@/lib/core/fields/trials.fields";

import { type ExportColumn, type ExportTable, toColumns, toJson } from "./table";
import { NESTED } from "./trial-json";

/** Reward keys with their own columns; `rewards` and `reward_file_rewards` hold them all. */
const MOST_REWARD_KEYS = 100;

/** One trial per row; the first 100 of `rewardKeys` get columns. @param isIndexed - false without fields that need an index */
export function makeTrialTable(rewardKeys: readonly string[], isIndexed = true): ExportTable<ListedTrial> {
  const indexed = isIndexed ? INDEXED_TRIAL_FIELDS : {};
  const fields = { ...TRIAL_FIELDS, ...indexed };
  return {
    schema: "assay.trials/2",
    list: "trials",
    columns: [
      ...toColumns({ ...TRIAL_CELLS, ...indexed, ...TRIAL_REWARD_CELLS }),
      ...listRewardColumns(rewardKeys),
    ],
    prepareJson: (row) => toJson(fields, row, NESTED),
  };
}

function listRewardColumns(keys: readonly string[]): readonly ExportColumn<ListedTrial>[] {
  return keys.slice(0, MOST_REWARD_KEYS).flatMap((key): readonly ExportColumn<ListedTrial>[] => [
    {
      name: `reward:${key}`,
      textName: `reward_text:${key}`,
      type: "exact",
      unit: "reward",
      description: `Reward ${key} of result.json`,
      read: ({ trial }) => trial.rewards?.get(key) ?? null,
    },
    {
      name: `reward_file:${key}`,
      textName: `reward_file_text:${key}`,
      type: "exact",
      unit: "reward",
      description: `Reward ${key} of the verifier's file`,
      read: ({ trial: { rewardFile } }) =>
        rewardFile.kind === "read" ? (rewardFile.rewards?.get(key) ?? null) : null,
    },
  ]);
}
