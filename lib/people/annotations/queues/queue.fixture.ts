import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { BLIND_PARTS, type QueueSettings } from "@/lib/core/domain/review";

/** Settings of a queue for anybody, which hides all that can be hidden. */
export const SETTINGS: QueueSettings = {
  name: "Verifier audit",
  goal: "corrected-score",
  method: "random",
  seed: 7,
  order: "random",
  source: "Trials of nightly",
  sourceHref: "/jobs/nightly?tab=trials",
  reviewers: [],
  doubleShare: 0,
  hides: [...BLIND_PARTS],
  isOpenCoding: false,
  strata: [],
};

/** The trial at a place of a queue. */
export function subjectOf(place: number): AnnotationSubject {
  return {
    trialId: `id-${String(place)}`,
    jobUuid: null,
    trialName: `task-${String(place)}__aB3dE7x`,
    jobName: "nightly",
    rootLabel: "runs",
    taskName: `task-${String(place)}`,
    agent: "orca",
    model: null,
    outcomeSeen: "failed",
    rewardSeen: "0.0",
  };
}
