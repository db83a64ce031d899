import { sql } from "kysely";

import type { ListPage, ListRange } from "@/lib/core/domain/list-page";
import type { TrialRecord } from "@/lib/core/domain/trial";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { namePlace } from "./candidates";
import { isAt, type JobScope, orderList, readListPage, readPageAtOnce, type RowPlace } from "./query";
import {
  orderTrials,
  selectStepCounts,
  selectTrials,
  type TrialOrder,
  type TrialSelection,
} from "./trial-filter";

export type { JobScope, RowPlace, TrialKeys } from "./query";
export type { TrialOrder, TrialSelection } from "./trial-filter";

export interface TrialRow extends RowPlace {
  readonly trial: TrialRecord;
  readonly groupKey: string;
  /** Its part of a divided group, and its number in there; null if the group is not divided by agent settings. */
  readonly setup: { readonly key: string; readonly attempt: number } | null;
  readonly durationMs: number | null;
  readonly nTokens: number | null;
  /** Steps of the trajectory, and those with an error; null without one, and while it is not read. */
  readonly nSteps: number | null;
  readonly nErrors: number | null;
  readonly nRewardKeys: number;
  readonly filesDiffer: string | null;
}

const PLACE = ["trials.jobRowId", "trials.position"] as const;

export async function readTrials(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
  range: ListRange,
): Promise<ListPage<TrialRow>> {
  const list = (await selectTrials(store, jobs, selection)).select(PLACE);
  const order = orderTrials(sort, jobs, selection);
  // Finding the rows of a text costs more than everything else.
  const page = await (selection.text === ""
    ? readListPage(list, order, range)
    : readPageAtOnce(store, list, order, range));
  return { ...page, rows: await readTrialsAt(store, page.rows) };
}

/**
 * Returns places of all matching trials, in the order of {@link readTrials}. Lists of any length use it, since every page would
 * sort the whole list again.
 */
export async function listTrialPlaces(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
): Promise<readonly RowPlace[]> {
  const list = (await selectTrials(store, jobs, selection)).select(PLACE);
  return orderList(list, orderTrials(sort, jobs, selection)).execute();
}

export async function readTrialsAt(
  store: IndexStore,
  places: readonly RowPlace[],
): Promise<readonly TrialRow[]> {
  if (places.length === 0) return [];
  const found = selectRows(store).where(isAt(store, "trials", places));
  const rows = new Map((await withRecords(store, await found.execute())).map((row) => [namePlace(row), row]));
  return places.flatMap((place) => rows.get(namePlace(place)) ?? []);
}

function selectRows({ db }: IndexStore) {
  const label = sql<string | null>`(select label from "taskLabels" as l
    where l."jobRowId" = trials."jobRowId" and l.position = trials."taskPosition")`;
  return db.selectFrom("trials").selectAll("trials").select(label.as("taskLabel")).select(selectStepCounts());
}

type LabelledCounts = Pick<TrialRow, "nSteps" | "nErrors"> & { readonly taskLabel: string | null };

async function withRecords(
  store: IndexStore,
  rows: readonly (Stored<"trials"> & LabelledCounts)[],
): Promise<readonly TrialRow[]> {
  if (rows.length === 0) return [];
  const records = await store.db
    .selectFrom("trialRecords")
    .select(["jobRowId", "position", "record"])
    .where(isAt(store, "trialRecords", rows))
    .execute();
  const byPlace = new Map(records.map((row) => [namePlace(row), row.record]));
  return rows.flatMap((row) => {
    const { jobRowId, position, groupKey, setupKey, durationMs, nTokens, nSteps, nErrors } = row;
    const { nRewardKeys, filesDiffer } = row;
    const record = byPlace.get(namePlace(row));
    if (record === undefined) return [];
    const setup = setupKey === null ? null : { key: setupKey, attempt: row.setupAttempt ?? row.attempt };
    const read = decodeValue(record);
    const trial = row.taskLabel === null ? read : { ...read, taskName: row.taskLabel };
    const counts = { durationMs, nTokens, nSteps, nErrors, nRewardKeys };
    return { trial, jobRowId, position, groupKey, setup, ...counts, filesDiffer };
  });
}

export async function readTrial(
  store: IndexStore,
  jobRowId: number,
  asked: string,
): Promise<TrialRow | null> {
  const key = toColumnText(asked);
  const trials = selectRows(store).where("jobRowId", "=", jobRowId).limit(2);
  const byKey = await trials.where("key", "=", key).execute();
  const found = byKey.length === 1 ? byKey : await trials.where("trialName", "=", key).execute();
  return found.length === 1 ? ((await withRecords(store, found))[0] ?? null) : null;
}
