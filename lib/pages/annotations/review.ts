import "server-only";
import { type Annotation, type AnnotationSubject, computeReviewerKey } from "@/lib/core/domain/annotation";
import { NotFoundError, StoreError } from "@/lib/core/domain/app-error";
import { type Category, foldLabel, listOffered } from "@/lib/core/domain/codebook";
import { hasChanged, formatFingerprint, parseFingerprint } from "@/lib/core/domain/fingerprint";
import type { Judgment } from "@/lib/core/domain/judgment";
import { oncePer } from "@/lib/core/domain/once-per";
import { type BlindPart, CATEGORY_CONTEXTS, findContext } from "@/lib/core/domain/review";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { Outcome } from "@/lib/core/domain/trial";
import { readReward } from "@/lib/core/verification";
import { trialHref } from "@/lib/pages/address/href";
import { queueHref } from "@/lib/pages/annotations/review-address";
import { type OpenTrial, openTrialHref } from "@/lib/pages/trial/address";
import {
  type AnnotationStore,
  type CodebookHistory,
  followMerges,
  listAll,
  readCodebook,
  mapForward,
  resolveLabel,
  type Decision,
  getAnnotationStore,
  limitChains,
  listDecisions,
  listOthersOfAdmin,
  type ReviewTarget,
  type ReviewerChain,
  readHistory,
  readOwnIds,
} from "@/lib/people/annotations";
import { listLabels, settle } from "@/lib/people/labels/draws";
import { readFingerprint, type IndexStore, type JobHead, readFinishedPlaces } from "@/lib/store/tables";

import { type QueueItemView, requireQueueItem } from "../queues/item";
import { getStore, getStoreOfJob } from "../shell/catalog";
import { requireTrial } from "../trial/locate";
import { readTrialInList } from "../trial/parts";
import { getJudged, type JudgedOfJob } from "./judged";
import { getActor } from "./reviewer";

export interface OfferedCategory extends Pick<
  Category,
  "label" | "key" | "definition" | "example" | "counterExample" | "colour"
> {
  /** Other trials of the task where reviewers used it; 0 while hidden. */
  readonly nOfTask: number;
}

export interface SplitCategory {
  readonly label: string;
  readonly into: readonly string[];
}

const MOST_OFFERED = 14;

/** While the verifier is hidden, offers must not tell a failed trial from a passed one. */
export async function readOffers(
  store: AnnotationStore,
  subject: AnnotationSubject,
  hidden: readonly BlindPart[],
) {
  const history = await readCodebook(store);
  const { codebook } = history;
  const uses = hidden.includes("suggestions")
    ? new Map<string, number>()
    : await countUses(store, history, subject);
  const isVerifierHidden = hidden.includes("verifier");
  const offer = (judgment: Judgment): readonly OfferedCategory[] => {
    const context = findContext(judgment, subject.outcomeSeen);
    const contexts = isVerifierHidden
      ? CATEGORY_CONTEXTS.filter((one) => one === judgment || one === `${judgment}-against`)
      : [context];
    const offered = new Set(contexts.flatMap((one) => listOffered(codebook, one)));
    return [...offered]
      .slice(0, MOST_OFFERED)
      .map((category) => toOffer(category, uses.get(category.id) ?? 0));
  };
  const byJudgment = { pass: offer("pass"), fail: offer("fail"), defer: offer("defer") };
  return { byJudgment, isOpenCoding: codebook.isOpenCoding };
}

export async function searchCategories(store: AnnotationStore, text: string) {
  const { codebook } = await readCodebook(store);
  const sought = foldLabel(text);
  const live = codebook.categories.filter(({ state }) => state === "live");
  const rank = (category: Category) => {
    const { label, text: said } = foldTexts(category);
    if (label.startsWith(sought)) return 0;
    if (label.includes(sought)) return 1;
    return said.includes(sought) ? 2 : null;
  };
  return live
    .flatMap((category) => {
      const at = rank(category);
      return at === null ? [] : [{ category, at }];
    })
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MOST_FOUND)
    .map(({ category }) => toOffer(category, 0));
}

const MOST_FOUND = 12;

/** Keyed by category, which is a new object after each change. */
const foldTexts = oncePer(({ label, definition, example }: Category) => ({
  label: foldLabel(label),
  text: foldLabel(`${definition} ${example}`),
}));

export function describeCategories({ codebook }: CodebookHistory, labels: readonly string[]) {
  const byLabel = new Map(codebook.categories.map((category) => [category.label, category]));
  const bare = { key: null, definition: "", example: "", counterExample: "", colour: null };
  return labels.map((label) => toOffer(byLabel.get(label) ?? { ...bare, label }, 0));
}

export function listSplits(
  history: CodebookHistory,
  judgments: readonly Pick<Annotation, "categories" | "codebookVersion">[],
): readonly SplitCategory[] {
  const splits = judgments.flatMap(({ categories, codebookVersion }) =>
    categories.flatMap((label): readonly SplitCategory[] => {
      const category = resolveLabel(history, label, codebookVersion);
      if (category?.state !== "split") return [];
      const parts = category.successors.flatMap((id) => followMerges(history.byId, id) ?? []);
      return [{ label, into: parts.filter(({ state }) => state === "live").map((part) => part.label) }];
    }),
  );
  return [...new Map(splits.map((one) => [one.label, one])).values()];
}

function toOffer(
  { label, key, definition, example, counterExample, colour }: Omit<OfferedCategory, "nOfTask">,
  nOfTask: number,
): OfferedCategory {
  return { label, key, definition, example, counterExample, colour, nOfTask };
}

/** Counts other trials of the task by category id of their current judgments. */
async function countUses(
  store: AnnotationStore,
  history: CodebookHistory,
  { taskName, trialName }: AnnotationSubject,
): Promise<ReadonlyMap<string, number>> {
  const others = (await listAll(store)).filter(
    ({ subject }) => subject.taskName === taskName && subject.trialName !== trialName,
  );
  const uses = others.flatMap(({ chains }) => {
    const current = chains.flatMap((chain) => chain.current ?? []);
    return [...new Set(current.flatMap((one) => mapForward(history, one).flatMap(({ id }) => id ?? [])))];
  });
  return sumBy(uses, (id) => id);
}

type ReviewProgress =
  /** `nTrials` counts finished trials; `nReviewed` is by reviewer key. */
  | { readonly kind: "job"; readonly nTrials: number; readonly nReviewed: Readonly<Record<string, number>> }
  | { readonly kind: "queue"; readonly nTrials: number; readonly nMine: number; readonly href: string };

export type ReviewState = Awaited<ReturnType<typeof getReviewState>>;

export async function getReviewState(target: ReviewTarget) {
  const reviewed = await getReviewSubject(target);
  const base = { target, at: openAt(target), ...describeSeen(reviewed) };
  const failure: { problem: string | null } = { problem: null };
  const state = await readState(reviewed, base.hidden).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
    // The form still works and keeps its draft.
    failure.problem = error.message;
    return describeNothing(reviewed);
  });
  return { ...base, ...state, ...failure };
}

async function readState(reviewed: ReviewSubject, hidden: readonly BlindPart[]) {
  const { subject, item } = reviewed;
  const [store, actor] = [getAnnotationStore(), await getActor()];
  const [history, ownIds, offers, progress, othersOfAdmin, decisions, codebook] = await Promise.all([
    readHistory(store, subject),
    readOwnIds(store, subject.trialName, actor),
    readOffers(store, subject, hidden),
    readProgress(reviewed),
    listOthersOfAdmin(store, subject, actor),
    listDecisions(store, subject),
    readCodebook(store),
  ]);
  const chains = item === null ? history : selectQueueChains(history, item, ownIds);
  const current = chains.flatMap((chain) => chain.current ?? []);
  const isOpenCoding = offers.isOpenCoding || item?.head.settings.isOpenCoding === true;
  return {
    // The current browser's own versions first; only own ones while other reviewers are hidden.
    judged: limitChains(chains, ownIds),
    stale: listStale(chains, reviewed.fingerprint),
    decision: selectDecision(decisions, chains, hidden),
    offers: { ...offers, isOpenCoding },
    splits: listSplits(codebook, current),
    progress,
    othersOfAdmin,
  };
}

function describeNothing(reviewed: ReviewSubject): Awaited<ReturnType<typeof readState>> {
  return {
    ...{ judged: limitChains([]), stale: [], decision: null, splits: [], othersOfAdmin: [] },
    offers: { byJudgment: { pass: [], fail: [], defer: [] }, isOpenCoding: false },
    progress: { kind: "job", nTrials: countFinished(reviewed), nReviewed: {} },
  };
}

/** The key of the draft in the browser's storage must not identify a trial of a queue. */
function describeSeen({ job, subject, item }: ReviewSubject) {
  const { outcomeSeen: outcome, rewardSeen: reward, trialId, trialName } = subject;
  const hidden = item?.hidden ?? [];
  return {
    hidden,
    seen: hidden.includes("verifier") ? null : { outcome, reward },
    draftKey:
      item === null ? `${trialId ?? job.key}/${trialName}` : `${item.head.queueId}/${String(item.position)}`,
  };
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

type ReviewSubject = Awaited<ReturnType<typeof getReviewSubject>>;

export async function getReviewSubject(target: ReviewTarget) {
  const item = target.kind === "item" ? await requireQueueItem(target.queueId, target.position) : null;
  const keys = target.kind === "trial" ? target : readKeys(item);
  const { job, row, trial, place } = await requireTrial(keys.jobKey, keys.trialKey);
  const fingerprint = await readFingerprint(await getStoreOfJob(job.key), job.rowId, trial.key);
  const rewardText = readReward(trial.rewards)?.text ?? null;
  const subject = nameSubject({ ...trial, rewardText }, job, place.root.label);
  return { job, row, item, fingerprint: fingerprint && formatFingerprint(fingerprint), subject };
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
export async function getNextToReview(target: Extract<ReviewTarget, { kind: "trial" }>, reviewerId: string) {
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
  for (const { first: begin, end } of ranges) {
    for (let first: number | undefined = begin; first !== undefined;) {
      const trials = await readFinishedPlaces(store, job.rowId, { first, end }, READ_AHEAD);
      const next = trials.find(({ key }) => !isJudged(key));
      if (next !== undefined) return next.key;
      const last = trials.at(-1);
      first = last && last.position + 1;
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
