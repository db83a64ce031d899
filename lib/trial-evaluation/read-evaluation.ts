import type { Annotation } from "@/lib/domain/annotation";
import { NO_EVALUATION_FILES } from "@/lib/domain/evaluation-files";
import type { TrialRecord } from "@/lib/domain/trial";
import { mayHideCrash } from "@/lib/domain/verifier-check";
import type { Contract } from "@/lib/evaluation";
import { readEvaluationFiles, readLedgerRecord, readTrialJudgments } from "@/lib/loader/detail";

import { evaluateRecord } from "./evaluate-record";
import { evaluateTrial } from "./evaluate-trial";
import type { EvaluationFault, TrialDecision, TrialEvaluation } from "./types";

export interface TrialToEvaluate {
  readonly trial: TrialRecord;
  /** Absolute path of its folder or record, ending with the trial's `folder`; null when the trial is only known from a plan or from the job's statistics. */
  readonly path: string | null;
  /** The judgments of Assay's own store that count. */
  readonly judgments: readonly Annotation[];
  /** What somebody decided over these; absent or null where nobody did. */
  readonly decision?: TrialDecision | null | undefined;
}

/** Reads a trial's files and evaluates it. Never throws for what is on disk. */
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

/** What is said of a trial whose files could not be read: no evaluation, and one issue with the error's sentence. */
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

/** Trials whose files are read at the same time. */
const AT_ONCE = 16;

/** Reads and evaluates many trials by `read`, in their order, a few at a time: no more than these are in memory. */
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
