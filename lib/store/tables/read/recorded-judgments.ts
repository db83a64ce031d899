import type { ListRange } from "@/lib/core/domain/list-page";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { atSamePlace, countRows, readListPage, type SortKey } from "./query";

const ORDER: readonly SortKey[] = [
  { column: "recordedJudgments.atMs", descending: true },
  { column: "recordedJudgments.jobRowId" },
  { column: "recordedJudgments.position" },
  { column: "recordedJudgments.ordinal" },
];

export async function readRecordedJudgments({ db }: IndexStore, jobKey: string | null, range: ListRange) {
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

export type RecordedTotals = Awaited<ReturnType<typeof readRecordedTotals>>;

export async function readRecordedTotals({ db }: IndexStore, jobKey: string | null = null) {
  let list = db.selectFrom("recordedJudgments").innerJoin("jobs", "jobs.id", "recordedJudgments.jobRowId");
  if (jobKey !== null) list = list.where("jobs.key", "=", jobKey);
  return {
    nJudgments: await countRows(list),
    // Counts each trial once, by its first judgment.
    nTrials: await countRows(list.where("ordinal", "=", 0)),
  };
}
