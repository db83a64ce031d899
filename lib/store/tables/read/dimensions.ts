import type { ListPage, ListRange } from "@/lib/core/domain/list-page";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { DimensionCell, StoredCorrelations } from "../schema/stored-values";
import { atSamePlace, readListPage, inOrder } from "./query";

export interface DimensionSummary {
  readonly name: string;
  readonly cells: ReadonlyMap<string, DimensionCell>;
}

export type FamilySummary = Awaited<ReturnType<typeof readFamilies>>[number];

export async function readFamilies({ db }: IndexStore, jobRowId: number) {
  const rows = await db
    .selectFrom("families")
    .select(["position", "family as name", "nTasks", "nTrials", "fits"])
    .where("jobRowId", "=", jobRowId)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({ ...row, fits: decodeValue(row.fits) }));
}

export async function readFamilyDetail({ db }: IndexStore, jobRowId: number, position: number) {
  const row = await db
    .selectFrom("families")
    .select(["groups", "correlations"])
    .where((where) => where.and({ jobRowId, position }))
    .executeTakeFirst();
  const nTrials: ReadonlyMap<string, number> = row ? decodeValue(row.groups) : new Map();
  const correlations: ReadonlyMap<string, StoredCorrelations> = row
    ? decodeValue(row.correlations)
    : new Map();
  return { nTrials, correlations };
}

export async function readDimensionPage(
  { db }: IndexStore,
  { jobRowId, family }: { readonly jobRowId: number; readonly family: string },
  range: ListRange,
): Promise<ListPage<DimensionSummary>> {
  const list = db
    .selectFrom("dimensions")
    .select(["name", "cells"])
    .where("jobRowId", "=", jobRowId)
    .where("family", "=", family);
  const page = await readListPage(list, [{ column: "position" }], range);
  return { ...page, rows: page.rows.map(({ name, cells }) => ({ name, cells: decodeValue(cells) })) };
}

export type RubricTrial = Awaited<ReturnType<typeof readRubricTrials>>[number];

export async function readRubricTrials(
  { db }: IndexStore,
  jobRowId: number,
  family: string | null,
  from: number,
  limit: number,
) {
  const all = db
    .selectFrom("trials")
    .leftJoin("trialChecks", atSamePlace("trialChecks", "trials"))
    .select(["trials.position", "trials.key", "trials.taskName", "trials.groupKey", "trials.attempt"])
    .select(["trials.reward", "trials.rewardText", "trialChecks.rubricFit as fit"])
    .where("trials.jobRowId", "=", jobRowId)
    .where("trials.position", ">=", from)
    .where("trials.state", "=", "finished")
    .orderBy("trials.position")
    .limit(limit);
  const ofFamily = family === null ? all : all.where("trials.family", "=", toColumnText(family));
  const trials = await ofFamily.execute();
  const [first, last] = [trials[0], trials.at(-1)];
  if (first === undefined || last === undefined) return [];
  const rows = await db
    .selectFrom("trialDimensions")
    .select(["position", "name", "share", "weight"])
    .where("jobRowId", "=", jobRowId)
    .where("position", ">=", first.position)
    .where("position", "<=", last.position)
    .orderBy(inOrder("position", "ordinal"))
    .execute();
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return trials.map((trial) => ({ ...trial, dimensions: byPosition.get(trial.position) ?? [] }));
}

/** Rewards of trials with several, between two positions inclusive. A null value is not a finite number. */
export async function readSeveralRewards({ db }: IndexStore, jobRowId: number, from: number, to: number) {
  return db
    .selectFrom("trialRewards")
    .select(["position", "key", "value"])
    .where("jobRowId", "=", jobRowId)
    .where("position", ">=", from)
    .where("position", "<=", to)
    .execute();
}
