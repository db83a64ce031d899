import "server-only";

import {
  type AnnotationStore,
  getAnnotationStore,
  readSuggestionAnswers,
  type ReviewTarget,
} from "@/lib/annotations";
import { type AnnotationSubject, isSameTrial, type TrialIdentity } from "@/lib/domain/annotation";
import { ForbiddenError, StoreError } from "@/lib/domain/app-error";
import { nameSuggester, type Suggestion, type SuggestionAnswer } from "@/lib/domain/suggestion";
import { type IndexStore, readMachineTags, readTrialFailure, type RowPlace } from "@/lib/store";

import { getStore } from "../shell/catalog";
import type { TrialPage } from "../trial/page";
import { getReviewer } from "./reviewer";
import { getReviewSubject } from "./review";

/** What one reviewer says of a suggestion on the open trial. */
export interface ShownAnswer extends Suggestion {
  readonly reviewerId: string;
  readonly answer: SuggestionAnswer;
  /** Whether this browser's reviewer said it. */
  readonly isOwn: boolean;
}

/** The open trial's suggestions as they are answered. */
export interface TrialAnswers {
  readonly target: ReviewTarget;
  /** By name of the reviewer. */
  readonly answers: readonly ShownAnswer[];
}

/** What reviewers say of the suggestions on a trial; null while a queue hides anything of it, and when the store cannot be read. */
export async function getTrialAnswers(
  page: Pick<TrialPage, "hidden" | "trial" | "job" | "queueItem">,
): Promise<TrialAnswers | null> {
  const { hidden, trial, job, queueItem } = page;
  if (hidden.length > 0) return null;
  const identity = {
    trialId: trial.id,
    jobUuid: trial.jobUuid ?? job.uuid,
    trialName: trial.trialName,
    jobName: job.name,
  };
  const { reviewerKey } = await getReviewer();
  const answers = await readTrialAnswers(getAnnotationStore(), identity, reviewerKey);
  if (answers === null) return null;
  const target: ReviewTarget =
    queueItem === null
      ? { kind: "trial", jobKey: job.key, trialKey: trial.key, list: null }
      : { kind: "item", queueId: queueItem.head.queueId, position: queueItem.position };
  return { target, answers };
}

async function readTrialAnswers(
  store: AnnotationStore,
  identity: TrialIdentity,
  ownKey: string,
): Promise<readonly ShownAnswer[] | null> {
  try {
    const { standing } = await readSuggestionAnswers(store);
    return standing
      .filter(({ trial }) => isSameTrial(trial, identity))
      .map(({ suggester, version, reviewerId, reviewerKey, answer }) => ({
        suggester,
        version,
        reviewerId,
        answer,
        isOwn: reviewerKey === ownKey,
      }))
      .toSorted((a, b) => (a.reviewerId < b.reviewerId ? -1 : 1));
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** What machines suggest of a trial now. */
export async function readTrialSuggestions(
  store: IndexStore,
  place: RowPlace,
): Promise<readonly Suggestion[]> {
  const [failure, tags] = await Promise.all([
    readTrialFailure(store, place.jobRowId, place.position),
    readMachineTags(store, place),
  ]);
  const rule =
    failure === null || failure.rule === null
      ? []
      : [{ suggester: nameSuggester("rule", failure.rule), version: failure.failureClass }];
  return [...rule, ...tags.map(({ kind, id, version }) => ({ suggester: nameSuggester(kind, id), version }))];
}

/** The trial of a target that is shown whole, and what machines suggest of it. @throws NotFoundError; ForbiddenError while a queue hides anything */
export async function getSuggestionSubject(
  target: ReviewTarget,
): Promise<{ readonly subject: AnnotationSubject; readonly suggestions: readonly Suggestion[] }> {
  const { subject, item, job, row } = await getReviewSubject(target);
  if (item !== null && item.hidden.length > 0)
    throw new ForbiddenError("Judge this trial first: what machines say of it is hidden until then.");
  const place = { jobRowId: job.rowId, position: row.position };
  return { subject, suggestions: await readTrialSuggestions(await getStore(), place) };
}
