import type { Annotation as StoredAnnotation } from "@/lib/domain/annotation";
import type { EvaluationFiles } from "@/lib/domain/evaluation-files";
import {
  type Annotation,
  type ConfidenceMetadata,
  confidenceOf,
  type EvaluationIssue,
  parseAnnotation,
  parseConfidence,
} from "@/lib/evaluation";

import type { AnnotationProvenance, EvaluationFault, Provenance } from "./types";

/** What people say of a trial. */
export interface FoundJudgments {
  /** Null where nobody reviewed the trial. */
  readonly annotations: readonly Annotation[] | null;
  readonly origins: readonly AnnotationProvenance[];
  readonly confidence: ConfidenceMetadata | null;
  readonly confidenceOrigin: Provenance;
  readonly issues: readonly EvaluationFault[];
}

/** Reviewers' judgments as annotations of the contract, and the confidence: stated in a file, else their agreement. */
export function findJudgments(
  files: EvaluationFiles,
  judgments: readonly StoredAnnotation[],
): FoundJudgments {
  const issues: EvaluationFault[] = [];
  const annotations: Annotation[] = [];
  const origins: AnnotationProvenance[] = [];
  for (const judgment of judgments) {
    const parsed = parseAnnotation(toContract(judgment));
    if (parsed.ok) {
      annotations.push(parsed.value);
      const { versionId, savedBy } = judgment;
      origins.push({ from: "assay", rule: "Reviewed in Assay.", versionId, savedBy });
    } else {
      report(issues, "annotations", null, parsed.issues);
    }
  }
  const stated = readStatedConfidence(files, issues);
  const [confidence, confidenceOrigin] = stated ?? confidenceOfReviewers(annotations);
  return {
    annotations: annotations.length === 0 ? null : annotations,
    origins,
    confidence,
    confidenceOrigin,
    issues,
  };
}

/** A confidence, null where there is none, and where it comes from. */
export type FoundConfidence = readonly [ConfidenceMetadata | null, Provenance];

function readStatedConfidence(
  { confidence }: EvaluationFiles,
  issues: EvaluationFault[],
): FoundConfidence | null {
  if (confidence === null) return null;
  const { file, value } = confidence;
  const parsed = parseConfidence(value);
  if (parsed.ok) return [parsed.value, { from: file, rule: "Stated there." }];
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

/** How far reviewers agree, where nobody stated a confidence. */
export function confidenceOfReviewers(annotations: readonly Annotation[]): FoundConfidence {
  if (annotations.length === 0) return [null, { from: null, rule: "Not reviewed." }];
  return [confidenceOf(annotations), { from: "assay", rule: "Agreement of the reviewers above." }];
}

function toContract({
  reviewerId,
  reviewerDiscipline,
  timestamp,
  judgment,
  categories,
  notes,
}: StoredAnnotation): Annotation {
  return {
    reviewer_id: reviewerId,
    reviewer_discipline: reviewerDiscipline,
    timestamp,
    judgment,
    categories: [...categories],
    notes,
  };
}
