import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import type { Judgment } from "@/lib/core/domain/judgment";
import { BLIND_PARTS, type QueueSettings, type QueueStratum } from "@/lib/core/domain/review";
import {
  type AnnotationStore,
  createAnnotation,
  createQueue,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "@/lib/people/annotations";

/** A trial of the list that a queue is drawn from. */
export interface ListedTrial {
  readonly jobName: string;
  readonly trialName: string;
  readonly taskName: string;
  readonly agent: string;
  readonly model: string | null;
  readonly hasPassed: boolean;
  /** The reviewer's judgment; null if there is none yet. */
  readonly judgment: Judgment | null;
  readonly isDrawn: boolean;
  /** Fingerprint of its files at the judgment, from `formatFingerprint`; unknown by default. */
  readonly fingerprint?: string;
}

type Settings = Pick<QueueSettings, "name" | "method" | "source" | "sourceHref">;

/** Stores a queue of the drawn trials of a list, in their order, with the judgments of one reviewer. @returns its id */
export async function storeLabelledQueue(
  dataFolder: string,
  list: readonly ListedTrial[],
  settings: Settings,
): Promise<string> {
  const store = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: dataFolder }));
  try {
    return await addLabelledQueue(store, list, settings);
  } finally {
    await store.close();
  }
}

/** The same in an open store. */
export async function addLabelledQueue(
  store: AnnotationStore,
  list: readonly ListedTrial[],
  settings: Settings,
): Promise<string> {
  const drawn = list.filter(({ isDrawn }) => isDrawn);
  const queueId = await createQueue(store, {
    author: "Ada Example",
    items: drawn.map((trial) => ({ subject: toSubject(trial), nReviewers: 1 })),
    settings: {
      ...settings,
      goal: "corrected-score",
      seed: 1,
      order: "random",
      reviewers: [],
      doubleShare: 0,
      hides: BLIND_PARTS,
      isOpenCoding: false,
      strata: listStrata(list),
    } satisfies QueueSettings,
  });
  for (const [position, trial] of drawn.entries()) {
    if (trial.judgment === null) continue;
    await createAnnotation(store, {
      subject: toSubject(trial),
      draft: {
        reviewerId: "Ada Example",
        reviewerDiscipline: null,
        judgment: trial.judgment,
        categories: [],
        notes: "Read the whole trace.",
        confidence: null,
        evidence: [],
      },
      baseVersionId: null,
      queue: { queueId, position, hidden: BLIND_PARTS },
      fingerprint: trial.fingerprint ?? null,
    });
  }
  return queueId;
}

function toSubject({
  hasPassed,
  trialName,
  jobName,
  taskName,
  agent,
  model,
}: ListedTrial): AnnotationSubject {
  return {
    trialId: null,
    jobUuid: null,
    trialName,
    jobName,
    rootLabel: "jobs",
    taskName,
    agent,
    model,
    outcomeSeen: hasPassed ? "passed" : "failed",
    rewardSeen: hasPassed ? "1.0" : "0.0",
  };
}

function listStrata(list: readonly ListedTrial[]): readonly QueueStratum[] {
  const strata = Map.groupBy(list, ({ agent, model, hasPassed }) =>
    JSON.stringify([agent, model, hasPassed]),
  );
  return [...strata.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { agent, model, hasPassed } = first;
    return [
      { agent, model, hasPassed, nTrials: own.length, nDrawn: own.filter(({ isDrawn }) => isDrawn).length },
    ];
  });
}
