import type { Route } from "next";

import { DATASET_TABS, DEFAULT_COVERAGE, LEADERBOARD_FORMATS } from "@/lib/core/domain/dataset";
import { SCORING_CHOICES } from "@/lib/core/domain/scoring-choice";
import { encodeSegment } from "@/lib/core/domain/segment";
import { TASK_PROBLEMS } from "@/lib/core/domain/task-health";

import { type AddressValues, createAddress } from "../address/address";
import { columns, direction, name, oneOf, pageNumber, someOf, text, wholeFrom } from "../address/values";

export const datasetsAddress = createAddress({ page: pageNumber });

export function datasetsHref(page: number): Route {
  return datasetsAddress.href("/datasets", { page });
}

export const datasetAddress = createAddress(
  {
    tab: oneOf(DATASET_TABS),
    key: name,
    missing: oneOf(["zero", "exclude"]),
    rule: oneOf(SCORING_CHOICES),
    /** Scores over the tasks of each group, or over those that all ranked groups have. */
    tasks: oneOf(["own", "common"]),
    coverage: wholeFrom(0).withDefault(DEFAULT_COVERAGE),
    /** `pooled`: runs of one agent, model and settings are one row; `folder`: those in one folder. */
    runs: oneOf(["pooled", "folder", "each"]),
    /** `together`: runs that look like repeats are one point of the history. */
    repeats: oneOf(["apart", "together"]),
    text,
    sort: name,
    descending: direction,
    columns,
    format: oneOf(LEADERBOARD_FORMATS),
    problems: someOf(TASK_PROBLEMS),
    page: pageNumber,
  },
  { text: "q", descending: "dir", problems: "problem" },
);

export type DatasetParams = AddressValues<typeof datasetAddress>;

/** Sorts tasks by pass rate. The default lists them by problem. */
export const PASSED = "passed";

export const HARDEST_TASKS: Partial<DatasetParams> = { tab: "health", sort: PASSED };

export function datasetHref(
  id: string,
  params: Partial<DatasetParams> = {},
  change: Partial<DatasetParams> = {},
): Route {
  return datasetAddress.href(`/datasets/${encodeSegment(id)}`, { ...params, ...change });
}

export function nameFamilyColumn(name: string): string {
  return `family:${encodeSegment(name)}`;
}
