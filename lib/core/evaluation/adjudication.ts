import { z } from "zod";

import { compareCodePoints } from "@/lib/core/scoring";

import { Fault } from "./fault";
import { fieldOf, listOf, oneOf, orNull, required, runSchema, withDefault, type Field } from "./fields";
import { readJsonInput, readObject, readObjects } from "./json-input";
import { type ConfidenceMetadata, filledText } from "./models";
import { readFilledText, readFlag, readText } from "./read-scalar";
import { getLeniency } from "./strictness";
import type { Judgment, Parsed } from "./types";

/** The fields of an annotation that adjudication reads; null where the annotation lacks one. */
export interface JudgedTrial {
  readonly judgment: Judgment;
  readonly categories?: readonly string[] | undefined;
  readonly annotation_id?: string | null | undefined;
  readonly trial_id?: string | null | undefined;
  readonly experiment_id?: string | null | undefined;
  readonly task_id?: string | null | undefined;
  readonly task_visibility?: string | null | undefined;
}

export interface AdjudicationDecision {
  readonly decision_id?: string | null | undefined;
  readonly final_judgment?: Judgment | null | undefined;
  readonly decided_by?: string | null | undefined;
  readonly rationale?: string | null | undefined;
  /** True if left open on purpose; overrides a given judgment. */
  readonly contested?: boolean | null | undefined;
}

export type AdjudicationStatus = "agreed" | "contested" | "needs_adjudication" | "adjudicated";

/** Result of {@link resolveAdjudication}; the names are those of the first annotation, null where it has none. */
export interface AdjudicationRecord {
  /** Default `<trial_id>:adjudication`; null without a trial. */
  decision_id: string | null;
  trial_id: string | null;
  experiment_id: string | null;
  task_id: string | null;
  task_visibility: string | null;
  status: AdjudicationStatus;
  final_judgment: Judgment | null;
  /** Every reviewer's categories once, in code point order. */
  categories: string[];
  decided_by: string | null;
  rationale: string | null;
  source_annotation_ids: string[];
}

const JUDGMENTS = ["pass", "fail", "defer"] as const;
const leniency = getLeniency("default");
const text = fieldOf(readText);
const judgment = oneOf(...JUDGMENTS);

const annotationModel = z.object({
  judgment: required(judgment),
  categories: withDefault(listOf(text), []),
  annotation_id: orNull(text),
  trial_id: orNull(text),
  experiment_id: orNull(text),
  task_id: orNull(text),
  task_visibility: orNull(text),
});
const filled = filledText(leniency);
const decisionModel = z.object({
  decision_id: orNull(filled),
  final_judgment: orNull(judgment),
  decided_by: orNull(text),
  rationale: orNull(filled),
  contested: orNull(fieldOf((value) => readFlag(value, leniency))),
});
type Votes = z.output<typeof annotationModel>[];
type Decision = z.output<typeof decisionModel>;

/**
 * Returns the agreement of the reviewers of one trial. Equal judgments agree, a majority does not, and a decision with a judgment
 * and a decider settles. Issues without an annotation or for an invalid field; never throws.
 */
export function resolveAdjudication(
  annotations: readonly JudgedTrial[],
  decision?: AdjudicationDecision | null,
): Parsed<AdjudicationRecord> {
  const given = readModel(listOf<Votes[number]>(annotationModel), annotations);
  if (!given.ok) return given;
  const decided = readModel<Decision>(decisionModel, decision ?? {});
  return decided.ok ? resolve(given.value, decided.value) : decided;
}

function readModel<T>(model: Field<T>, value: unknown): Parsed<T> {
  const input = readJsonInput(value);
  return input.ok ? runSchema(model, input.value) : input;
}

function resolve(votes: Votes, decision: Decision): Parsed<AdjudicationRecord> {
  const [first] = votes;
  if (first === undefined) {
    const message = "at least one annotation is required for adjudication";
    return { ok: false, issues: [{ path: [], code: "ValueError", message }] };
  }
  const { judgment: shared, trial_id, experiment_id, task_id, task_visibility } = first;
  const status = findStatus(votes, decision);
  const decider = status === "adjudicated" ? decision.decided_by : null;
  if (decider !== null) {
    const name = readFilledText(decider, leniency);
    if (name instanceof Fault)
      return { ok: false, issues: [{ path: ["decided_by"], code: name.code, message: name.message }] };
  }
  const categories = new Set(votes.flatMap((vote) => vote.categories));
  const finals = {
    agreed: shared,
    adjudicated: decision.final_judgment,
    contested: null,
    needs_adjudication: null,
  };
  const value: AdjudicationRecord = {
    decision_id: decision.decision_id ?? (trial_id === null ? null : `${trial_id}:adjudication`),
    trial_id,
    experiment_id,
    task_id,
    task_visibility,
    status,
    final_judgment: finals[status],
    categories: [...categories].sort(compareCodePoints),
    decided_by: decider,
    rationale: decision.rationale,
    source_annotation_ids: votes.flatMap((vote) => vote.annotation_id ?? []),
  };
  return { ok: true, value };
}

function findStatus(votes: Votes, decision: Decision): AdjudicationStatus {
  if (votes.every((vote) => vote.judgment === votes[0]?.judgment)) return "agreed";
  if (decision.contested === true) return "contested";
  return decision.final_judgment === null || decision.decided_by === null
    ? "needs_adjudication"
    : "adjudicated";
}

/** Returns the share of the most frequent judgment, 1/3 to 1, one judgment per reviewer; null without a judgment. */
export function agreementOf(judgments: readonly Judgment[]): number | null {
  const input = readJsonInput(judgments);
  return shareOf(input.ok && Array.isArray(input.value) ? input.value : []);
}

function shareOf(given: readonly unknown[]): number | null {
  const counts = JUDGMENTS.map((word) => given.filter((judged) => judged === word).length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total === 0 ? null : Math.max(...counts) / total;
}

/**
 * Returns the confidence for reviewers' judgments. A reviewer who judged twice is one annotator, with both judgments in the
 * agreement.
 * @param options - `adjudicated`: true if the outcome was decided instead of agreed
 */
export function confidenceOf(
  annotations: readonly { readonly reviewer_id: string; readonly judgment: Judgment }[],
  options?: { readonly adjudicated?: boolean },
): ConfidenceMetadata {
  const given = readObjects(annotations);
  return {
    annotator_count: new Set(given.map((annotation) => annotation["reviewer_id"])).size,
    inter_rater_agreement: shareOf(given.map((annotation) => annotation["judgment"])),
    confidence_interval: null,
    confidence_method:
      readObject(options)["adjudicated"] === true ? "adjudicated_human_review" : "human_review_consensus",
  };
}
