import "server-only";

import { getAnnotationStore, judgmentsByTrial, readHistory, suggestCategories } from "@/lib/annotations";
import type { CategorySuggestion, ReviewerChain } from "@/lib/annotations";
import { computeReviewerKey } from "@/lib/domain/annotation";
import type { AnnotationSubject, Judgment } from "@/lib/domain/annotation";
import { NotFoundError, StoreError } from "@/lib/domain/app-error";
import type { JobEntry } from "@/lib/domain/catalog";
import { selectHeadlineReward } from "@/lib/domain/trial";
import type { TrialRecord } from "@/lib/domain/trial";
import { trialHref } from "@/lib/format/href";
import { dumpPythonJson } from "@/lib/scoring";

import { getSnapshot } from "./catalog";

/** Everything the review panel of one trial shows. Plain data, so that it can go to the browser. */
export interface ReviewState {
  readonly jobKey: string;
  readonly trialKey: string;
  readonly subject: AnnotationSubject;
  /** Every reviewer's versions, the reviewer who acted last first. */
  readonly chains: readonly ReviewerChain[];
  readonly categories: Readonly<Record<Judgment, readonly CategorySuggestion[]>>;
  /** Finished trials of the job, and how many of them each reviewer has judged, by reviewer key. */
  readonly nTrials: number;
  readonly nReviewed: Readonly<Record<string, number>>;
  /** Why the store cannot be used, in a sentence; null when it can. The form still works and keeps its draft. */
  readonly problem: string | null;
}

const NO_CATEGORIES = { pass: [], fail: [], defer: [] } as const;

/**
 * The state of the review panel.
 *
 * @throws NotFoundError when no such trial is open
 */
export async function getReviewState(jobKey: string, trialKey: string): Promise<ReviewState> {
  const { entry, trial, subject } = await getReviewSubject(jobKey, trialKey);
  const finished = entry.trials.filter(({ state }) => state === "finished");
  const base = { jobKey, trialKey: trial.key, subject, nTrials: finished.length };
  try {
    const store = getAnnotationStore();
    return {
      ...base,
      chains: await readHistory(store, subject),
      categories: await suggestCategories(store, subject),
      nReviewed: await countReviewed(entry),
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ...base, chains: [], categories: NO_CATEGORIES, nReviewed: {}, problem: error.message };
  }
}

/**
 * The trial as it is named in the store, with the outcome and reward that the pages print now.
 *
 * @throws NotFoundError when no such trial is open
 */
export async function getReviewSubject(
  jobKey: string,
  trialKey: string,
): Promise<{ readonly entry: JobEntry; readonly trial: TrialRecord; readonly subject: AnnotationSubject }> {
  const snapshot = await getSnapshot();
  const entry = snapshot.jobs.find(({ job }) => job.key === jobKey);
  const trial = entry?.trials.find(({ key }) => key === trialKey);
  if (entry === undefined || trial === undefined) {
    throw new NotFoundError("This trial is not in the open folders any more.", {
      context: { jobKey, trialKey },
    });
  }
  const reward = selectHeadlineReward(trial.rewards);
  return {
    entry,
    trial,
    subject: {
      trialId: trial.id,
      jobId: trial.jobId ?? entry.job.id,
      trialName: trial.trialName,
      jobName: entry.job.name,
      rootLabel: snapshot.roots[entry.job.root]?.label ?? "",
      taskName: trial.taskName,
      agent: trial.agent,
      model: trial.model,
      outcomeSeen: trial.outcome,
      rewardSeen: reward === null ? null : dumpPythonJson(reward.value),
    },
  };
}

/**
 * Address of the next finished trial of the job that this reviewer has not judged, after the given one and round to
 * the start; null when none is left.
 */
export async function getNextUnreviewed(
  jobKey: string,
  trialKey: string,
  reviewerId: string,
): Promise<string | null> {
  const { entry, trial } = await getReviewSubject(jobKey, trialKey);
  const reviewerKey = computeReviewerKey(reviewerId);
  const judgments = await judgmentsByTrial(getAnnotationStore(), entry);
  const here = entry.trials.indexOf(trial);
  const order = [...entry.trials.slice(here + 1), ...entry.trials.slice(0, here)];
  const next = order.find(
    ({ key, state }) =>
      state === "finished" &&
      !judgments.get(key)?.latest.some((one) => computeReviewerKey(one.reviewerId) === reviewerKey),
  );
  return next === undefined ? null : trialHref(jobKey, next.key);
}

async function countReviewed(entry: JobEntry): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const judgments = await judgmentsByTrial(getAnnotationStore(), entry);
  for (const { latest } of judgments.values()) {
    for (const { reviewerId } of latest) {
      const key = computeReviewerKey(reviewerId);
      counts[key] = (counts[key] ?? 0) + 1;
    }
  }
  return counts;
}
