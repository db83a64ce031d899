import { sql } from "kysely";

import type { ListPage, ListRange } from "@/lib/core/domain/list-page";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { namePlace } from "./candidates";
import {
  atSamePlace,
  isAt,
  type JobScope,
  orderList,
  readListPage,
  readPageAtOnce,
  type RowPlace,
} from "./query";
import {
  orderTrials,
  selectStepCounts,
  selectTrials,
  type TrialOrder,
  type TrialSelection,
} from "./trial-filter";

export type { JobScope, RowPlace, TrialKeys } from "./query";
export type { TrialOrder, TrialSelection } from "./trial-filter";

/**
 * A trial with what only the index holds. `setup` is its part of a divided group, and its number in there. `nSteps` and `nErrors`
 * count steps of the trajectory, and those with an error; null without one, and while it is not read.
 */
export type TrialRow = ReturnType<typeof toRow>;

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
  const found = await selectRows(store)
    .where(isAt(store, "trials", places))
    .execute();
  const rows = new Map(found.map((row) => [namePlace(row), toRow(row)]));
  return places.flatMap((place) => rows.get(namePlace(place)) ?? []);
}

function selectRows({ db }: IndexStore) {
  const label = sql<string | null>`(select label from "taskLabels" as l
    where l."jobRowId" = trials."jobRowId" and l.position = trials."taskPosition")`;
  return db
    .selectFrom("trials")
    .innerJoin("trialRecords", atSamePlace("trialRecords", "trials"))
    .select([...PLACE, "trials.groupKey", "trials.setupKey", "trials.setupAttempt", "trials.attempt"])
    .select(["trials.durationMs", "trials.nTokens", "trials.nRewardKeys", "trials.filesDiffer"])
    .select(["trialRecords.record", label.as("taskLabel")])
    .select(selectStepCounts());
}

type SelectedRow = Awaited<ReturnType<ReturnType<typeof selectRows>["execute"]>>[number];

function toRow({ record, taskLabel, setupKey, setupAttempt, attempt, ...row }: SelectedRow) {
  const trial = decodeValue(record);
  return {
    ...row,
    trial: taskLabel === null ? trial : { ...trial, taskName: taskLabel },
    setup: setupKey === null ? null : { key: setupKey, attempt: setupAttempt ?? attempt },
  };
}

export async function readTrial(
  store: IndexStore,
  jobRowId: number,
  asked: string,
): Promise<TrialRow | null> {
  const key = toColumnText(asked);
  const trials = selectRows(store).where("trials.jobRowId", "=", jobRowId).limit(2);
  const byKey = await trials.where("trials.key", "=", key).execute();
  const found = byKey.length === 1 ? byKey : await trials.where("trials.trialName", "=", key).execute();
  const [row] = found;
  return found.length === 1 && row !== undefined ? toRow(row) : null;
}
