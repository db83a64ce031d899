import { SCORING_CHOICES } from "@/lib/domain/scoring-choice";
import type { Route } from "next";

import { DATASET_TABS, DEFAULT_COVERAGE, LEADERBOARD_FORMATS } from "@/lib/domain/dataset";
import { TASK_PROBLEMS } from "@/lib/domain/task-health";

import { type AddressValues, createAddress } from "./address";
import { encodeSegment } from "./href";
import { columns, direction, name, oneOf, pageNumber, someOf, text, wholeFrom } from "./values";

export const datasetsAddress = createAddress({ page: pageNumber });

/** The address of the list of datasets at a page of it, from 1. */
export function datasetsHref(page: number): Route {
  return datasetsAddress.href("/datasets", { page });
}

export const datasetAddress = createAddress(
  {
    tab: oneOf(DATASET_TABS),
    /** Reward key; null for the one that most trials carry. */
    key: name,
    /** What a missing reward counts as: 0, or it is left out. */
    missing: oneOf(["zero", "exclude"]),
    /** Which trials count: by the rule that wrote each job, or one rule for all. */
    rule: oneOf(SCORING_CHOICES),
    /** Whether scores are over the tasks of each group, or over those that all ranked groups have. */
    tasks: oneOf(["own", "common"]),
    /** Percent of the tasks that a group needs to be ranked. */
    coverage: wholeFrom(0).withDefault(DEFAULT_COVERAGE),
    /** `pooled`: runs of one agent, model and settings are one row of the leaderboard; `folder`: those in one folder. */
    runs: oneOf(["pooled", "folder", "each"]),
    /** `together`: runs that look like repeats are one point of the history. */
    repeats: oneOf(["apart", "together"]),
    /** Found in the names of a group. */
    text,
    /** Id of the column that the leaderboard is sorted by; null for ranks. */
    sort: name,
    descending: direction,
    columns,
    /** What the table is copied as. */
    format: oneOf(LEADERBOARD_FORMATS),
    /** Problems of tasks that are listed; empty for all. */
    problems: someOf(TASK_PROBLEMS),
    /** Page of the list of tasks, from 1. */
    page: pageNumber,
  },
  { text: "q", descending: "dir", problems: "problem" },
);

export type DatasetParams = AddressValues<typeof datasetAddress>;

/** The address of the page of a dataset, by its id (`nameDataset`). */
export function datasetHref(
  id: string,
  params: Partial<DatasetParams> = {},
  change: Partial<DatasetParams> = {},
): Route {
  return datasetAddress.href(`/datasets/${encodeSegment(id)}`, { ...params, ...change });
}

/** Id of the column of a family, which names of columns in an address can hold. */
export function nameFamilyColumn(name: string): string {
  return `family:${encodeSegment(name)}`;
}
