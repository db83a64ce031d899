import type { ListPage, ListRange } from "@/lib/domain/list-page";
import type { RubricFit } from "@/lib/domain/rubric";

import { decodeValue } from "../schema/codec";
import type { DimensionCell, StoredCorrelations } from "../schema/dimension-cell";
import { readListPage, type SortKey } from "./list-page";
import type { IndexStore } from "../open-store";

/** A family of tasks whose trials state dimensions. */
export interface FamilySummary {
  readonly name: string;
  /** Its place among the families of its job. */
  readonly position: number;
  /** Tasks with a finished trial. */
  readonly nTasks: number;
  /** Finished trials. */
  readonly nTrials: number;
  /** Finished trials by whether their reward follows from their dimensions. */
  readonly fits: ReadonlyMap<RubricFit, number>;
}

/** One dimension of a family over all groups of a job. */
export interface DimensionSummary {
  readonly name: string;
  /** By key of the group; a group none of whose trials states the dimension is absent. */
  readonly cells: ReadonlyMap<string, DimensionCell>;
}

/** What is known of a family beyond its figures, read for the families of a page alone. */
export interface FamilyDetail {
  /** Finished trials by key of the group. */
  readonly nTrials: ReadonlyMap<string, number>;
  /** By key of the group, with the empty key for all groups together. Of the first `MOST_CORRELATED` dimensions. */
  readonly correlations: ReadonlyMap<string, StoredCorrelations>;
}

const BY_POSITION: readonly SortKey[] = [{ column: "position", descending: false }];
const FAMILY_COLUMNS = ["position", "family", "n_tasks", "n_trials", "fits"] as const;

/** All families of a job that state a dimension, in directory order, as of the last complete reading of its files. */
export async function readFamilies({ db }: IndexStore, jobId: number): Promise<readonly FamilySummary[]> {
  const rows = await db
    .selectFrom("families")
    .select(FAMILY_COLUMNS)
    .where("job_id", "=", jobId)
    .orderBy("position")
    .execute();
  return rows.map(toFamily);
}

/** One page of them. */
export async function readFamilyPage(
  { db }: IndexStore,
  jobId: number,
  range: ListRange,
): Promise<ListPage<FamilySummary>> {
  const list = db.selectFrom("families").where("job_id", "=", jobId);
  const page = await readListPage(list.select(FAMILY_COLUMNS), BY_POSITION, range);
  return { ...page, rows: page.rows.map(toFamily) };
}

function toFamily(row: {
  readonly position: number;
  readonly family: string;
  readonly n_tasks: number;
  readonly n_trials: number;
  readonly fits: string;
}): FamilySummary {
  return {
    name: row.family,
    position: row.position,
    nTasks: row.n_tasks,
    nTrials: row.n_trials,
    fits: decodeValue<FamilySummary["fits"]>(row.fits),
  };
}

/** Counts and correlations of one family. */
export async function readFamilyDetail(
  { db }: IndexStore,
  jobId: number,
  position: number,
): Promise<FamilyDetail> {
  const row = await db
    .selectFrom("families")
    .select(["groups", "correlations"])
    .where("job_id", "=", jobId)
    .where("position", "=", position)
    .executeTakeFirst();
  if (row === undefined) return { nTrials: new Map(), correlations: new Map() };
  return {
    nTrials: decodeValue<FamilyDetail["nTrials"]>(row.groups),
    correlations: decodeValue<FamilyDetail["correlations"]>(row.correlations),
  };
}

/** The dimensions of a job in the order in which its trials name them, as of the last complete reading of its files. */
export async function readDimensions(
  { db }: IndexStore,
  jobId: number,
): Promise<readonly (DimensionSummary & { readonly family: string })[]> {
  const query = db.selectFrom("dimensions").select(DIMENSION_COLUMNS).where("job_id", "=", jobId);
  return (await query.orderBy("position").execute()).map((row) => ({
    ...toDimension(row),
    family: row.family,
  }));
}

/** One page of those of a family. */
export async function readDimensionPage(
  { db }: IndexStore,
  { jobId, family }: { readonly jobId: number; readonly family: string },
  range: ListRange,
): Promise<ListPage<DimensionSummary>> {
  const list = db.selectFrom("dimensions").where("job_id", "=", jobId).where("family", "=", family);
  const page = await readListPage(list.select(DIMENSION_COLUMNS), BY_POSITION, range);
  return { ...page, rows: page.rows.map(toDimension) };
}

const DIMENSION_COLUMNS = ["position", "family", "name", "cells"] as const;

function toDimension({ name, cells }: { readonly name: string; readonly cells: string }): DimensionSummary {
  return { name, cells: decodeValue<DimensionSummary["cells"]>(cells) };
}
