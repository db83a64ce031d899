import type { Judgment } from "./judgment";
import type { Outcome } from "./trial";

export const CONFIDENCES = ["low", "medium", "high"] as const;

export type Confidence = (typeof CONFIDENCES)[number];

export const ANCHOR_KINDS = ["step", "test", "dimension", "artifact"] as const;

export type AnchorKind = (typeof ANCHOR_KINDS)[number];

export interface EvidenceAnchor {
  readonly kind: AnchorKind;
  readonly place: string;
  readonly source: string | null;
  /** Line within the step or file, from 1; null is the whole. */
  readonly line: number | null;
  readonly quote: string | null;
}

/** Text lengths are in UTF-16 units. */
export const EVIDENCE_LIMITS = { anchors: 50, place: 1_000, source: 1_000, quote: 300 } as const;

export function isSameAnchor(a: EvidenceAnchor, b: EvidenceAnchor): boolean {
  return a.kind === b.kind && a.place === b.place && a.source === b.source && a.line === b.line;
}

/**
 * Parts that a page may hide until a reviewer's own verdict is saved. `reviewers`: others' judgments. `verifier`: reward, outcome,
 * tests and dimensions. `agent`: names of agent, model and job. `suggestions`: those from others' categories and files.
 */
export const BLIND_PARTS = ["reviewers", "verifier", "agent", "suggestions"] as const;

export type BlindPart = (typeof BLIND_PARTS)[number];

export const QUEUE_GOALS = ["corrected-score", "failure-causes", "agreement", "other"] as const;

export type QueueGoal = (typeof QUEUE_GOALS)[number];

/**
 * Sampling of a queue's trials. `all`: the first ones of the list. `selection`: by hand. `random`: at random. `stratified`: at
 * random within agent and verdict, equally many as far as available. `disagreements`: reviewers differ from the verifier or each
 * other. `flaky`: of tasks that the same agent solves sometimes. `clusters`: one of each kind of failure. `planned`: where the
 * next labels narrow the corrected score most.
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

export const QUEUE_ORDERS = ["random", "list"] as const;

export type QueueOrder = (typeof QUEUE_ORDERS)[number];

export interface QueueStratum {
  readonly agent: string;
  readonly model: string | null;
  readonly hasPassed: boolean;
  readonly nTrials: number;
  readonly nDrawn: number;
}

/** Never changes; renaming or closing a queue adds an event. */
export interface QueueSettings {
  readonly name: string;
  readonly goal: QueueGoal;
  readonly method: SampleMethod;
  /** Seed of the sample; null if nothing was random. */
  readonly seed: number | null;
  readonly order: QueueOrder;
  readonly source: string;
  readonly sourceHref: string | null;
  readonly reviewers: readonly string[];
  /** Share of the trials that two reviewers judge, from 0 to 1. */
  readonly doubleShare: number;
  readonly hides: readonly BlindPart[];
  readonly isOpenCoding: boolean;
  /** For weights; empty if the sample depended on anything but agent and verdict. */
  readonly strata: readonly QueueStratum[];
}

const ITEM_STATES = ["todo", "waiting", "agreed", "conflict", "adjudicated", "contested"] as const;

/**
 * `todo`: no judgment. `waiting`: judged, with another review to come. `agreed`: as many as needed judged it and agree.
 * `conflict`: they differ, without a decision. `adjudicated`: decided. `contested`: left open on purpose.
 */
export type ItemState = (typeof ITEM_STATES)[number];

export const DECISION_BASES = ["a", "b", "both", "own"] as const;

export type DecisionBasis = (typeof DECISION_BASES)[number];

const NO_VERDICT: ReadonlySet<Outcome> = new Set<Outcome>([
  "invalid",
  "running",
  "missing",
  "unreadable",
  "unscored",
]);

/**
 * Returns true if a trial counts as passed when compared with judgments. False also after an error, timeout or cancellation,
 * regardless of the verifier. Null without a result, with neither reward nor exception, or if Harbor left the reward out.
 */
export function readVerdict(outcome: Outcome): boolean | null {
  return NO_VERDICT.has(outcome) ? null : outcome === "passed";
}

/** A verdict that follows the reward, or one against it (`pass-against` is a pass of a trial that the verifier did not pass). */
export const CATEGORY_CONTEXTS = ["pass", "fail", "defer", "pass-against", "fail-against"] as const;

export type CategoryContext = (typeof CATEGORY_CONTEXTS)[number];

export function findContext(judgment: Judgment, outcome: Outcome): CategoryContext {
  const verdict = readVerdict(outcome);
  if (judgment === "defer" || verdict === null || verdict === (judgment === "pass")) return judgment;
  return judgment === "pass" ? "pass-against" : "fail-against";
}
