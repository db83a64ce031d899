import type { ListPage, ListRange } from "@/lib/domain/list-page";
import type { RecordedJudgment } from "@/lib/domain/judgment";

import { atSamePlace, countRows, readListPage, type SortKey } from "./query";
import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";

/** A judgment that stands in a file, with its trial as it is now. */
export interface RecordedRow extends Pick<
  Stored<"trials">,
  "key" | "trialName" | "taskName" | "attempt" | "agent" | "model" | "outcome"
> {
  readonly judgment: RecordedJudgment;
  readonly jobKey: string;
  readonly jobName: string;
  /** The headline reward as Python writes it; null when there is none. */
  readonly reward: string | null;
}

const ORDER: readonly SortKey[] = [
  { column: "recordedJudgments.atMs", descending: true },
  { column: "recordedJudgments.jobRowId" },
  { column: "recordedJudgments.position" },
  { column: "recordedJudgments.ordinal" },
];

/** One page of the judgments that stand in files, newest first, those without a time last; of one job when its key is given. */
export async function readRecordedJudgments(
  { db }: IndexStore,
  jobKey: string | null,
  range: ListRange,
): Promise<ListPage<RecordedRow>> {
  let list = db
    .selectFrom("recordedJudgments")
    .innerJoin("jobs", "jobs.id", "recordedJudgments.jobRowId")
    .innerJoin("trials", atSamePlace("trials", "recordedJudgments"))
    .select(["record", "jobs.key as jobKey", "jobs.name as jobName", "trials.key"])
    .select(["trialName", "taskName", "attempt", "agent", "model", "outcome", "rewardText as reward"]);
  if (jobKey !== null) list = list.where("jobs.key", "=", jobKey);
  const page = await readListPage(list, ORDER, range);
  return {
    ...page,
    rows: page.rows.map(({ record, ...row }) => ({ judgment: decodeValue(record), ...row })),
  };
}

/** How many judgments stand in files, of how many trials. */
export interface RecordedTotals {
  readonly nJudgments: number;
  readonly nTrials: number;
}

/** Counts over all jobs, or over one when its key is given. */
export async function readRecordedTotals(
  { db }: IndexStore,
  jobKey: string | null = null,
): Promise<RecordedTotals> {
  let list = db.selectFrom("recordedJudgments").innerJoin("jobs", "jobs.id", "recordedJudgments.jobRowId");
  if (jobKey !== null) list = list.where("jobs.key", "=", jobKey);
  return {
    nJudgments: await countRows(list),
    // The first judgment of a trial stands for the trial.
    nTrials: await countRows(list.where("ordinal", "=", 0)),
  };
}
