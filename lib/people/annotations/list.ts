import {
  type Annotation,
  disagreesWithVerifier,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import type { JobRecord } from "@/lib/core/domain/job";
import type { Judgment } from "@/lib/core/domain/judgment";
import { oncePer } from "@/lib/core/domain/once-per";
import type { ItemState } from "@/lib/core/domain/review";
import type { Trial } from "@/lib/core/domain/trial";

import { readCodebook } from "./codebook/verbs";
import { type Decision, readDecisions } from "./decisions/decisions";
import { describeUnreadableQueues, selectQueues } from "./queues/stored-queue";
import {
  type TrialAnnotations,
  type ReviewerChain,
  computeChains,
  groupByTrial,
  readJudgments,
  selectTrialEvents,
} from "./record";
import { type AnnotationStore, getAnnotationStore } from "./store";
import { describeUnreadable } from "./stored-columns";
import { readImportedTags } from "./tags/tags";
import { readSuggestionAnswers } from "./triage/answers";
import { readTriageNotes } from "./triage/notes";

export interface TrialJudgments {
  readonly latest: readonly Annotation[];
  readonly judgment: Judgment | "mixed";
  readonly isDecided: boolean;
  /** True if `judgment`, or any reviewer's if `mixed`, contradicts the outcome; see `disagreesWithVerifier`. */
  readonly disagrees: boolean;
}

export function groupByName(stored: readonly TrialAnnotations[]) {
  return Map.groupBy(stored, ({ subject }) => subject.trialName);
}

export function matchJudgments(
  byName: ReadonlyMap<string, readonly TrialAnnotations[]>,
  {
    job,
    trials,
  }: {
    readonly job: Pick<JobRecord, "uuid" | "name">;
    readonly trials: readonly Pick<Trial, "key" | "id" | "jobUuid" | "trialName" | "outcome">[];
  },
  findDecision: FindDecision,
): Map<string, TrialJudgments> {
  const judgments = new Map<string, TrialJudgments>();
  for (const trial of trials) {
    const { id: trialId, trialName } = trial;
    const identity = { trialId, jobUuid: trial.jobUuid ?? job.uuid, trialName, jobName: job.name };
    const latest = (byName.get(trialName) ?? [])
      .filter((candidate) => isSameTrial(candidate.subject, identity))
      .flatMap((candidate) => candidate.chains.flatMap((chain) => chain.current ?? []));
    if (latest.length === 0) continue;
    const said = latest.map(({ judgment }) => judgment);
    const { state, final } = settleJudgments(said, findDecision(identity), 1);
    judgments.set(trial.key, {
      latest,
      judgment: final ?? "mixed",
      isDecided: state === "adjudicated",
      disagrees: (final === null ? said : [final]).some((one) => disagreesWithVerifier(one, trial.outcome)),
    });
  }
  return judgments;
}

export type FindDecision = (trial: TrialIdentity) => Decision | null;

export function createDecisionFinder(decisions: readonly Decision[]): FindDecision {
  const byName = Map.groupBy(decisions, ({ subject }) => subject.trialName);
  return (subject) =>
    (byName.get(subject.trialName) ?? []).findLast((one) => isSameTrial(one.subject, subject)) ?? null;
}

export interface Settled {
  readonly state: ItemState;
  readonly final: Judgment | null;
}

/** Applies the evaluation contract: only equal judgments agree, and decisions count only over disagreement. */
export function settleJudgments(
  judgments: readonly Judgment[],
  decision: Pick<Decision, "finalJudgment"> | null,
  nReviewers: number,
): Settled {
  const [first] = judgments;
  if (first === undefined) return { state: "todo", final: null };
  if (judgments.some((judgment) => judgment !== first)) {
    if (decision === null) return { state: "conflict", final: null };
    return decision.finalJudgment === null
      ? { state: "contested", final: null }
      : { state: "adjudicated", final: decision.finalJudgment };
  }
  return { state: judgments.length < nReviewers ? "waiting" : "agreed", final: first };
}

export type ShownChains = ReturnType<typeof limitChains>;

/** Limits the JSON of the versions on one page. The longest valid judgment, with 50 quotes, has about 135,000 characters. */
const MOST_CHARACTERS = 150_000;
const MOST_CHAINS = 500;

/** Fits whole versions on a page: the viewer's own first, then current ones, then older ones. */
export function limitChains(all: readonly ReviewerChain[], ownIds: ReadonlySet<string> = new Set()) {
  const isOwn = (chain: ReviewerChain) => chain.versions.some(({ versionId }) => ownIds.has(versionId));
  const chains = ownIds.size === 0 ? all : all.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  const shown = chains.slice(0, MOST_CHAINS);
  const kept = selectFitting([
    ...shown.flatMap(({ current }) => current ?? []),
    ...shown.flatMap(({ versions }) => versions.filter(({ status }) => status !== "current")),
  ]);
  const nVersions = all.reduce((sum, { versions }) => sum + versions.length, 0);
  return {
    chains: shown.map((chain) => {
      const isCurrentHidden = chain.current !== null && !kept.has(chain.current);
      return {
        ...chain,
        current: isCurrentHidden ? null : chain.current,
        versions: chain.versions.filter((version) => kept.has(version)),
        isCurrentHidden,
      };
    }),
    nReviewers: all.length,
    nVersions,
    nHidden: nVersions - kept.size,
  };
}

function selectFitting(versions: readonly Annotation[]): ReadonlySet<Annotation> {
  const kept = new Set<Annotation>();
  let left = MOST_CHARACTERS;
  for (const version of versions) {
    const { length } = JSON.stringify(version);
    if (length > left) continue;
    left -= length;
    kept.add(version);
  }
  return kept;
}

export function readHistory(store: AnnotationStore, trial: TrialIdentity): Promise<ReviewerChain[]> {
  return store.read([], async (db) => computeChains(await selectTrialEvents(db, trial)));
}

export async function listAll(store: AnnotationStore): Promise<readonly TrialAnnotations[]> {
  return (await readEverything(store)).trials;
}

export type StoredAnnotations = Awaited<ReturnType<typeof readEverything>>;

export async function readEverything(store: AnnotationStore) {
  const stored = await readJudgments(store);
  return { ...stored, trials: listTrials(stored.events) };
}

const listTrials = oncePer(groupByTrial);

/** Grows with every event of any process; 0 if empty, null if unreadable. */
export async function readAnnotationsVersion(store: AnnotationStore = getAnnotationStore()) {
  try {
    return await store.read(0, async (db) => {
      const last = db.selectFrom("statement").select(({ fn }) => fn.max<number | null>("seq").as("seq"));
      return (await last.executeTakeFirstOrThrow()).seq ?? 0;
    });
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** Returns the count and any problem. Never throws a StoreError, so that the page frame renders. */
export async function readAnnotationsState(store: AnnotationStore = getAnnotationStore()) {
  try {
    const { trials, unreadable } = await readEverything(store);
    const nCurrent = trials.reduce(
      (sum, { chains }) => sum + chains.filter(({ current }) => current !== null).length,
      0,
    );
    const others = [
      describeUnreadable(store.place, (await readDecisions(store)).unreadable, "decision"),
      await store.read(null, async (db) => describeUnreadableQueues((await selectQueues(db)).unreadable)),
    ].filter((problem) => problem !== null);
    const problem =
      describeUnreadable(store.place, await store.readDamage()) ??
      describeUnreadable(store.place, unreadable) ??
      (await readCodebook(store)).problem ??
      (await readTriageNotes(store)).problem ??
      (await readSuggestionAnswers(store)).problem ??
      (await readImportedTags(store)).problem ??
      (others.join(" ") || null);
    return { nCurrent, problem, isDamaged: false };
  } catch (error) {
    if (error instanceof StoreError)
      return { nCurrent: null, problem: error.message, isDamaged: error.code === "store_corrupt" };
    throw error;
  }
}
