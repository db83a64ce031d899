import { sql } from "kysely";

import type { ListRange } from "@/lib/core/domain/list-page";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";
import { countRows, NEWEST_FIRST } from "./query";
import { selectTaskTrials, type TaskIdentity } from "./task-trials";

export interface ComparedTrial
  extends TaskIdentity, Pick<Stored<"trials">, "jobRowId" | "position" | "agent" | "model" | "outcome"> {}

/**
 * Returns other attempts at a trial's task in all open jobs, the most useful for a comparison first. Attempts with the other
 * verdict come first, then same agent and model, same job, newest job.
 */
export async function readOtherAttempts(store: IndexStore, trial: ComparedTrial, { from, limit }: ListRange) {
  const list = selectTaskTrials(store, trial).where((where) =>
    where.or([
      where("trials.jobRowId", "<>", trial.jobRowId),
      where("trials.position", "<>", trial.position),
    ]),
  );
  const isPassed = sql`case when ${sql.ref("trials.outcome")} = 'passed' then 1 else 0 end`;
  const isOtherAgent = sql`case when ${sql.ref("trials.agent")} = ${toColumnText(trial.agent)}
    and coalesce(${sql.ref("trials.model")}, '') = ${toColumnText(trial.model ?? "")} then 0 else 1 end`;
  const isOtherJob = sql`case when ${sql.ref("trials.jobRowId")} = ${trial.jobRowId} then 0 else 1 end`;
  const rows = await list
    .select(["trials.key", "trials.agent", "trials.model", "trials.attempt", "trials.outcome"])
    .select(["trials.rewardText", "trials.durationMs", "trials.costUsd"])
    .select(["jobs.key as jobKey", "jobs.name as jobName"])
    .orderBy(isPassed, trial.outcome === "passed" ? "asc" : "desc")
    .orderBy(isOtherAgent)
    .orderBy(isOtherJob)
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
    .limit(limit)
    .offset(from)
    .execute();
  return { rows, nMatching: from === 0 && rows.length < limit ? rows.length : await countRows(list) };
}
