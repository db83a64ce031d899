import { expect, it } from "vitest";

import type { Judgment } from "@/lib/core/domain/judgment";
import {
  type AnnotationStore,
  createAnnotation,
  createQueue,
  importAnnotations,
  moveItem,
  openAnnotationStore,
  prepareExport,
  readHistory,
  readQueue,
} from "@/lib/people/annotations";
import { NO_ACTOR } from "@/lib/people/annotations/owner";
import { SETTINGS, subjectOf } from "@/lib/people/annotations/queues/queue.fixture";
import { readDraws, type TrialLookup, listQueueTrials } from "@/lib/people/labels/draws";
import { correctByLabels } from "@/lib/people/labels/sample";
import { describeEngines } from "@/lib/store/database/postgres.fixture";

import type { ReferenceTrial } from "./draws.fixture";
import { toPopulationOf, toScopeTrial } from "./draws.fixture";

const N_TRIALS = 24;
const TRIALS: readonly ReferenceTrial[] = Array.from({ length: N_TRIALS }, (_, place) => ({
  job: 1,
  key: subjectOf(place).trialName,
  agent: "orca",
  family: "task",
  passed: place % 2 === 0,
  human: place % 2 === 0,
  state: "",
}));
const POPULATION = toPopulationOf(TRIALS);
const PLACES = TRIALS.flatMap((trial) => toScopeTrial(trial, null).place ?? []);
const LOOKUP: TrialLookup = {
  readPlaces: (names) => Promise.resolve(PLACES.filter(({ trialName }) => names.has(trialName))),
  readList: () => Promise.resolve(POPULATION),
  readWholeList: () => Promise.resolve(POPULATION),
};
const STRATA = [true, false].map((hasPassed) => ({
  agent: "orca",
  model: null,
  hasPassed,
  nTrials: N_TRIALS / 2,
  nDrawn: N_TRIALS / 2,
}));

const SUBJECTS = TRIALS.map((trial) => toScopeTrial(trial, null).subject);

async function judge(
  store: AnnotationStore,
  reviewerId: string,
  judgment: Judgment,
  queue: NonNullable<Parameters<typeof createAnnotation>[1]["queue"]>,
) {
  const subject = SUBJECTS[queue.position] ?? subjectOf(0);
  const chains = await readHistory(store, subject);
  const baseVersionId = chains.find((one) => one.reviewerId === reviewerId)?.headVersionId ?? null;
  const draft = {
    reviewerId,
    reviewerDiscipline: null,
    judgment,
    categories: [],
    notes: null,
    confidence: null,
    evidence: [],
  };
  return createAnnotation(store, { subject, draft, baseVersionId, queue });
}

/** Pages of the queue: the corrected score, agreement, and progress. */
async function readFigures(store: AnnotationStore, queueId: string) {
  const queue = await readQueue(store, queueId);
  if (queue === null) return null;
  const { leases: _, items, ...rest } = queue;
  const places = Map.groupBy(PLACES, ({ trialName }) => trialName);
  const trials = listQueueTrials(queue, places, () => null);
  return {
    rest,
    score: correctByLabels(await readDraws(store, LOOKUP), [
      { jobRowId: 1, key: "orca", nWithVerdict: N_TRIALS },
    ]),
    trials: trials.map(({ subject, state, final, nReviewers, labels }) => ({
      subject,
      state,
      final,
      nReviewers,
      labels: labels.map(({ reviewerKey, annotation }) => [
        reviewerKey,
        annotation.versionId,
        annotation.judgment,
      ]),
    })),
    latest: items.map(({ labels }) => labels.map(({ latest }) => latest.versionId)),
  };
}

const importText = (store: AnnotationStore, text: string) =>
  importAnnotations(store, [{ name: "in.jsonl", bytes: [new TextEncoder().encode(text)] }], {
    isDryRun: false,
    actor: NO_ACTOR,
  });

describeEngines("queues in exports", (engine) => {
  it("give the same corrected score, agreement and progress in an empty store", async () => {
    const source = openAnnotationStore(await engine.freshTarget());
    const target = openAnnotationStore(await engine.freshTarget());
    try {
      const items = SUBJECTS.map((subject, place) => ({
        subject,
        nReviewers: place < 3 ? (2 as const) : (1 as const),
      }));
      const settings = { ...SETTINGS, strata: STRATA };
      const queueId = await createQueue(source, { settings, items, author: "Ada" });
      const hidden = SETTINGS.hides;
      for (let position = 0; position < N_TRIALS - 2; position += 1) {
        const verdict = position % 2 === 0 && position % 6 !== 0 ? "pass" : "fail";
        await judge(source, "Ana", verdict, { queueId, position, hidden });
        if (position < 3) await judge(source, "Ben", "pass", { queueId, position, hidden });
      }
      // Corrected after everything was shown: the judgment before it counts, and the export needs it.
      await judge(source, "Ana", "pass", { queueId, position: 5, hidden: [] });
      await moveItem(source, { queueId, position: N_TRIALS - 1, reviewerId: "Ana", kind: "skipped" });

      const text = [...(await prepareExport(source)).lines].join("");
      const report = await importText(target, text);
      expect(report).toMatchObject({ state: "done", nNewQueues: 1, nConflicts: 0, notes: [] });
      const figures = await readFigures(source, queueId);
      expect(figures?.score).toMatchObject({ kind: "computed" });
      expect(await readFigures(target, queueId)).toEqual(figures);
      expect([...(await prepareExport(target)).lines].join("")).toBe(text);
      expect(await importText(target, text)).toMatchObject({ nNew: 0, nNewQueues: 0 });

      // A part of a draw is no sample.
      const lines = text.trimEnd().split("\n");
      const cut = lines.filter((line) => !line.includes(`"position":4,"n_reviewers"`)).join("\n");
      expect(await importText(target, cut)).toMatchObject({ state: "refused", nErrors: 1 });
    } finally {
      await source.close();
      await target.close();
    }
  });
});
