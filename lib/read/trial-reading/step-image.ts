import { listEmbeddedImages } from "@/lib/core/domain/trajectory";
import { readTrajectory } from "@/lib/read/loader/detail";

import type { TrialPlace } from "./place";

export interface StepImageRequest {
  /** First file of the trace; null for the richest. */
  readonly source: string | null;
  readonly step: string;
  /** Index among the images embedded in the step. */
  readonly nth: number;
}

/** Returns type and base64 as one text, because a text may be larger than other values when it leaves the process. */
export async function readStepImage(
  { path, stepNames, ledger }: TrialPlace,
  { source, step, nth }: StepImageRequest,
): Promise<string | null> {
  if (path === null || ledger !== null) return null;
  const { steps } = await readTrajectory(path, stepNames, source);
  const named = steps.find(({ key }) => key === step);
  const image = named === undefined ? undefined : listEmbeddedImages(named)[nth];
  return image === undefined ? null : `${image.type} ${image.base64}`;
}
