import "server-only";
import { type Annotation, type AnnotationSubject, computeReviewerKey } from "@/lib/core/domain/annotation";
import { NotFoundError, StoreError } from "@/lib/core/domain/app-error";
import { hasChanged, formatFingerprint, parseFingerprint } from "@/lib/core/domain/fingerprint";
import type { BlindPart } from "@/lib/core/domain/review";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { Outcome } from "@/lib/core/domain/trial";
import { readReward } from "@/lib/core/verification";
import { trialHref } from "@/lib/pages/address/href";
import { queueHref } from "@/lib/pages/annotations/review-address";
import { type OpenTrial, openTrialHref } from "@/lib/pages/trial/address";
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
} from "@/lib/people/annotations";
import { listLabels, settle } from "@/lib/people/labels/scope-trials";
import { readFingerprint, type IndexStore, type JobHead, readFinishedPlaces } from "@/lib/store/tables";

import { type QueueItemView, requireQueueItem } from "../queues/item";
import { getStore, getStoreOfJob } from "../shell/catalog";
import { readTrialInList } from "../trial/parts";
import { type LocatedTrial, requireTrial } from "../trial/locate";
import { getJudged, type JudgedOfJob } from "./judged";
import { listSplits, type Offers, readOffers, type SplitCategory } from "./offers";
import { getActor } from "./reviewer";

type ReviewProgress =
  /** `nTrials` counts finished trials; `nReviewed` is by reviewer key. */
  | { readonly kind: "job"; readonly nTrials: number; readonly nReviewed: Readonly<Record<string, number>> }
  | { readonly kind: "queue"; readonly nTrials: number; readonly nMine: number; readonly href: string };

interface SeenVerdict {
  readonly outcome: Outcome;
  readonly reward: string | null;
}

export interface ReviewState {
  readonly target: ReviewTarget;
  readonly at: OpenTrial;
  /** Browser storage key of the draft; names no agent. */
  readonly draftKey: string;
  readonly seen: SeenVerdict | null;
  readonly hidden: readonly BlindPart[];
  /** The current browser's own versions first, then the latest reviewer's; only own ones while other reviewers are hidden. */
  readonly judged: ShownChains;
  /** Null without a decision over differing reviewers, and while other reviewers are hidden. */
  readonly decision: Decision | null;
  readonly offers: Offers;
  readonly splits: readonly SplitCategory[];
  readonly progress: ReviewProgress;
  /** Version ids of current judgments whose result or trajectory changed since. */
  readonly stale: readonly string[];
  /** Keys of reviewers whose judgments the current user can change only as an admin. */
  readonly othersOfAdmin: readonly string[];
  /** Why the store cannot be used. The form still works and keeps its draft. */
  readonly problem: string | null;
}

/** @throws NotFoundError if the trial is not open */
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
    return {
      ...base,
      judged: limitChains([]),
      stale: [],
      decision: null,
      offers: { byJudgment: { pass: [], fail: [], defer: [] }, isOpenCoding: false },
      splits: [],
      progress: { kind: "job", nTrials: countFinished(reviewed), nReviewed: {} },
      othersOfAdmin: [],
      problem: error.message,
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
  // Must not identify the trial.
  const draftKey = `${head.queueId}/${String(position)}`;
  return { hidden, seen: hidden.includes("verifier") ? null : { outcome, reward }, draftKey };
}

/** An unknown fingerprint, then or now, is no change. */
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

/** Returns the last decision if reviewers differ and the page may show their judgments. */
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
 * Counts only what each reviewer saved for this queue, not their judgments elsewhere. While other reviewers are hidden, keeps only
 * chains with a version from this browser, because names prove nothing.
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
      // Undone versions would reveal what is hidden again.
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

interface ReviewSubject extends Pick<LocatedTrial, "job" | "row"> {
  readonly subject: AnnotationSubject;
  readonly item: QueueItemView | null;
  readonly fingerprint: string | null;
}

/** Returns the trial with its current outcome and reward. @throws NotFoundError */
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
    throw new NotFoundError("This trial is no longer in the open folders. Skip it, or open its folder.");
  return { jobKey: place.jobKey, trialKey: place.key };
}

/**
 * Returns the address of the next trial in the list. Without a list, returns the job's next finished trial that this reviewer has
 * not reviewed, wrapping around. Null if none is left.
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

const READ_AHEAD = 200;

/**
 * Returns the next finished trial that the reviewer has not reviewed, after `position` and wrapping around; null if none is left.
 */
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

export function countReviewed(judged: JudgedOfJob): Record<string, number> {
  const latest = [...judged.values()].flatMap(({ judgments }) => judgments.latest);
  return Object.fromEntries(sumBy(latest, ({ reviewerId }) => computeReviewerKey(reviewerId)));
}

export function nameSubject(
  trial: Pick<AnnotationSubject, "trialName" | "taskName" | "agent" | "model"> & {
    readonly id: string | null;
    readonly jobUuid: string | null;
    readonly outcome: Outcome;
    readonly rewardText: string | null;
  },
  job: { readonly uuid: string | null; readonly name: string } | null,
  rootLabel: string,
): AnnotationSubject {
  const { id, jobUuid, trialName, taskName, agent, model, outcome, rewardText } = trial;
  return {
    trialId: id,
    jobUuid: jobUuid ?? job?.uuid ?? null,
    trialName,
    jobName: job?.name ?? "",
    rootLabel,
    taskName,
    agent,
    model,
    outcomeSeen: outcome,
    rewardSeen: rewardText,
  };
}
