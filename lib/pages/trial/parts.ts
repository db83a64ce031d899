import "server-only";
import { PAGE_ROWS } from "@/lib/core/domain/list-page";
import type { RubricRequest } from "@/lib/core/domain/rubric";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import type { Trial, TrialException } from "@/lib/core/domain/trial";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";
import { PART_SIZES, takeChecks } from "@/lib/core/domain/trial-lists";
import { listStatedWeights } from "@/lib/core/evaluation";
import { readTrialsList } from "@/lib/pages/trials/address";
import { prepareTextBlock } from "@/lib/read/loader/detail";
import {
  type IndexStore,
  type JobHead,
  type TrialSpot,
  readHeads,
  readReports,
  readRubricTrials,
} from "@/lib/store/tables";

import { toRubricWeights, tryRubric } from "../job/rubric";
import { recomputeTrial } from "../job/rubric-trials";
import { getTrialSpot } from "../job/trials";
import type { LocatedTrial } from "./locate";

type ExceptionView = ReturnType<typeof viewException>;

export function isExceptionCut({ message, traceback }: ExceptionView): boolean {
  return message.cutNote !== null || (traceback?.cutNote ?? null) !== null;
}

const EXCEPTION_LIMITS = { maxLines: 400, maxLineChars: 2_000, maxBytes: 200_000 };

/** Lists the exception of a trial, then different ones of its steps. */
export function listExceptions(trial: Trial) {
  const own = trial.exception === null ? [] : [viewException(trial.exception, null)];
  const steps = (trial.steps ?? []).flatMap(({ exception, stepName }) =>
    exception === null || isSameException(exception, trial.exception)
      ? []
      : [viewException(exception, stepName)],
  );
  return [...own, ...steps];
}

function isSameException(a: TrialException, b: TrialException | null): boolean {
  return b !== null && a.type === b.type && a.message === b.message;
}

function viewException(exception: TrialException, step: string | null) {
  return {
    type: exception.type,
    step,
    message: prepareTextBlock(exception.message, EXCEPTION_LIMITS),
    traceback: exception.traceback ? prepareTextBlock(exception.traceback, EXCEPTION_LIMITS) : null,
    at: exception.occurredAt,
  };
}

const MOST_REPORTS = 20;
const MOST_BYTES = 200_000;

/** Finds reports by the names of the trial and its task's folder, without the trial's own. Checks start at `fromCheck`. */
export async function readTrialReports(
  store: IndexStore,
  { trialName, taskName }: Pick<Trial, "trialName" | "taskName">,
  own: TrialAnalysis | null,
  fromCheck: number,
) {
  const taskFolder = taskName.slice(taskName.lastIndexOf("/") + 1);
  const { rows, nMatching } = await readReports(store, { trialName, taskFolder }, MOST_REPORTS);
  const others = rows
    .filter(
      ({ purpose, analysis }) => purpose === "check" || own === null || own.summary !== analysis.summary,
    )
    .map((row) => ({ ...row, analysis: takeChecks(row.analysis, fromCheck) }));
  // One limit for all, since they share a page.
  const shown = new TextBounder(PART_SIZES.checks, MOST_BYTES).bound(others);
  return {
    rows: shown.map((row, at) => ({ ...row, isCut: row.isCut || row !== others[at] })),
    nOlder: nMatching - rows.length + others.length - shown.length,
  };
}

/** Null if the trial has no dimension, is unfinished or has unread files. */
export async function readTrialRubric(
  store: IndexStore,
  job: JobHead,
  { position, taskName }: { readonly position: number; readonly taskName: string },
  request: RubricRequest,
) {
  const family = findTaskFamily(taskName);
  const [trial] = await readRubricTrials(store, job.rowId, family, position, 1);
  if (trial?.position !== position || trial.fit === null) return null;
  const usual = {
    weights: listStatedWeights(trial.dimensions),
    areStated: trial.dimensions.every(({ weight }) => weight !== null),
  };
  const tried = tryRubric(usual, new Map([[trial.fit, 1]]), request);
  const { recomputed, change } = recomputeTrial(trial, toRubricWeights(tried));
  return {
    ...tried,
    family,
    fit: trial.fit,
    /** As Python writes it. */
    stored: trial.rewardText,
    /** NaN if a dimension has no share. */
    recomputed: recomputed ?? Number.NaN,
    /** Null unless both rewards are finite. */
    change,
  };
}

/** Returns null without a list, or if the trial left the index. `all` is the store for lists of all jobs. */
export async function readTrialInList(
  store: IndexStore,
  { job, row }: Pick<LocatedTrial, "job" | "row">,
  list: string | null,
  all = store,
) {
  const params = list === null ? null : readTrialsList(list);
  if (params === null) return null;
  const spot = await (params.isOfAllJobs
    ? getTrialSpot(all, null, params, row)
    : getTrialSpot(store, job, params, row));
  if (spot === null) return null;
  const ids = [spot.previous, spot.next].flatMap((trial) => trial?.jobRowId ?? []);
  const keys = new Map((await readHeads(store, ids)).map(({ rowId, key }) => [rowId, key]));
  const name = (trial: TrialSpot["previous"]) =>
    trial && { ...trial, jobKey: keys.get(trial.jobRowId) ?? job.key };
  return {
    ...spot,
    previous: name(spot.previous),
    next: name(spot.next),
    params,
    /** Page that holds the trial, or would hold it, from 1. */
    page: Math.floor(spot.nBefore / PAGE_ROWS) + 1,
  };
}
