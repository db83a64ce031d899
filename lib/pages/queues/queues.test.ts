import { expect, it, onTestFinished } from "vitest";

import type { Judgment } from "@/lib/core/domain/judgment";
import {
  type AnnotationStore,
  createAnnotation,
  createQueue,
  decide,
  openAnnotationStore,
} from "@/lib/people/annotations";
import { describeQueries } from "@/lib/store/database/postgres.fixture";

import { readQueuesPage } from "./queues";

const SUBJECT = {
  trialId: "one",
  jobUuid: null,
  trialName: "tidy__aaaaaaa",
  jobName: "nightly",
  rootLabel: "jobs",
  taskName: "tidy",
  agent: "orca",
  model: "m1",
  outcomeSeen: "passed",
  rewardSeen: "1",
} as const;

describeQueries("the list of queues", (engine) => {
  it("counts each queue once per change for all users, and follows judgments and decisions", async () => {
    const stored = openAnnotationStore(await engine.freshTarget());
    onTestFinished(() => stored.close());
    let nReads = 0;
    const store: AnnotationStore = {
      ...stored,
      read: (empty, work) => {
        nReads++;
        return stored.read(empty, work);
      },
    };
    const settings = {
      name: "Audit",
      goal: "agreement",
      method: "all",
      seed: null,
      order: "list",
      source: "Trials",
      sourceHref: null,
      reviewers: [],
      doubleShare: 1,
      hides: [],
      isOpenCoding: false,
      strata: [],
    } as const;
    const queueId = await createQueue(stored, {
      settings,
      items: [{ subject: SUBJECT, nReviewers: 2 }],
      author: "Ada",
    });
    const judge = (reviewerId: string, judgment: Judgment) =>
      createAnnotation(stored, {
        subject: SUBJECT,
        draft: { reviewerId, reviewerDiscipline: null, judgment, categories: [], notes: "Read." },
        baseVersionId: null,
        queue: { queueId, position: 0, hidden: [] },
      });
    const ask = async (reviewerKey: string) => {
      const [line] = (await readQueuesPage(store, 1, reviewerKey)).rows;
      return [line?.counts.nReviewed, line?.counts.nConflicts, line?.nLeft];
    };
    expect(await ask("ada")).toEqual([0, 0, 1]);
    await judge("Ada", "pass");
    expect(await ask("ada")).toEqual([0, 0, 0]);
    expect(await ask("ben")).toEqual([0, 0, 1]);
    const second = await judge("Ben", "fail");
    expect(await ask("ben")).toEqual([1, 1, 0]);
    await decide(stored, {
      subject: SUBJECT,
      draft: {
        finalJudgment: "fail",
        categories: [],
        reason: "Read the file.",
        basedOn: null,
        codebookNote: null,
        decidedBy: "Dora",
      },
      sources: [{ versionId: second.versionId, reviewerId: "Ben" }],
      baseDecisionId: null,
      queueId,
      actor: { browserKeyHash: null, isAdmin: false },
    });
    expect(await ask("ada")).toEqual([1, 0, 0]);
    nReads = 0;
    expect(await ask("ben")).toEqual([1, 0, 0]);
    // Their version and their heads: nothing of a queue.
    expect(nReads).toBe(2);
  });
});
