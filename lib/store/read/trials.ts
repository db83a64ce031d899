import { toColumnText } from "@/lib/database";
import type { ListPage, ListRange } from "@/lib/domain/list-page";
import type { TrialRecord } from "@/lib/domain/trial";

import { orderList, readListPage, readRowsAt } from "./query";
import { orderTrials, selectTrials, type TrialOrder, type TrialSelection } from "./trial-filter";
import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";
import { decodeValue } from "../schema/codec";

export type { TrialOrder, TrialSelection, TrialSort } from "./trial-filter";

/** A trial with what its table shows beside the record. */
export interface TrialRow {
  readonly trial: TrialRecord;
  /** From 0, in directory order. */
  readonly position: number;
  readonly groupKey: string;
  /** Its part of a group that is divided by agent settings, and its number in there; null in a group that is not. */
  readonly setup: { readonly key: string; readonly attempt: number } | null;
  readonly durationMs: number | null;
  /** Input and output tokens together; null when neither is reported. */
  readonly nTokens: number | null;
  readonly nRewardKeys: number;
  /** Why the verifier's own files say otherwise than result.json; null when they agree or say nothing. */
  readonly filesDiffer: string | null;
}

/** One page of a job's trials that fit, sorted; equals in directory order. */
export async function readTrials(
  store: IndexStore,
  jobRowId: number,
  selection: TrialSelection,
  sort: TrialOrder,
  range: ListRange,
): Promise<ListPage<TrialRow>> {
  const list = (await selectTrials(store, jobRowId, selection)).select("trials.position");
  const page = await readListPage(list, orderTrials(sort), range);
  const positions = page.rows.map(({ position }) => position);
  return { ...page, rows: await readTrialsAt(store, jobRowId, positions) };
}

/**
 * Positions of all trials of a job that fit, in the order of {@link readTrials}: what a list of any length is read by, since
 * reading it page by page would put it in order once for every page.
 */
export async function readTrialPositions(
  store: IndexStore,
  jobRowId: number,
  selection: TrialSelection,
  sort: TrialOrder,
): Promise<readonly number[]> {
  const list = (await selectTrials(store, jobRowId, selection)).select("trials.position");
  return (await orderList(list, orderTrials(sort)).execute()).map(({ position }) => position);
}

/** The trials at some positions of a job, in the order of `positions`, which are at most a thousand. */
export async function readTrialsAt(
  store: IndexStore,
  jobRowId: number,
  positions: readonly number[],
): Promise<readonly TrialRow[]> {
  return withRecords(store, jobRowId, await readRowsAt(store, "trials", jobRowId, positions));
}

async function withRecords(
  { db }: IndexStore,
  jobRowId: number,
  rows: readonly Stored<"trials">[],
): Promise<readonly TrialRow[]> {
  if (rows.length === 0) return [];
  const records = await db
    .selectFrom("trialRecords")
    .select(["position", "record"])
    .where("jobRowId", "=", jobRowId)
    .where(
      "position",
      "in",
      rows.map(({ position }) => position),
    )
    .execute();
  const byPosition = new Map(records.map(({ position, record }) => [position, record]));
  return rows.flatMap((row) => {
    const { position, groupKey, setupKey, durationMs, nTokens, nRewardKeys, filesDiffer } = row;
    const record = byPosition.get(position);
    if (record === undefined) return [];
    const setup = setupKey === null ? null : { key: setupKey, attempt: row.setupAttempt ?? row.attempt };
    const trial = decodeValue(record);
    return { trial, position, groupKey, setup, durationMs, nTokens, nRewardKeys, filesDiffer };
  });
}

/** The trial that a key of an address stands for, by its key, else by its name while one trial alone has it. */
export async function readTrial(
  store: IndexStore,
  jobRowId: number,
  asked: string,
): Promise<TrialRow | null> {
  const key = toColumnText(asked);
  const trials = store.db.selectFrom("trials").selectAll().where("jobRowId", "=", jobRowId).limit(2);
  const byKey = await trials.where("key", "=", key).execute();
  const found = byKey.length === 1 ? byKey : await trials.where("trialName", "=", key).execute();
  return found.length === 1 ? ((await withRecords(store, jobRowId, found))[0] ?? null) : null;
}
