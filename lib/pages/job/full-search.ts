import "server-only";
import { type Excerpt, makePatterns } from "@/lib/core/domain/search-excerpt";
import { listStepNames } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { TrialsParams } from "@/lib/pages/trials/address";
import { readApart, unlessReadingFails } from "@/lib/read/trial-reading";
import {
  type IndexStore,
  type JobHead,
  listTrialPlaces,
  namePlace,
  readCutPlaces,
  readHeads,
  readTrialsAt,
  type TrialRow,
} from "@/lib/store/tables";

import { locateFolder } from "../trial/locate";
import { openTrialsList } from "./trials-selection";

/** Trials whose files one request reads. The longest trials of real jobs take 0.06 s each. */
const MAX_TRIALS = 100;

/** Searches whole texts of trials that the index covers only in part. Returns null unless the URL asks for it. */
export async function searchInFull(store: IndexStore, job: JobHead | null, filter: TrialsParams) {
  const { text, isInFull } = filter;
  if (!isInFull || makePatterns(text).length === 0) return null;
  const cut = new Set((await readCutPlaces(store, job?.rowId ?? null)).map(namePlace));
  const { jobs: scope, selection, sort } = await openTrialsList(store, job, { ...filter, text: "" });
  const listed = await listTrialPlaces(store, scope, selection, sort);
  const places = listed.filter((place) => cut.has(namePlace(place)));
  const rows = await readTrialsAt(store, places.slice(0, MAX_TRIALS));
  const heads = await readHeads(store, [...new Set(rows.map(({ jobRowId }) => jobRowId))]);
  const jobs = new Map(heads.map((one) => [one.rowId, one]));
  const found: { readonly row: TrialRow; readonly jobKey: string; readonly excerpt: Excerpt }[] = [];
  let nSearched = 0;
  for (const row of rows) {
    const own = jobs.get(row.jobRowId);
    const path = own === undefined ? null : locateFolder(own, row.trial);
    if (own === undefined || path === null) continue;
    const stepNames = listStepNames(row.trial);
    const searched = await unlessReadingFails(
      readApart("full-search", path, path, stepNames, describeException(row), text),
      () => null,
    );
    if (searched === null) continue;
    nSearched++;
    const { excerpt } = searched;
    if (excerpt !== null) found.push({ row, jobKey: own.key, excerpt });
  }
  return { found, nSearched, nLeft: places.length - nSearched };
}

function describeException({ trial }: TrialRow): string {
  const failure = selectFailure(trial)?.exception;
  return failure === undefined ? "" : `${failure.type}: ${failure.message}`;
}
