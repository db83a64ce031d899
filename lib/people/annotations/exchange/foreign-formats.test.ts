import { describe, expect, it } from "vitest";

import type { Annotation, AnnotationSubject } from "@/lib/core/domain/annotation";

import { foldCodebook } from "../codebook/fold";
import { writeLabelingConfig, writeLabelStudioTasks } from "./other-tools";
import { writeLangfuseScores } from "./other-tools";

const subject: AnnotationSubject = {
  trialId: "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b01",
  jobUuid: null,
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: "m1",
  outcomeSeen: "failed",
  rewardSeen: "0.0",
};

const annotation: Annotation = {
  versionId: "v1",
  version: 1,
  subject,
  reviewerId: "Ana",
  reviewerDiscipline: null,
  timestamp: "2026-03-01T09:30:00.000Z",
  judgment: "fail",
  categories: ["Wrong output"],
  notes: "empty table",
  confidence: "high",
  evidence: [],
  queue: null,
  hidden: null,
  codebookVersion: 0,
  fingerprint: null,
  status: "current",
  withdrawnAt: null,
  savedBy: null,
  withdrawnBy: null,
};

const scoresOf = (...changes: readonly Partial<Annotation>[]) =>
  [
    ...writeLangfuseScores(
      changes.map((change) => ({
        annotation: { ...annotation, ...change },
        reviewerKey: "ana",
        withdrawalId: null,
        categoryIds: [null],
      })),
    ),
  ].map((line) => JSON.parse(line) as Record<string, unknown>);

describe("scores for Langfuse", () => {
  it("are requests that create a categorical score of the trial's trace", () => {
    expect(scoresOf({})).toMatchObject([
      {
        traceId: subject.trialId,
        name: "assay.judgment",
        value: "fail",
        dataType: "CATEGORICAL",
        comment: "empty table",
        metadata: { reviewer_id: "Ana", trial_name: subject.trialName },
      },
    ]);
  });

  it("keep their id when the judgment is corrected, and leave out what does not count or has no trace", () => {
    const [first] = scoresOf({});
    const later = scoresOf(
      { status: "superseded" },
      { versionId: "v2", judgment: "pass" },
      { subject: { ...subject, trialId: null } },
    );
    expect(later).toMatchObject([{ id: first?.["id"], value: "pass" }]);
    expect(scoresOf({ notes: null })[0]).not.toHaveProperty("comment");
  });
});

describe("tasks for Label Studio", () => {
  const read = (hides: Parameters<typeof writeLabelStudioTasks>[1]) =>
    JSON.parse(writeLabelStudioTasks([{ subject, url: "http://h/t" }], hides)) as {
      readonly data: Record<string, string>;
    }[];

  it("name the trial and its page", () => {
    expect(read([])).toMatchObject([
      {
        data: { trial: subject.trialName, agent: "orca", outcome: "failed", page: "http://h/t" },
        predictions: [],
      },
    ]);
  });

  it("say nothing of what a queue hides", () => {
    const text = JSON.stringify(read(["agent", "verifier"]));
    for (const hidden of ["orca", "m1", "nightly", "failed", "0.0"]) expect(text).not.toContain(hidden);
  });

  it("can be labelled with categories of any name", () => {
    const { codebook } = foldCodebook([]);
    const [first] = codebook.categories;
    if (first === undefined) throw new Error("no starters");
    const config = writeLabelingConfig({
      ...codebook,
      categories: [
        { ...first, id: "c1", label: `<b a="1">&'\u0007` },
        { ...first, id: "c2", state: "retired" },
      ],
    });
    expect(config).toContain(`<Choice value="&lt;b a=&quot;1&quot;&gt;&amp;&apos;" alias="c1"/>`);
    expect(config).not.toContain("c2");
    for (const verdict of ["pass", "fail", "defer"]) expect(config).toContain(`<Choice value="${verdict}"/>`);
  });
});
