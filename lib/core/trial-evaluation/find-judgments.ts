import type { Annotation as StoredAnnotation } from "@/lib/core/domain/annotation";
import type { EvaluationFiles } from "@/lib/core/domain/evaluation-files";
import type { RecordedJudgment } from "@/lib/core/domain/judgment";
import {
  type Annotation,
  type ConfidenceMetadata,
  confidenceOf,
  type EvaluationIssue,
  parseAnnotation,
  parseConfidence,
} from "@/lib/core/evaluation";

import type {
  AnnotationProvenance,
  EvaluationFault,
  Provenance,
  TrialAdjudication,
  TrialDecision,
} from "./types";

/** Annotations of the contract with their origins, and the reasons why others are not. */
export class AnnotationList {
  readonly annotations: Annotation[] = [];
  readonly origins: AnnotationProvenance[] = [];
  readonly issues: EvaluationFault[] = [];

  add(
    judgment: Pick<RecordedJudgment, "reviewerId" | "discipline" | "judgment" | "categories" | "notes">,
    timestamp: string | null,
    origin: AnnotationProvenance,
    file: string | null,
  ): void {
    const parsed = parseAnnotation({
      reviewer_id: judgment.reviewerId,
      reviewer_discipline: judgment.discipline,
      timestamp,
      judgment: judgment.judgment,
      categories: [...judgment.categories],
      notes: judgment.notes,
    });
    if (parsed.ok) {
      this.annotations.push(parsed.value);
      this.origins.push(origin);
    } else report(this.issues, "annotations", file, parsed.issues);
  }

  addReviews(judgments: readonly StoredAnnotation[], file: string | null): void {
    for (const { reviewerDiscipline: discipline, timestamp, versionId, savedBy, ...judgment } of judgments) {
      const origin = { from: "assay", rule: "Reviewed in Assay.", versionId, savedBy };
      this.add({ ...judgment, discipline }, timestamp, origin, file);
    }
  }
}

/** Returns reviewers' judgments as annotations of the contract, and the confidence: from a file, else their agreement. */
export function findJudgments(
  files: EvaluationFiles,
  judgments: readonly StoredAnnotation[],
  adjudication: TrialAdjudication | null,
) {
  const list = new AnnotationList();
  list.addReviews(judgments, null);
  const { annotations, origins, issues } = list;
  const stated = readStatedConfidence(files, issues);
  const [confidence, confidenceOrigin] = stated ?? confidenceOfReviewers(annotations, adjudication);
  return {
    annotations: annotations.length === 0 ? null : annotations,
    origins,
    confidence,
    confidenceOrigin,
    issues,
  };
}

type FoundConfidence = readonly [ConfidenceMetadata | null, Provenance];

function readStatedConfidence(
  { confidence }: EvaluationFiles,
  issues: EvaluationFault[],
): FoundConfidence | null {
  if (confidence === null) return null;
  const { file, value } = confidence;
  const parsed = parseConfidence(value);
  if (parsed.ok) return [parsed.value, { from: file, rule: "From this file." }];
  report(issues, "confidence", file, parsed.issues);
  return null;
}

function report(
  faults: EvaluationFault[],
  field: string,
  file: string | null,
  issues: readonly EvaluationIssue[],
): void {
  for (const { code, message } of issues) faults.push({ code, field, file, message });
}

export function confidenceOfReviewers(
  annotations: readonly Annotation[],
  adjudication: TrialAdjudication | null,
): FoundConfidence {
  if (annotations.length === 0) return [null, { from: null, rule: "Not reviewed." }];
  const adjudicated = adjudication?.status === "adjudicated";
  const decided = adjudicated ? ` ${adjudication.decision.decidedBy} decided where they differ.` : "";
  const rule = `Agreement of the reviewers above.${decided}`;
  return [confidenceOf(annotations, { adjudicated }), { from: "assay", rule }];
}

/** Returns the effective decision on a trial, by the rules of the contract: unanimous judgments need none. */
export function findAdjudication(
  judgments: readonly Pick<StoredAnnotation, "judgment">[],
  decision: TrialDecision | null = null,
): TrialAdjudication | null {
  const isContested = judgments.some(({ judgment }) => judgment !== judgments[0]?.judgment);
  if (decision === null || !isContested) return null;
  return { status: decision.finalJudgment === null ? "contested" : "adjudicated", decision };
}
