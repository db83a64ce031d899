import type { Judgment } from "./judgment";
import type { Outcome } from "./trial";

/** A reviewer’s confidence in a judgment, in the order in which the key goes through them. Null is "not said". */
export const CONFIDENCES = ["low", "medium", "high"] as const;

export type Confidence = (typeof CONFIDENCES)[number];

/** What a piece of evidence points at. `artifact` is any file of the trial. */
export const ANCHOR_KINDS = ["step", "test", "dimension", "artifact"] as const;

export type AnchorKind = (typeof ANCHOR_KINDS)[number];

/** A place in a trial that a reviewer points at. Two anchors are the same when all but the quote is. */
export interface EvidenceAnchor {
  readonly kind: AnchorKind;
  /** Key of the step, name of the test or dimension, or path of the file relative to the trial's folder, with `/`. */
  readonly place: string;
  /** Of a step: the trace that holds it as the address of the trial names it; null for the one that is read first. */
  readonly source: string | null;
  /** Line within the step or file, from 1; null points at the whole. */
  readonly line: number | null;
  /** What stood there, cut to {@link EVIDENCE_LIMITS}; null where nothing was marked. */
  readonly quote: string | null;
}

/** Most anchors of one judgment, and longest texts of an anchor, in UTF-16 units. */
export const EVIDENCE_LIMITS = { anchors: 50, place: 1_000, source: 1_000, quote: 300 } as const;

/** Returns whether two anchors point at the same place, whatever stood there. */
export function isSameAnchor(a: EvidenceAnchor, b: EvidenceAnchor): boolean {
  return a.kind === b.kind && a.place === b.place && a.source === b.source && a.line === b.line;
}

/**
 * What a page may hide until a reviewer's own verdict is saved. `reviewers`: what others judged. `verifier`: reward, outcome,
 * tests and dimensions. `agent`: names of agent, model and job. `suggestions`: what others' categories and files suggest.
 */
export const BLIND_PARTS = ["reviewers", "verifier", "agent", "suggestions"] as const;

export type BlindPart = (typeof BLIND_PARTS)[number];

/** What a queue is made for. Its words lead the queue's page. */
export const QUEUE_GOALS = ["corrected-score", "failure-causes", "agreement", "other"] as const;

export type QueueGoal = (typeof QUEUE_GOALS)[number];

/**
 * How a queue's trials were chosen of those matching. `all`: the first ones in the order of the list. `selection`: by hand.
 * `random`: by chance. `stratified`: by chance within agent and verdict, as many of each as there are. `disagreements`: those
 * where reviewers differ from the verifier or each other. `flaky`: of tasks that the same agent solves sometimes.
 * `clusters`: one of each kind of failure. `planned`: where the next labels narrow the corrected score most.
 */
export const SAMPLE_METHODS = [
  "all",
  "selection",
  "random",
  "stratified",
  "disagreements",
  "flaky",
  "clusters",
  "planned",
] as const;

export type SampleMethod = (typeof SAMPLE_METHODS)[number];

/** Order in which a queue's trials are shown: as the list has them, or by chance. */
export const QUEUE_ORDERS = ["random", "list"] as const;

export type QueueOrder = (typeof QUEUE_ORDERS)[number];

/** One agent's trials with one verdict of the verifier, which trials of a queue were drawn from. */
export interface QueueStratum {
  readonly agent: string;
  readonly model: string | null;
  /** Whether these trials passed, see {@link readVerdict}. */
  readonly hasPassed: boolean;
  /** Trials that could have been drawn, and those that were. */
  readonly nTrials: number;
  readonly nDrawn: number;
}

/** How a queue was made. It never changes; a renamed or closed queue says so in its events. */
export interface QueueSettings {
  readonly name: string;
  readonly goal: QueueGoal;
  readonly method: SampleMethod;
  /** Seed of the draw; null where nothing was left to chance. */
  readonly seed: number | null;
  readonly order: QueueOrder;
  /** What it was made from, in words, and the address of that list; null for a selection. */
  readonly source: string;
  readonly sourceHref: string | null;
  /** Names of those who review it; empty for anybody. */
  readonly reviewers: readonly string[];
  /** Share of the trials that two reviewers judge, from 0 to 1. */
  readonly doubleShare: number;
  readonly hides: readonly BlindPart[];
  /** Whether reviewers only write notes, before there are categories. */
  readonly isOpenCoding: boolean;
  /** What the trials were drawn from, for their weights; empty where the draw looked at something else than agent and verdict. */
  readonly strata: readonly QueueStratum[];
}

/** Where a queue's trial stands with its reviewers. */
export const ITEM_STATES = ["todo", "waiting", "agreed", "conflict", "adjudicated", "contested"] as const;

/**
 * `todo`: nobody judged it. `waiting`: judged, and another review is to come. `agreed`: judged by as many as it needs, who agree.
 * `conflict`: they do not, and nobody decided. `adjudicated`: somebody did. `contested`: somebody left it open on purpose.
 */
export type ItemState = (typeof ITEM_STATES)[number];

/** On whose side a decision stands. */
export const DECISION_BASES = ["a", "b", "both", "own"] as const;

export type DecisionBasis = (typeof DECISION_BASES)[number];

/** Outcomes that say neither that the trial passed nor that it did not. */
const NO_VERDICT: ReadonlySet<Outcome> = new Set<Outcome>([
  "invalid",
  "running",
  "missing",
  "unreadable",
  "unscored",
]);

/**
 * Returns whether a trial counts as passed where it is compared with judgments; false also for one that errored, timed out or was
 * cancelled, whatever the verifier said of it, if anything; null for one without a result, with neither reward nor exception, or whose reward Harbor left out.
 */
export function readVerdict(outcome: Outcome): boolean | null {
  return NO_VERDICT.has(outcome) ? null : outcome === "passed";
}

/**
 * What a category may be offered for: a verdict that follows the reward, or one against it (`pass-against` is a pass of a trial
 * that the verifier did not pass).
 */
export const CATEGORY_CONTEXTS = ["pass", "fail", "defer", "pass-against", "fail-against"] as const;

export type CategoryContext = (typeof CATEGORY_CONTEXTS)[number];

/** Returns what categories are offered for a judgment of a trial. */
export function findContext(judgment: Judgment, outcome: Outcome): CategoryContext {
  const verdict = readVerdict(outcome);
  if (judgment === "defer" || verdict === null || verdict === (judgment === "pass")) return judgment;
  return judgment === "pass" ? "pass-against" : "fail-against";
}
