import type { Annotation } from "@/lib/core/domain/annotation";
import { NO_EVALUATION_FILES } from "@/lib/core/domain/evaluation-files";
import type { TrialRecord } from "@/lib/core/domain/trial";
import { mayHideCrash } from "@/lib/core/domain/verifier-check";
import type { Contract } from "@/lib/core/evaluation";
import { evaluateTrial } from "@/lib/core/trial-evaluation/evaluate-trial";
import type { EvaluationFault, TrialDecision, TrialEvaluation } from "@/lib/core/trial-evaluation/types";
import { readEvaluationFiles, readLedgerRecord, readTrialJudgments } from "@/lib/read/loader/detail";

import { evaluateRecord } from "./evaluate-record";

export interface TrialToEvaluate {
  readonly trial: TrialRecord;
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
  const stepNames = trial.steps?.map(({ stepName }) => stepName) ?? null;
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

function readRecord(
  { trial, path, judgments, decision }: TrialToEvaluate & { readonly path: string },
  contract: Contract,
): TrialEvaluation {
  const file = trial.folder;
  const root = { index: 0, label: "", path: path.slice(0, -file.length - 1) };
  const experiment = file.slice(0, Math.max(0, file.lastIndexOf("/")));
  const { judgments: recorded } = readTrialJudgments(root, experiment, trial);
  return evaluateRecord({
    file,
    reading: readLedgerRecord(root, file),
    recorded,
    judgments,
    decision,
    contract,
  });
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
