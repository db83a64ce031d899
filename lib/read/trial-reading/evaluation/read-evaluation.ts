import type { Annotation } from "@/lib/core/domain/annotation";
import type { ValidityGate } from "@/lib/core/domain/breakdown";
import { NO_EVALUATION_FILES } from "@/lib/core/domain/evaluation-files";
import type { RecordedJudgment } from "@/lib/core/domain/judgment";
import { listStepNames, type Trial } from "@/lib/core/domain/trial";
import { mayHideCrash } from "@/lib/core/domain/verifier-check";
import {
  type Contract,
  type EvaluationIssue,
  type EvaluationResult,
  parseEvaluationResult,
} from "@/lib/core/evaluation";
import { evaluateTrial, listNulls } from "@/lib/core/trial-evaluation/evaluate-trial";
import {
  AnnotationList,
  confidenceOfReviewers,
  findAdjudication,
} from "@/lib/core/trial-evaluation/find-judgments";
import { findTags } from "@/lib/core/trial-evaluation/find-tags";
import type {
  EvaluationFault,
  TrialDecision,
  TrialEvaluation,
  Provenance,
} from "@/lib/core/trial-evaluation/types";
import {
  readEvaluationFiles,
  readLedgerRecord,
  readTrialJudgments,
  type LedgerRecordReading,
} from "@/lib/read/loader/detail";

export interface TrialToEvaluate {
  readonly trial: Trial;
  /**
   * Absolute path of its folder or record, ending with the trial's `folder`; null when only a plan or the job's statistics list
   * the trial.
   */
  readonly path: string | null;
  readonly judgments: readonly Annotation[];
  readonly decision?: TrialDecision | null | undefined;
}

/** Reads a trial's files and evaluates it. Never throws for file contents. */
export async function readEvaluation(
  { trial, path, judgments, decision }: TrialToEvaluate,
  contract: Contract = "seed",
): Promise<TrialEvaluation> {
  if (trial.ledger !== null && path !== null)
    return readRecord({ trial, path, judgments, decision }, contract);
  const stepNames = listStepNames(trial);
  const files =
    path === null ? NO_EVALUATION_FILES : await readEvaluationFiles(path, stepNames, mayHideCrash(trial));
  return evaluateTrial({ trial, files, judgments, decision, contract });
}

export function describeUnread(
  { trial, judgments, decision }: TrialToEvaluate,
  { code, message }: Pick<EvaluationFault, "code" | "message">,
): TrialEvaluation {
  return {
    ...evaluateTrial({ trial, files: NO_EVALUATION_FILES, judgments, decision }),
    evaluation: null,
    partial: null,
    issues: [{ code, field: "", file: null, message }],
  };
}

const AT_ONCE = 16;

/** Evaluates many trials by `read`, in order and a few at a time, which bounds memory. */
export async function* readEvaluations<T, Evaluation>(
  trials: Iterable<T> | AsyncIterable<T>,
  read: (trial: T) => Promise<Evaluation>,
): AsyncGenerator<readonly [T, Evaluation], void> {
  let batch: T[] = [];
  for await (const trial of trials) {
    batch.push(trial);
    if (batch.length < AT_ONCE) continue;
    yield* await evaluateBatch(batch, read);
    batch = [];
  }
  yield* await evaluateBatch(batch, read);
}

function evaluateBatch<T, Evaluation>(batch: readonly T[], read: (trial: T) => Promise<Evaluation>) {
  return Promise.all(
    batch.map(async (trial): Promise<readonly [T, Evaluation]> => [trial, await read(trial)]),
  );
}

const GATES = ["output_parseable", "schema_valid", "verifier_completed"] as const;

/**
 * Returns the evaluation of a ledger's record, then annotations and categories from files and from Assay's store. The confidence
 * defaults to the agreement of these reviewers. Files are relative to the opened folder.
 */
function readRecord(
  { trial, path, judgments, decision }: TrialToEvaluate & { readonly path: string },
  contract: Contract,
): TrialEvaluation {
  const file = trial.folder;
  const root = { index: 0, label: "", path: path.slice(0, -file.length - 1) };
  const experiment = file.slice(0, Math.max(0, file.lastIndexOf("/")));
  const { judgments: recorded } = readTrialJudgments(root, experiment, trial);
  const reading = readLedgerRecord(root, file);
  const { record } = reading;
  const stated = record?.evaluation.result ?? null;
  const adjudication = findAdjudication(judgments, decision);
  const people = gatherAnnotations(file, stated, recorded, judgments);
  const tags = gatherTags(file, stated, judgments);
  const [confidence, confidenceOrigin] =
    stated !== null && stated.confidence === null
      ? confidenceOfReviewers(people.annotations, adjudication)
      : ([stated?.confidence ?? null, null] as const);
  const added = {
    error_taxonomy: tags.tags,
    confidence,
    annotations: people.annotations.length === 0 ? (stated?.annotations ?? null) : people.annotations,
  };
  const { evaluation, issues } = merge(file, stated, added, contract);
  const describe = (value: unknown): Provenance =>
    value === null || value === undefined
      ? { from: null, rule: "Not in the record." }
      : { from: file, rule: STATED };
  const gates = GATES.map((name) => prepareGate(file, stated, name));
  return {
    evaluation,
    partial: null,
    unknown: stated === null ? [] : listNulls({ breakdown: stated.breakdown, ...added }),
    provenance: {
      reward: describe(stated),
      output_parseable: describe(stated),
      schema_valid: describe(stated),
      verifier_completed: describe(stated),
      breakdown: describe(stated?.breakdown),
      error_taxonomy: tags.origins,
      confidence: confidenceOrigin ?? describe(stated?.confidence),
      annotations: people.origins,
    },
    adjudication,
    gates,
    issues: [...listFaults(file, reading), ...issues, ...people.issues],
  };
}

const STATED = "From the record.";

type Added = Pick<EvaluationResult, "error_taxonomy" | "confidence" | "annotations">;

function merge(
  file: string,
  stated: EvaluationResult | null,
  added: { readonly [K in keyof Added]: Readonly<Added[K]> },
  contract: Contract,
): Pick<TrialEvaluation, "evaluation" | "issues"> {
  if (stated === null) return { evaluation: null, issues: [] };
  const { stewardship, ...result } = stated;
  const merged = {
    ...result,
    ...added,
    ...(contract === "head" && stewardship !== undefined ? { stewardship } : {}),
  };
  const parsed = parseEvaluationResult(merged, { contract });
  if (parsed.ok) return { evaluation: parsed.value, issues: [] };
  return { evaluation: null, issues: toFaults(parsed.issues, file) };
}

function toFaults(issues: readonly EvaluationIssue[], file: string): EvaluationFault[] {
  return issues.map(({ path, code, message }) => ({ code, field: path.join("."), file, message }));
}

function gatherTags(file: string, stated: EvaluationResult | null, judgments: readonly Annotation[]) {
  const own = stated?.error_taxonomy ?? null;
  const tags = (own ?? []).map((value) => ({ value, file }));
  const tagFiles = own === null ? [] : [file];
  return findTags({ exception: null, steps: null }, { tags, tagFiles }, judgments);
}

function gatherAnnotations(
  file: string,
  stated: EvaluationResult | null,
  recorded: readonly RecordedJudgment[],
  judgments: readonly Annotation[],
) {
  const list = new AnnotationList();
  const inFile = (from: string, rule: string) => ({ from, rule, versionId: null, savedBy: null });
  for (const annotation of stated?.annotations ?? []) {
    list.annotations.push(annotation);
    list.origins.push(inFile(file, STATED));
  }
  for (const judgment of recorded) {
    // A triage verdict has no author, an adjudication is not a reviewer's, and a calibration concerns the reviewer.
    if (judgment.kind !== "feedback" || judgment.calibrationVersion !== null) continue;
    const origin = inFile(judgment.file, "A reviewer's annotation in a file.");
    list.add(judgment, judgment.time?.text ?? null, origin, judgment.file);
  }
  list.addReviews(judgments, "assay");
  return list;
}

function prepareGate(
  file: string,
  stated: EvaluationResult | null,
  name: ValidityGate["name"],
): ValidityGate {
  if (stated === null)
    return {
      name,
      met: null,
      file: null,
      basis: "The record has no readable evaluation.",
      doubt: null,
    };
  const met = stated.validity[name];
  const errors = met ? [] : stated.validity.errors;
  const basis = errors.length === 0 ? STATED : `${STATED} Errors: ${errors.join("; ")}`;
  return { name, met, file, basis, doubt: null };
}

function listFaults(file: string, { issues, record }: LedgerRecordReading): EvaluationFault[] {
  if (record === null) {
    if (issues.length === 0)
      return [{ code: "trial_without_result", field: "", file, message: "The record is missing." }];
    return issues.map(({ code, detail }) => ({ code, field: "", file, message: detail }));
  }
  const { isStated, issues: refused } = record.evaluation;
  if (!isStated) {
    const { evaluationStatus } = record.facts;
    const words = evaluationStatus === null ? "" : ` (evaluation_status is ${evaluationStatus})`;
    return [{ code: "no_evaluation", field: "", file, message: `The record has no evaluation${words}.` }];
  }
  return toFaults(refused, file);
}
