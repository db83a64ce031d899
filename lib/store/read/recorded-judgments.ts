import { sql } from "kysely";

import type { ListPage, ListRange } from "@/lib/domain/list-page";
import type { RecordedJudgment } from "@/lib/domain/judgment";
import type { Outcome } from "@/lib/domain/trial";

import { decodeValue } from "../schema/codec";
import { readListPage, type SortKey } from "./list-page";
import type { IndexStore } from "../open-store";

/** A judgment that stands in a file, with its trial as it is now. */
export interface RecordedRow {
  readonly judgment: RecordedJudgment;
  readonly jobKey: string;
  readonly jobName: string;
  readonly trialKey: string;
  readonly trialName: string;
  readonly taskName: string;
  readonly attempt: number;
  readonly agent: string;
  readonly model: string | null;
  readonly outcome: Outcome;
  /** The headline reward as Python writes it; null when there is none. */
  readonly reward: string | null;
}

const ORDER: readonly SortKey[] = [
  { column: "recorded_judgments.at_ms", descending: true },
  { column: "recorded_judgments.job_id", descending: false },
  { column: "recorded_judgments.position", descending: false },
  { column: "recorded_judgments.ordinal", descending: false },
];

/** One page of the judgments that stand in files, newest first, those without a time last; of one job when its key is given. */
export async function readRecordedJudgments(
  { db }: IndexStore,
  jobKey: string | null,
  range: ListRange,
): Promise<ListPage<RecordedRow>> {
  let list = db
    .selectFrom("recorded_judgments")
    .innerJoin("jobs", "jobs.id", "recorded_judgments.job_id")
    .innerJoin("trials", (join) =>
      join
        .onRef("trials.job_id", "=", "recorded_judgments.job_id")
        .onRef("trials.position", "=", "recorded_judgments.position"),
    );
  if (jobKey !== null) list = list.where("jobs.key", "=", jobKey);
  const page = await readListPage(
    list.select([
      "recorded_judgments.record",
      "jobs.key as job_key",
      "jobs.name as job_name",
      "trials.key as trial_key",
      "trials.trial_name",
      "trials.task_name",
      "trials.attempt",
      "trials.agent",
      "trials.model",
      "trials.outcome",
      "trials.reward_text",
    ]),
    ORDER,
    range,
  );
  const rows = page.rows.map((row) => ({
    judgment: decodeValue<RecordedJudgment>(row.record),
    jobKey: row.job_key,
    jobName: row.job_name,
    trialKey: row.trial_key,
    trialName: row.trial_name,
    taskName: row.task_name,
    attempt: row.attempt,
    agent: row.agent,
    model: row.model,
    outcome: row.outcome as Outcome, // The indexer writes members of the closed list.
    reward: row.reward_text,
  }));
  return { ...page, rows };
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
  let list = db.selectFrom("recorded_judgments").innerJoin("jobs", "jobs.id", "recorded_judgments.job_id");
  if (jobKey !== null) list = list.where("jobs.key", "=", jobKey);
  // The first judgment of a trial stands for the trial.
  const counts = await list
    .select((select) => [
      select.fn.countAll<number>().as("judgments"),
      select.fn
        .coalesce(select.fn.sum<number>(sql`case when ordinal = 0 then 1 else 0 end`), sql<number>`0`)
        .as("trials"),
    ])
    .executeTakeFirstOrThrow();
  return { nJudgments: counts.judgments, nTrials: counts.trials };
}
