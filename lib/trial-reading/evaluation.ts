import {
  type EvaluatedTrial,
  readEvaluation,
  showEvaluation,
  type ShownEvaluation,
  type TrialToEvaluate,
  writeEvaluation,
  writeEvaluationLine,
} from "@/lib/trial-evaluation";

/** A trial to evaluate with what names it. */
export interface EvaluationRequest extends TrialToEvaluate, Pick<EvaluatedTrial, "job" | "root"> {}

/** Reads a trial's files and evaluates it as its page shows it. */
export async function readShownEvaluation(request: EvaluationRequest): Promise<ShownEvaluation> {
  return showEvaluation({ ...request, result: await readEvaluation(request) });
}

/** The same as the JSON of a file, or as one line of one. */
export async function readEvaluationText(request: EvaluationRequest, form: "file" | "line"): Promise<string> {
  const evaluated = { ...request, result: await readEvaluation(request) };
  return form === "file" ? writeEvaluation(evaluated) : writeEvaluationLine(evaluated);
}
