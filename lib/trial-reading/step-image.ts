import { listEmbeddedImages } from "@/lib/domain/trajectory";
import { readTrajectory } from "@/lib/loader/detail";

import type { TrialPlace } from "./place";

/** An image that stands in a trace itself, by its place. */
export interface StepImageRequest {
  /** First file of the trace; null for the richest. */
  readonly source: string | null;
  readonly step: string;
  /** Among the images that stand in the step itself, from 0. */
  readonly nth: number;
}

/**
 * An image that is written out in a step, its type and its base64 with a space between, since a text may be larger than a
 * value on its way out of a process; null where there is none.
 */
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
