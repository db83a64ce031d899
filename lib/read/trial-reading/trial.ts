import { STEP_WORDS } from "@/lib/core/domain/trajectory";
import type { ListStarts } from "@/lib/core/domain/trial-lists";
import {
  type EvaluatedTrial,
  showEvaluation,
  type ShownEvaluation,
  writeEvaluation,
  writeEvaluationLine,
} from "@/lib/core/trial-evaluation";
import { readTrajectory } from "@/lib/read/loader/detail";
import { readEvaluation, type TrialToEvaluate } from "@/lib/read/trial-reading/evaluation";

import type { StepsRequest } from "./choose-steps";
import { readTrialDetails, type TrialDetails } from "./details";
import type { TrialPlace } from "./place";
import { NO_TRAJECTORY, prepareSteps, type TrialSteps } from "./steps";

export interface EvaluationRequest extends TrialToEvaluate, Pick<EvaluatedTrial, "job" | "root"> {}

export interface TrialReading {
  readonly details: TrialDetails;
  readonly evaluation: ShownEvaluation;
  readonly steps: TrialSteps;
}

/** Evidence of why a trial failed, which cites a step if it is in the trace. */
export interface Cause {
  readonly step: string | null;
}

/** Reads one file after the other, so that a slow or crashing file can be identified. Without a `cause`, its analysis is not asked. */
export async function readTrial(
  place: TrialPlace,
  request: EvaluationRequest,
  starts: ListStarts,
  window: StepsRequest | null,
  cause: Cause | null = null,
): Promise<TrialReading> {
  const { path, stepNames, ledger } = place;
  const trajectory =
    path === null || ledger !== null
      ? NO_TRAJECTORY
      : await readTrajectory(path, stepNames, window?.source ?? null);
  const details = await readTrialDetails(place, trajectory, starts);
  const cited = cause && (cause.step ?? STEP_WORDS.exec(details.analysis?.summary ?? "")?.[2] ?? null);
  return {
    details,
    evaluation: showEvaluation({ ...request, result: await readEvaluation(request) }),
    steps: prepareSteps(trajectory, request.trial, path ?? "", window, cited),
  };
}

export async function readEvaluationText(request: EvaluationRequest, form: "file" | "line"): Promise<string> {
  const evaluated = { ...request, result: await readEvaluation(request) };
  return form === "file" ? writeEvaluation(evaluated) : writeEvaluationLine(evaluated);
}
