import { sql } from "kysely";

import { toColumnText } from "@/lib/database";
import type { TrialFingerprint } from "@/lib/domain/fingerprint";

import { type ListSpot, readListSpot } from "./list-spot";
import { countRows, groupKeys, hasKey, isAmong, type JobScope, NEWEST_FIRST, type RowPlace } from "./query";
import {
  orderTrials,
  selectAllTrials,
  selectStepCounts,
  selectTrials,
  type TrialOrder,
  type TrialSelection,
} from "./trial-filter";
import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";

/** A trial with what names it, wherever it was seen, and what became of it. */
export interface TrialPlace extends Pick<
  Stored<"trials">,
  "jobRowId" | "position" | "key" | "trialName" | "taskName" | "groupKey" | "attempt" | "state" | "outcome"
> {
  readonly jobKey: string;
  readonly jobName: string;
  readonly id: string | null;
  /** The job that ran it, as it or else its job states it. */
  readonly jobUuid: string | null;
  /** The headline reward as Python writes it; null when there is none. */
  readonly reward: string | null;
  readonly fingerprint: TrialFingerprint;
}

/** All trials with one of these names, newest job first. */
export async function readTrialPlaces(
  store: IndexStore,
  trialNames: Iterable<string>,
): Promise<readonly TrialPlace[]> {
  const rows = await selectPlaces(store)
    .where(isAmong(store, "trials.trialName", trialNames))
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
    .execute();
  return rows.map(toPlace);
}

/** All trials with one of these names or ids, newest job first. Reads every trial once. */
export async function readPlacesOfTrials(
  store: IndexStore,
  namesOrIds: ReadonlySet<string>,
): Promise<readonly TrialPlace[]> {
  const rows = await selectPlaces(store)
    .where((where) =>
      where.or([isAmong(store, "trials.trialName", namesOrIds), isAmong(store, "trials.uuid", namesOrIds)]),
    )
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
    .execute();
  return rows.map(toPlace);
}

/** The first finished trials of a job from position `first` on and, unless it is null, before `end`; in directory order. */
export async function readFinishedPlaces(
  store: IndexStore,
  jobRowId: number,
  { first, end }: { readonly first: number; readonly end: number | null },
  limit: number,
) {
  const query = selectPlaces(store)
    .where("trials.jobRowId", "=", jobRowId)
    .where("trials.state", "=", "finished")
    .where("trials.position", ">=", first)
    .orderBy("trials.position")
    .limit(limit);
  const rows = await (end === null ? query : query.where("trials.position", "<", end)).execute();
  return rows.map(toPlace);
}

/**
 * The fingerprint of one trial as the index knows it, for whatever is to be compared with the trial later: its result as of
 * the last scan, its trajectory as of when its texts were read last, which is after all results of all jobs. Null when there
 * is no trial of this key.
 *
 * @throws StoreError when the store cannot be read
 */
export async function readFingerprint(
  store: IndexStore,
  jobRowId: number,
  trialKey: string,
): Promise<TrialFingerprint | null> {
  const row = await selectPlaces(store)
    .where("trials.jobRowId", "=", jobRowId)
    .where("trials.key", "=", toColumnText(trialKey))
    .executeTakeFirst();
  return row === undefined ? null : toPlace(row).fingerprint;
}

interface DigestRow {
  readonly resultDigest: string | null;
  readonly trajectoryDigest: string | null;
}

function toPlace<Row extends DigestRow>({ resultDigest, trajectoryDigest, ...row }: Row) {
  return { ...row, fingerprint: { result: resultDigest, trajectory: trajectoryDigest } };
}

function selectPlaces({ db }: IndexStore) {
  return db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .leftJoin("trialTexts", (join) =>
      join
        .onRef("trialTexts.jobRowId", "=", "trials.jobRowId")
        .onRef("trialTexts.position", "=", "trials.position"),
    )
    .select(["trials.jobRowId", "jobs.key as jobKey", "jobs.name as jobName", "trials.position"])
    .select(["trials.key", "trials.uuid as id", "trials.trialName", "trials.taskName", "trials.groupKey"])
    .select(({ fn }) => fn.coalesce("trials.runUuid", "jobs.uuid").as("jobUuid"))
    .select(["trials.resultDigest", "trialTexts.trajectoryDigest"])
    .select(["trials.attempt", "trials.state", "trials.outcome", "trials.rewardText as reward"]);
}

/** What a trial's judgments are found by, and where it stands. */
export interface TrialMark extends Pick<
  Stored<"trials">,
  "key" | "trialName" | "taskName" | "attempt" | "outcome" | "exceptionType"
> {
  readonly id: string | null;
  /** `config.job_id`, when recorded. */
  readonly jobUuid: string | null;
}

const MARK_COLUMNS = [
  "trials.key",
  "trials.uuid as id",
  "trials.runUuid as jobUuid",
  "trials.trialName",
  "trials.taskName",
  "trials.attempt",
  "trials.outcome",
  "trials.exceptionType",
] as const;

/** The attempts at a trial's task, and the trials around it in the order of tasks and attempts. */
export interface TrialNeighbours {
  /** Of the same agent, model and source, itself among them: 50 before it and 50 behind at most. */
  readonly attempts: readonly TrialMark[];
  readonly nAttempts: number;
  readonly previous: TrialMark | null;
  readonly next: TrialMark | null;
}

/** Attempts on either side of a trial that are listed: more than any job makes at a task. */
const MOST_BESIDE = 50;

/** Neighbours of a trial among the trials of its agent, model and source. Reads a few rows, however large the job is. */
export async function readNeighbours(
  store: IndexStore,
  jobRowId: number,
  trial: Pick<Stored<"trials">, "groupKey" | "agent" | "taskName" | "attempt" | "position">,
): Promise<TrialNeighbours> {
  const { taskName, attempt, position } = trial;
  const agentModel = store.db
    .selectFrom("trials")
    .select(MARK_COLUMNS)
    .where("jobRowId", "=", jobRowId)
    // The group's key names agent, model and source; the agent tells keys apart that read alike.
    .where("groupKey", "=", trial.groupKey)
    .where("agent", "=", trial.agent);
  const same = agentModel.where("taskName", "=", taskName);
  const beside = (sign: "<" | ">=") =>
    same
      .where((where) =>
        where.or([
          where("attempt", sign === "<" ? "<" : ">", attempt),
          where.and([where("attempt", "=", attempt), where("position", sign, position)]),
        ]),
      )
      .orderBy("attempt", sign === "<" ? "desc" : "asc")
      .orderBy("position", sign === "<" ? "desc" : "asc")
      .limit(sign === "<" ? MOST_BESIDE : MOST_BESIDE + 1)
      .execute();
  const [earlier, later, nAttempts] = await Promise.all([beside("<"), beside(">="), countRows(same)]);
  const ownPosition = store.db
    .selectFrom("trials")
    .select("taskPosition")
    .where("jobRowId", "=", jobRowId)
    .where("position", "=", position);
  const ofOtherTask = (sign: "<" | ">") => {
    const order = sign === "<" ? "desc" : "asc";
    return agentModel
      .where("taskPosition", sign, ownPosition)
      .orderBy("taskPosition", order)
      .orderBy("attempt", order)
      .orderBy("position", order)
      .limit(1)
      .executeTakeFirst();
  };
  return {
    attempts: [...earlier.toReversed(), ...later],
    nAttempts,
    previous: earlier[0] ?? (await ofOtherTask("<")) ?? null,
    next: later[1] ?? (await ofOtherTask(">")) ?? null,
  };
}

/** Where a trial stands among those that fit, in the order of `readTrials`, and the trials beside that place. */
export type TrialSpot = ListSpot<TrialMark & Pick<RowPlace, "jobRowId">>;

/**
 * Finds the place of a trial in a filtered, sorted list, also of one that the filter leaves out.
 * Null when no trial is at that place any more.
 */
export async function readTrialSpot(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
  { jobRowId, position }: RowPlace,
): Promise<TrialSpot | null> {
  const order = orderTrials(sort, jobs, selection);
  const own = await selectAllTrials(store, jobRowId, selection)
    .select(order.map(({ column }) => sql<string | number | null>`${sql.ref(column)}`.as(column)))
    .where("trials.position", "=", position)
    .executeTakeFirst();
  if (own === undefined) return null;
  const list = (await selectTrials(store, jobs, selection)).select(["trials.jobRowId", ...MARK_COLUMNS]);
  return readListSpot(list, order, own);
}

export interface TrialTotals {
  /** Null without a trajectory, and while it is not read. */
  readonly nSteps: number | null;
  readonly durationMs: number | null;
}

/** Totals of some trials, each by its job's row id and its key with a space between them. */
export async function readTrialTotals(
  store: IndexStore,
  trials: readonly Pick<TrialMark & RowPlace, "jobRowId" | "key">[],
): Promise<ReadonlyMap<string, TrialTotals>> {
  if (trials.length === 0) return new Map();
  const rows = await store.db
    .selectFrom("trials")
    .select(["jobRowId", "key", "durationMs", ...selectStepCounts()])
    .where(hasKey(store, "trials", groupKeys(trials)))
    .execute();
  return new Map(
    rows.map(({ jobRowId, key, nSteps, durationMs }) => [`${jobRowId} ${key}`, { nSteps, durationMs }]),
  );
}
