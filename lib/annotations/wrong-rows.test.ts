import { afterEach, beforeEach, expect, it } from "vitest";

import { describeEngines } from "@/lib/database/postgres.fixture";
import type { AnnotationSubject } from "@/lib/domain/annotation";

import {
  createAnnotation,
  exportJsonl,
  listAll,
  openAnnotationStore,
  readAnnotationsState,
  readHistory,
} from "./index";
import type { AnnotationStore } from "./index";

const subject: AnnotationSubject = {
  trialId: null,
  jobId: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901",
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: null,
  outcomeSeen: "failed",
  rewardSeen: "0.0",
};

const draft = { reviewerId: "Ana", reviewerDiscipline: null, judgment: "fail", categories: [], notes: null };

/** A row as this program stores it. */
const row = {
  version_id: "5b6f0a54-9f0e-4c7e-8a55-0d5a6c2c1d11",
  kind: "saved",
  withdraws: null,
  trial_id: null,
  job_id: subject.jobId,
  trial_name: "other__x",
  job_name: "nightly",
  root_label: "runs",
  task_name: "other",
  agent: "orca",
  model: null,
  outcome_seen: "failed",
  reward_seen: null,
  reviewer_key: "ben",
  reviewer_id: "Ben",
  reviewer_discipline: null,
  created_at: "2026-11-14T10:00:00.000Z",
  judgment: "pass",
  categories: "[]",
  notes: null,
  schema_version: 1,
} as const;

describeEngines("a row that cannot be read", (engine) => {
  let store: AnnotationStore;

  beforeEach(async () => {
    store = openAnnotationStore({ target: await engine.freshTarget() });
  });

  afterEach(() => store.close());

  async function exportLines(): Promise<unknown[]> {
    const lines: unknown[] = [];
    for await (const line of exportJsonl(store)) lines.push(JSON.parse(line));
    return lines;
  }

  it.each([
    { categories: "[1]" },
    { created_at: "yesterday" },
    { schema_version: 2, categories: '["of", "tomorrow"]' },
  ])("such as one with %o is set aside and said, and the rest works", async (wrong) => {
    const before = await createAnnotation(store, { subject, draft, baseVersionId: null });
    await store.write((db) =>
      db
        .insertInto("annotation_version")
        .values({ ...row, ...wrong })
        .execute(),
    );
    const after = await createAnnotation(store, {
      subject,
      draft: { ...draft, notes: "Still works." },
      baseVersionId: before.versionId,
    });

    const { nCurrent, problem } = await readAnnotationsState(store);
    expect(nCurrent).toBe(1);
    for (const part of [store.place, "row 2", "other__x", Object.keys(wrong)[0] ?? ""])
      expect(problem).toContain(part);
    expect((await listAll(store)).map((trial) => trial.subject.trialName)).toEqual([subject.trialName]);
    expect((await readHistory(store, subject))[0]?.current?.versionId).toBe(after.versionId);
    expect(await readHistory(store, { ...subject, trialName: "other__x" })).toEqual([]);
    expect(await exportLines()).toMatchObject([
      { schema: "assay.annotation/1", version_id: after.versionId },
      { schema: "assay.annotation-unreadable/1", row: 2, columns: { ...row, ...wrong } },
    ]);
  });

  it("is nothing to speak of where every row can be read", async () => {
    await store.write((db) => db.insertInto("annotation_version").values(row).execute());
    expect(await readAnnotationsState(store)).toEqual({ nCurrent: 1, problem: null });
  });
});
