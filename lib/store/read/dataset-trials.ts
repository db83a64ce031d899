import { sql } from "kysely";

import { takeTurns } from "@/lib/database";

import type { GroupPlace } from "./groups";
import { atSamePlace, isAmong, isAt, isOfGroups, NEWEST_FIRST, type RowPlace } from "./query";
import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { shareText } from "./shared-text";
import { selectStepCounts } from "./trial-filter";

/** Which trials: of a dataset, or of some tasks of it. */
export interface DatasetScope {
  /** The evals groups over the dataset. */
  readonly groups: readonly GroupPlace[];
  /** Null for all tasks of the dataset. */
  readonly tasks: readonly string[] | null;
}

/** A trial of a dataset with its job: little of each, since they may be all trials there are. */
export interface DatasetTrial
  extends
    RowPlace,
    Pick<
      Stored<"trials">,
      | "key"
      | "taskName"
      | "family"
      | "taskDigest"
      | "groupKey"
      | "agent"
      | "model"
      | "attempt"
      | "outcome"
      | "reward"
      | "rewardText"
      | "exceptionType"
      | "exceptionCause"
      | "costUsd"
      | "durationMs"
      | "startedMs"
    > {
  readonly jobKey: string;
  readonly jobName: string;
  /** See `countsUnder` of lib/domain, under the rule of its job. */
  readonly counts: boolean;
  /** When the job ended, or the best known time; null for none. */
  readonly jobWhenMs: number | null;
  /** Of its trajectory; null without one, and while it is not read. */
  readonly nSteps: number | null;
}

/** Trials of a scope, each rollout once. */
export interface DatasetTrials {
  /** Those of the newest job first. */
  readonly trials: readonly DatasetTrial[];
  /** Trials that grade the rollout of another one again: not among `trials`. */
  readonly nRegraded: number;
  /** Whether there are more than were read. */
  readonly isCut: boolean;
}

/**
 * The trials of a dataset, or of one task of it, in all open benchmark jobs. Regrades are left out, which are their sources'
 * rollouts.
 *
 * @param limit - most trials that are read
 */
export async function readDatasetTrials(
  store: IndexStore,
  scope: DatasetScope,
  limit: number,
): Promise<DatasetTrials> {
  const found = await selectScope(store, scope)
    .select(["trials.jobRowId", "trials.position"])
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
    .limit(limit + 1)
    .execute();
  const trials: Awaited<ReturnType<typeof readAt>>[number][] = [];
  let nRegraded = 0;
  for await (const places of takeTurns(found.slice(0, limit), READ_AT_ONCE)) {
    for (const row of await readAt(store, places, scope.tasks !== null)) {
      if (row.sourcePosition === null) trials.push(row);
      else nRegraded += 1;
    }
  }
  return { trials, nRegraded, isCut: found.length > limit };
}

/** Few enough to be read in some hundredths of a second, in which nobody else is served. */
const READ_AT_ONCE = 5_000;

/** The trials at some places, newest job first. @param hasSteps - whether steps are counted, which nobody asks for of all tasks */
async function readAt(store: IndexStore, places: readonly RowPlace[], hasSteps: boolean) {
  const rows = await store.db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .leftJoin("trialSources", atSamePlace("trialSources", "trials"))
    .where(isAt(store, "trials", places))
    .select(["trials.jobRowId", "trials.position", "trials.key"])
    .select(["trials.taskName", "trials.family", "trials.taskDigest", "trials.groupKey", "trials.agent"])
    .select(["trials.model", "trials.attempt", "trials.outcome", "trials.reward"])
    .select([
      "trials.rewardText",
      "trials.exceptionType",
      "trials.exceptionCause",
      "trials.costUsd",
      "trials.durationMs",
      "trials.counts",
    ])
    .select(["trials.startedMs", "jobs.key as jobKey", "jobs.name as jobName", "jobs.whenMs as jobWhenMs"])
    .select("trialSources.position as sourcePosition")
    .select(hasSteps ? selectStepCounts() : [sql<number | null>`null`.as("nSteps")])
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
    .execute();
  return rows.map((row) => ({
    ...row,
    counts: row.counts === 1,
    taskName: shareText(row.taskName),
    family: shareText(row.family),
    taskDigest: shareText(row.taskDigest),
    groupKey: shareText(row.groupKey),
    agent: shareText(row.agent),
    model: shareText(row.model),
    outcome: shareText(row.outcome),
    rewardText: shareText(row.rewardText),
    exceptionType: shareText(row.exceptionType),
    exceptionCause: shareText(row.exceptionCause),
    jobKey: shareText(row.jobKey),
    jobName: shareText(row.jobName),
  }));
}

function selectScope(store: IndexStore, { groups, tasks }: DatasetScope) {
  const list = store.db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .where(isOfGroups(store, "trials", groups));
  return tasks === null ? list : list.where(isAmong(store, "trials.taskName", tasks));
}

/** What the verifier of a trial left, as far as it is compared with others or doubted. */
export interface TrialDoubt extends RowPlace {
  /** Equal for trials of the same task and output; null when the trial is not compared. */
  readonly compareKey: string | null;
  /** Equal for equal rewards; null when the trial is not compared. */
  readonly rewardsKey: string | null;
  /** Whether a log of it ends with a traceback of the verifier's own. */
  readonly hasTraceback: boolean;
}

/** Trials of a scope whose output is compared with that of others, or whose verifier may have crashed. */
export async function readDoubts(
  store: IndexStore,
  scope: DatasetScope,
  limit: number,
): Promise<readonly TrialDoubt[]> {
  const rows = await selectScope(store, scope)
    .leftJoin("trialChecks", atSamePlace("trialChecks", "trials"))
    .leftJoin("suspicions", atSamePlace("suspicions", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialChecks.compareKey", "trialChecks.rewardsKey"])
    .select("suspicions.log")
    .where((where) =>
      where.or([where("trialChecks.compareKey", "is not", null), where("suspicions.log", "is not", null)]),
    )
    .limit(limit)
    .execute();
  return rows.map(({ log, ...row }) => ({ ...row, hasTraceback: log !== null }));
}

/** The failed tests of the trials of a task, as far as their verifiers left reports. */
export async function readScopeTests(store: IndexStore, scope: DatasetScope, limit: number) {
  const rows = await selectScope(store, scope)
    .innerJoin("trialTests", atSamePlace("trialTests", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialTests.failed", "trialTests.passed"])
    .limit(limit)
    .execute();
  return rows.map(({ failed, ...row }) => ({ ...row, failed: decodeValue(failed) }));
}

/** What the trials of a task say of each dimension; of one that is named without a share nothing. */
export async function readScopeDimensions(store: IndexStore, scope: DatasetScope, limit: number) {
  return selectScope(store, scope)
    .innerJoin("trialDimensions", atSamePlace("trialDimensions", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialDimensions.name"])
    .select((select) => select.ref("trialDimensions.share").$notNull().as("share"))
    .where("trialDimensions.share", "is not", null)
    .limit(limit)
    .execute();
}
