import "server-only";

import {
  NO_MAP,
  readApart,
  type TrajectoryMap,
  type TrajectoryPanel,
  unlessReadingFails,
  WINDOW_STEPS,
} from "@/lib/trial-reading";

import { locateTrial, placeTrial } from "./locate";

export { WINDOW_STEPS };

/**
 * The trajectory around a step.
 *
 * @throws NotFoundError when no open folder holds the trial
 * @throws ReadingError when its files cannot be read as a whole
 */
export async function getTrajectoryPanel(
  jobKey: string,
  trialKey: string,
  request: { readonly step: string | null; readonly from: number | null },
): Promise<TrajectoryPanel> {
  const located = await locateTrial(jobKey, trialKey);
  const { outcome, phases } = located.trial;
  return readApart("steps", located.path ?? "", placeTrial(located), { outcome, phases }, request);
}

/**
 * Outline and timeline, which stand beside every tab; empty when its files cannot be read, which the page's issues say.
 *
 * @throws NotFoundError when no open folder holds the trial
 */
export async function getTrajectoryMap(jobKey: string, trialKey: string): Promise<TrajectoryMap> {
  const located = await locateTrial(jobKey, trialKey);
  const { outcome, phases } = located.trial;
  const map = readApart("map", located.path ?? "", placeTrial(located), { outcome, phases });
  return unlessReadingFails(map, () => NO_MAP);
}
