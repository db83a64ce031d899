import "server-only";

import {
  type CategorySuggestion,
  getAnnotationStore,
  limitChains,
  listOthersOfAdmin,
  readHistory,
  readOwnIds,
  type ShownChains,
  suggestCategories,
} from "@/lib/annotations";
import { type AnnotationSubject, computeReviewerKey } from "@/lib/domain/annotation";
import type { Judgment } from "@/lib/domain/judgment";
import { StoreError } from "@/lib/domain/app-error";
import { sumBy } from "@/lib/domain/sum-by";
import { trialHref } from "@/lib/addresses/href";
import { type OpenTrial, openTrialHref } from "@/lib/addresses/trial";
import { type IndexStore, type JobHead, readFinishedPlaces } from "@/lib/store";
import { readReward } from "@/lib/verification";

import { getStore } from "../shell/catalog";
import { readTrialInList } from "../trial/list";
import { type LocatedTrial, requireTrial } from "../trial/locate";
import { getActor } from "./actor";
import { getJudged, type JudgedOfJob } from "./judged";

/** Everything the review panel of one trial shows. Plain data, so that it can go to the browser. */
export interface ReviewState {
  readonly jobKey: string;
  readonly trialKey: string;
  /** The list that is gone through; null for the job's unreviewed trials. */
  readonly list: string | null;
  readonly subject: AnnotationSubject;
  /** Reviewers' versions, the asking browser's own first, then the reviewer who acted last. */
  readonly judged: ShownChains;
  readonly categories: Readonly<Record<Judgment, readonly CategorySuggestion[]>>;
  /** Finished trials of the job, and how many of them each reviewer has judged, by reviewer key. */
  readonly nTrials: number;
  readonly nReviewed: Readonly<Record<string, number>>;
  /** Keys of the reviewers whose judgments whoever asks can change as an admin alone, and not as their own. */
  readonly othersOfAdmin: readonly string[];
  /** Why the store cannot be used, in a sentence; null when it can. The form still works and keeps its draft. */
  readonly problem: string | null;
}

const NO_CATEGORIES = { pass: [], fail: [], defer: [] } as const;

/** The state of the review panel. @throws NotFoundError when no such trial is open */
export async function getReviewState(
  jobKey: string,
  trialKey: string,
  list: string | null,
): Promise<ReviewState> {
  const { job, row, subject } = await getReviewSubject(jobKey, trialKey);
  const nTrials = job.groups.reduce((sum, { nFinished }) => sum + nFinished, 0);
  const base = { jobKey, trialKey: row.trial.key, list, subject, nTrials };
  try {
    const [store, actor] = [getAnnotationStore(), await getActor()];
    const [history, ownIds, categories, { byJob }, othersOfAdmin] = await Promise.all([
      readHistory(store, subject),
      readOwnIds(store, subject.trialName, actor),
      suggestCategories(store, subject),
      getJudged(await getStore()),
      listOthersOfAdmin(store, subject, actor),
    ]);
    const nReviewed = countReviewed(byJob.get(job.rowId) ?? new Map());
    return {
      ...base,
      judged: limitChains(history, ownIds),
      categories,
      nReviewed,
      othersOfAdmin,
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return {
      ...base,
      judged: limitChains([]),
      categories: NO_CATEGORIES,
      nReviewed: {},
      othersOfAdmin: [],
      problem: error.message,
    };
  }
}

/** A trial with its job, and as it is named in the store of annotations. */
export interface ReviewSubject extends Pick<LocatedTrial, "job" | "row"> {
  readonly subject: AnnotationSubject;
}

/** The trial as the store of annotations names it, with the outcome and reward of now. @throws NotFoundError */
export async function getReviewSubject(jobKey: string, trialKey: string): Promise<ReviewSubject> {
  const { job, row, trial, place } = await requireTrial(jobKey, trialKey);
  return {
    job,
    row,
    subject: {
      trialId: trial.id,
      jobUuid: trial.jobUuid ?? job.uuid,
      trialName: trial.trialName,
      jobName: job.name,
      rootLabel: place.root.label,
      taskName: trial.taskName,
      agent: trial.agent,
      model: trial.model,
      outcomeSeen: trial.outcome,
      rewardSeen: readReward(trial.rewards)?.text ?? null,
    },
  };
}

/**
 * Address of the trial to judge next: the one behind it in the list that is gone through. Without a list, the next finished
 * trial of the job that this reviewer has not reviewed, round to the start. Null when none is left.
 */
export async function getNextToReview(
  { jobKey, trialKey, list }: OpenTrial,
  reviewerId: string,
): Promise<string | null> {
  const { job, row } = await getReviewSubject(jobKey, trialKey);
  const store = await getStore();
  const inList = await readTrialInList(store, { job, row }, list);
  if (inList !== null)
    return inList.next && openTrialHref({ jobKey: inList.next.jobKey, trialKey: inList.next.key, list });
  const judged = (await getJudged(store)).byJob.get(job.rowId) ?? new Map();
  const next = await findUnreviewed(store, job, row.position, judged, reviewerId);
  return next === null ? null : trialHref(job.key, next);
}

/** Trials that are looked at together for one that is not reviewed. */
const READ_AHEAD = 200;

/** Key of the next finished trial behind a position, then from the start, that a reviewer has not reviewed; null when none is left. */
export async function findUnreviewed(
  store: IndexStore,
  job: JobHead,
  position: number,
  judged: JudgedOfJob,
  reviewerId: string,
): Promise<string | null> {
  const reviewerKey = computeReviewerKey(reviewerId);
  const isJudged = (key: string) =>
    judged.get(key)?.judgments.latest.some((one) => computeReviewerKey(one.reviewerId) === reviewerKey) ===
    true;
  const ranges = [
    { first: position + 1, end: null },
    { first: 0, end: position },
  ];
  for (const range of ranges) {
    let { first } = range;
    for (;;) {
      const trials = await readFinishedPlaces(store, job.rowId, { ...range, first }, READ_AHEAD);
      const last = trials.at(-1);
      if (last === undefined) break;
      const next = trials.find(({ key }) => !isJudged(key));
      if (next !== undefined) return next.key;
      first = last.position + 1;
    }
  }
  return null;
}

/** Counts the trials of a job that each reviewer has judged, by reviewer key. */
export function countReviewed(judged: JudgedOfJob): Record<string, number> {
  const latest = [...judged.values()].flatMap(({ judgments }) => judgments.latest);
  return Object.fromEntries(sumBy(latest, ({ reviewerId }) => computeReviewerKey(reviewerId)));
}
