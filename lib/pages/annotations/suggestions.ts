import "server-only";
import { isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import { unlessUnreadable, ForbiddenError } from "@/lib/core/domain/app-error";
import { nameSuggester, type Suggestion } from "@/lib/core/domain/suggestion";
import {
  type AnnotationStore,
  getAnnotationStore,
  readSuggestionAnswers,
  readTrialTags,
  type ReviewTarget,
  type StandingAnswer,
} from "@/lib/people/annotations";
import { type IndexStore, readMachineTags, readTrialFailure, type RowPlace } from "@/lib/store/tables";

import { getStore } from "../shell/catalog";
import type { TrialPage } from "../trial/page";
import { getPlacedTags } from "./judged";
import { getReviewSubject } from "./review";
import { getActor, getReviewer } from "./reviewer";

export type TrialAnswers = NonNullable<Awaited<ReturnType<typeof getTrialAnswers>>>;

/** Returns null while a queue hides anything, and if the store cannot be read. */
export async function getTrialAnswers(page: Pick<TrialPage, "hidden" | "trial" | "job" | "queueItem">) {
  const { hidden, trial, job, queueItem } = page;
  if (hidden.length > 0) return null;
  const identity = {
    trialId: trial.id,
    jobUuid: trial.jobUuid ?? job.uuid,
    trialName: trial.trialName,
    jobName: job.name,
  };
  const [{ reviewerKey }, { browserKeyHash }] = await Promise.all([getReviewer(), getActor()]);
  const own = { reviewerKey, browserKeyHash };
  const said = await unlessUnreadable(() => readTrialAnswers(getAnnotationStore(), identity, own), null);
  if (said === null) return null;
  const target: ReviewTarget =
    queueItem === null
      ? { kind: "trial", jobKey: job.key, trialKey: trial.key, list: null }
      : { kind: "item", queueId: queueItem.head.queueId, position: queueItem.position };
  return { target, ...said };
}

export async function readTrialAnswers(
  store: AnnotationStore,
  identity: TrialIdentity,
  own: Pick<StandingAnswer, "reviewerKey" | "browserKeyHash">,
) {
  const [{ standing }, tags] = await Promise.all([
    readSuggestionAnswers(store),
    readTrialTags(store, identity),
  ]);
  const answers = standing
    .filter(({ trial }) => isSameTrial(trial, identity))
    .map(({ suggester, version, reviewerId, reviewerKey, browserKeyHash, answer }) => ({
      suggester,
      version,
      reviewerId,
      answer,
      // By the current reviewer from this browser.
      isOwn:
        reviewerKey === own.reviewerKey && (browserKeyHash === null || browserKeyHash === own.browserKeyHash),
    }))
    .toSorted((a, b) => (a.reviewerId < b.reviewerId ? -1 : 1));
  return { answers, imported: tags.map(({ trial: _, ...tag }) => tag) };
}

export async function readTrialSuggestions(
  store: IndexStore,
  place: RowPlace,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<readonly Suggestion[]> {
  const [failure, inFiles, placed] = await Promise.all([
    readTrialFailure(store, place.jobRowId, place.position),
    readMachineTags(store, place),
    getPlacedTags(store, annotations),
  ]);
  const isHere = ({ jobRowId, position }: RowPlace) =>
    jobRowId === place.jobRowId && position === place.position;
  const tags = [...inFiles, ...placed.filter(isHere)];
  const rules =
    failure?.rule == null ? [] : [{ kind: "rule", id: failure.rule, version: failure.failureClass } as const];
  return [...rules, ...tags].map(({ kind, id, version }) => ({
    suggester: nameSuggester(kind, id),
    version,
  }));
}

export async function getSuggestionSubject(target: ReviewTarget) {
  const { subject, item, job, row } = await getReviewSubject(target);
  if (item !== null && item.hidden.length > 0)
    throw new ForbiddenError("Judge this trial first. Machine suggestions are hidden until then.");
  const place = { jobRowId: job.rowId, position: row.position };
  return { subject, suggestions: await readTrialSuggestions(await getStore(), place) };
}
