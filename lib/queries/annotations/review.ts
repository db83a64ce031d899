import "server-only";

import {
  type Decision,
  getAnnotationStore,
  limitChains,
  listDecisions,
  listOthersOfAdmin,
  readCodebook,
  type ReviewTarget,
  type ReviewerChain,
  readHistory,
  readOwnIds,
  type ShownChains,
} from "@/lib/annotations";
import { type Annotation, type AnnotationSubject } from "@/lib/domain/annotation";
import { NotFoundError, StoreError } from "@/lib/domain/app-error";
import { hasChanged, formatFingerprint, parseFingerprint } from "@/lib/domain/fingerprint";
import type { BlindPart } from "@/lib/domain/review";
import type { Outcome } from "@/lib/domain/trial";
import { trialHref } from "@/lib/addresses/href";
import { queueHref } from "@/lib/addresses/review";
import { type OpenTrial, openTrialHref } from "@/lib/addresses/trial";
import { listLabels, settle } from "@/lib/labels/scope-trials";
import { readFingerprint } from "@/lib/store";
import { readReward } from "@/lib/verification";

import { getStore, getStoreOfJob } from "../shell/catalog";
import { readTrialInList } from "../trial/list";
import { type LocatedTrial, requireTrial } from "../trial/locate";
import { getActor } from "./actor";
import { getJudged } from "./judged";
import { listSplits, type Offers, readOffers, type SplitCategory } from "./offers";
import { type QueueItemView, requireQueueItem } from "./queue-item";
import { nameSubject } from "./subject";
import { countReviewed, findUnreviewed } from "./unreviewed";

/** How far a reviewer is, in what is gone through. */
export type ReviewProgress =
  /** Finished trials of the job, and how many of them each reviewer has judged, by reviewer key. */
  | { readonly kind: "job"; readonly nTrials: number; readonly nReviewed: Readonly<Record<string, number>> }
  | { readonly kind: "queue"; readonly nTrials: number; readonly nMine: number; readonly href: string };

/** What the verifier said, as the page prints it beside the form. */
export interface SeenVerdict {
  readonly outcome: Outcome;
  readonly reward: string | null;
}

/** Everything the review panel of one trial shows. Plain data, so that it can go to the browser. */
export interface ReviewState {
  readonly target: ReviewTarget;
  /** What links of evidence are built from. */
  readonly at: OpenTrial;
  /** What a draft is kept under in the browser; names no agent. */
  readonly draftKey: string;
  /** Null while the verifier is hidden. */
  readonly seen: SeenVerdict | null;
  readonly hidden: readonly BlindPart[];
  /** Reviewers' versions, the asking browser's own first, then the reviewer who acted last; one's own alone while others are hidden. */
  readonly judged: ShownChains;
  /** What somebody decided over reviewers who differ; null where they agree, nobody did, or other reviewers are hidden. */
  readonly decision: Decision | null;
  readonly offers: Offers;
  /** Categories of the judgments that count and are shown, where they were split since. */
  readonly splits: readonly SplitCategory[];
  readonly progress: ReviewProgress;
  /** Ids of the judgments that count and were made of other files: result or trajectory changed since. */
  readonly stale: readonly string[];
  /** Keys of the reviewers whose judgments whoever asks can change as an admin alone, and not as their own. */
  readonly othersOfAdmin: readonly string[];
  /** Why the store cannot be used, in a sentence; null when it can. The form still works and keeps its draft. */
  readonly problem: string | null;
}

const NO_OFFERS: Offers = { byJudgment: { pass: [], fail: [], defer: [] }, isOpenCoding: false };

/** The state of the review panel. @throws NotFoundError when no such trial is open */
export async function getReviewState(target: ReviewTarget): Promise<ReviewState> {
  const reviewed = await getReviewSubject(target);
  const { subject, item } = reviewed;
  const base = { target, at: openAt(target), ...describeSeen(reviewed) };
  try {
    const [store, actor] = [getAnnotationStore(), await getActor()];
    const [history, ownIds, offers, progress, othersOfAdmin, decisions, codebook] = await Promise.all([
      readHistory(store, subject),
      readOwnIds(store, subject.trialName, actor),
      readOffers(store, subject, base.hidden),
      readProgress(reviewed),
      listOthersOfAdmin(store, subject, actor),
      listDecisions(store, subject),
      readCodebook(store),
    ]);
    const chains = item === null ? history : selectQueueChains(history, item, ownIds);
    const isOpenCoding = offers.isOpenCoding || item?.head.settings.isOpenCoding === true;
    return {
      ...base,
      judged: limitChains(chains, ownIds),
      stale: listStale(chains, reviewed.fingerprint),
      decision: selectDecision(decisions, chains, base.hidden),
      offers: { ...offers, isOpenCoding },
      splits: listSplits(
        codebook,
        chains.flatMap(({ current }) => current ?? []),
      ),
      progress,
      othersOfAdmin,
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { message: problem } = error;
    const progress = { kind: "job", nTrials: countFinished(reviewed), nReviewed: {} } as const;
    return {
      ...base,
      judged: limitChains([]),
      stale: [],
      decision: null,
      offers: NO_OFFERS,
      splits: [],
      progress,
      othersOfAdmin: [],
      problem,
    };
  }
}

function describeSeen({
  job,
  subject,
  item,
}: ReviewSubject): Pick<ReviewState, "hidden" | "seen" | "draftKey"> {
  const { outcomeSeen: outcome, rewardSeen: reward, trialId, trialName } = subject;
  if (item === null)
    return { hidden: [], seen: { outcome, reward }, draftKey: `${trialId ?? job.key}/${trialName}` };
  const { head, position, hidden } = item;
  // Names nothing of the trial.
  const draftKey = `${head.queueId}/${String(position)}`;
  return { hidden, seen: hidden.includes("verifier") ? null : { outcome, reward }, draftKey };
}

/** What is not known of the files, then or now, is no change. */
function listStale(chains: readonly ReviewerChain[], fingerprint: string | null): readonly string[] {
  const now = parseFingerprint(fingerprint);
  return chains.flatMap(({ current }) =>
    current !== null && hasChanged(parseFingerprint(current.fingerprint), now) ? [current.versionId] : [],
  );
}

async function readProgress(reviewed: ReviewSubject): Promise<ReviewProgress> {
  const { item, job } = reviewed;
  if (item !== null) {
    const { head, nItems, nMine } = item;
    return { kind: "queue", nTrials: nItems, nMine, href: queueHref(head.queueId) };
  }
  const { byJob } = await getJudged(await getStoreOfJob(job.key));
  const nReviewed = countReviewed(byJob.get(job.rowId) ?? new Map());
  return { kind: "job", nTrials: countFinished(reviewed), nReviewed };
}

function countFinished({ job }: ReviewSubject): number {
  return job.groups.reduce((sum, { nFinished }) => sum + nFinished, 0);
}

/** The decision that counts: the last one, over reviewers who differ, where the page may say what they judged. */
function selectDecision(
  decisions: readonly Decision[],
  chains: readonly ReviewerChain[],
  hidden: readonly BlindPart[],
): Decision | null {
  const decision = decisions.at(-1) ?? null;
  const { state } = settle(listLabels(chains), decision, 1);
  const counts = state === "adjudicated" || state === "contested";
  return counts && !hidden.includes("reviewers") ? decision : null;
}

export function openAt(target: ReviewTarget): OpenTrial {
  if (target.kind === "trial") return { ...target, queue: null };
  const { queueId, position } = target;
  return { jobKey: "", trialKey: "", list: null, queue: { queueId, position } };
}

/**
 * Chains as a queue sees them: of each reviewer what was saved for the queue counts, and nothing does where that is still to come,
 * whatever they judged elsewhere. While others are hidden only what this browser saved is there: names prove nothing.
 */
function selectQueueChains(
  history: readonly ReviewerChain[],
  { head: { queueId }, hidden }: QueueItemView,
  ownIds: ReadonlySet<string>,
): readonly ReviewerChain[] {
  const isHidden = hidden.includes("reviewers");
  return history
    .filter(({ versions }) => !isHidden || versions.some(({ versionId }) => ownIds.has(versionId)))
    .map((chain) => {
      // What was undone says of its trial what is hidden again.
      const versions = hidden.length === 0 ? chain.versions : chain.versions.map(hideSubject);
      const isOfQueue = ({ status, queue }: Annotation) =>
        status !== "withdrawn" && queue?.queueId === queueId;
      return { ...chain, versions, current: versions.find(isOfQueue) ?? null };
    });
}

function hideSubject(version: Annotation): Annotation {
  const nothing = { jobName: "", rootLabel: "", agent: "", model: null, rewardSeen: null } as const;
  return { ...version, subject: { ...version.subject, ...nothing, outcomeSeen: "unscored" } };
}

/** A trial with its job, and as it is named in the store of annotations. */
export interface ReviewSubject extends Pick<LocatedTrial, "job" | "row"> {
  readonly subject: AnnotationSubject;
  /** Of a queue; null outside of queues. */
  readonly item: QueueItemView | null;
  /** What its files hold, as the index knows it; null where it is not known. */
  readonly fingerprint: string | null;
}

/** The trial as the store of annotations names it, with the outcome and reward of now. @throws NotFoundError */
export async function getReviewSubject(target: ReviewTarget): Promise<ReviewSubject> {
  const item = target.kind === "item" ? await requireQueueItem(target.queueId, target.position) : null;
  const keys = target.kind === "trial" ? target : readKeys(item);
  const { job, row, trial, place } = await requireTrial(keys.jobKey, keys.trialKey);
  const fingerprint = await readFingerprint(await getStoreOfJob(job.key), job.rowId, trial.key);
  return {
    job,
    row,
    item,
    fingerprint: fingerprint && formatFingerprint(fingerprint),
    subject: nameSubject(
      { ...trial, rewardText: readReward(trial.rewards)?.text ?? null },
      job,
      place.root.label,
    ),
  };
}

function readKeys(item: QueueItemView | null): { readonly jobKey: string; readonly trialKey: string } {
  const place = item?.place ?? null;
  if (place === null)
    throw new NotFoundError(
      "This trial is in none of the open folders any more. Skip it, or open its folder.",
    );
  return { jobKey: place.jobKey, trialKey: place.key };
}

/**
 * Address of the trial to judge next: the one behind it in the list that is gone through. Without a list, the next finished
 * trial of the job that this reviewer has not reviewed, round to the start. Null when none is left.
 */
export async function getNextToReview(
  target: Extract<ReviewTarget, { kind: "trial" }>,
  reviewerId: string,
): Promise<string | null> {
  const { job, row } = await getReviewSubject(target);
  const { list } = target;
  const store = await getStoreOfJob(job.key);
  const inList = await readTrialInList(store, { job, row }, list, await getStore());
  if (inList !== null)
    return (
      inList.next &&
      openTrialHref({ jobKey: inList.next.jobKey, trialKey: inList.next.key, list, queue: null })
    );
  const judged = (await getJudged(store)).byJob.get(job.rowId) ?? new Map();
  const next = await findUnreviewed(store, job, row.position, judged, reviewerId);
  return next === null ? null : trialHref(job.key, next);
}
