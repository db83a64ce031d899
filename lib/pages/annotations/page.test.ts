import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { JudgmentFilter } from "@/lib/core/domain/job-filter";
import type { Judgment } from "@/lib/core/domain/judgment";
import { selectHeadlineReward } from "@/lib/core/domain/trial";
import { dumpPythonJson } from "@/lib/core/scoring";
import type { AnnotationsFilter } from "@/lib/pages/annotations/address";
import {
  type AnnotationStore,
  createAnnotation,
  decide,
  listDecisions,
  openAnnotationStore,
  readCodebook,
  resolveAnnotationTarget,
} from "@/lib/people/annotations";
import { openIndex, type OpenIndex } from "@/lib/store/indexer";
import { type JobHead, readAllTrials, readHead } from "@/lib/store/tables";
import { getSampleFolder } from "@/lib/testing/samples.fixture";

import { countByTask, selectJudged } from "../job/reviews";
import { getJudged, type JudgedOfJob } from "./judged";
import { prepareAnnotationsPage, listAnnotationRows } from "./page";
import { countReviewed, findUnreviewed } from "./review";

const JOB = "tb2-baseline";
const NONE: AnnotationsFilter = {
  text: "",
  judgments: [],
  reviewers: [],
  categories: [],
  jobs: [],
  standings: [],
  page: 1,
};

let folder = "";
let index: OpenIndex;
let annotations: AnnotationStore;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "annotations-"));
  for (const job of [JOB, "tb2-orca-next"])
    cpSync(join(getSampleFolder(), job), join(folder, "jobs", job), { recursive: true });
  index = await openIndex({
    roots: [join(folder, "jobs")],
    environment: { ASSAY_DATA: join(folder, "data") },
    withDerivedDetails: false,
  });
  await index.refresh();
  annotations = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: join(folder, "annotations") }));
});

afterAll(async () => {
  await annotations.close();
  await index.close();
  rmSync(folder, { recursive: true, force: true });
});

const SUBJECT = {
  jobUuid: null,
  jobName: "nightly",
  rootLabel: "jobs",
  taskName: "tidy",
  agent: "orca",
  model: "m1",
  outcomeSeen: "passed",
  rewardSeen: "1",
} as const;

async function findJob(): Promise<JobHead> {
  const job = await readHead(index.store, JOB);
  if (job === null) throw new Error(`${JOB} is not open`);
  return job;
}

async function judge(at: number, reviewerId: string, judgment: Judgment): Promise<string> {
  const job = await findJob();
  const trial = (await readAllTrials(index.store, job.rowId))[at];
  if (trial === undefined) throw new Error("too few trials");
  const reward = selectHeadlineReward(trial.rewards);
  const subject = {
    trialId: trial.id,
    jobUuid: trial.jobUuid ?? job.uuid,
    trialName: trial.trialName,
    jobName: job.name,
    rootLabel: "jobs",
    taskName: trial.taskName,
    agent: trial.agent,
    model: trial.model,
    outcomeSeen: trial.outcome,
    rewardSeen: reward === null ? null : dumpPythonJson(reward.value),
  };
  const draft = { reviewerId, reviewerDiscipline: null, judgment, categories: ["Because"], notes: null };
  await createAnnotation(annotations, { subject, draft, baseVersionId: null });
  return trial.key;
}

async function readRows() {
  return listAnnotationRows(await getJudged(index.store, annotations), () => 1, {
    codebook: await readCodebook(annotations),
    decisions: await listDecisions(annotations),
  });
}

describe("judged trials", () => {
  test("are found in the folders with their current outcome, also if the job's folder was renamed", async () => {
    const key = await judge(0, "Ana", "pass");
    await judge(0, "Ben", "fail");
    const [row] = await readRows();
    expect(row?.found).toMatchObject({ jobKey: JOB, key });
    expect(row?.standings).not.toContain("stale");
    renameSync(join(folder, "jobs", JOB), join(folder, "jobs", "renamed"));
    await index.refresh();
    const [moved] = await readRows();
    expect(moved?.found).toMatchObject({ jobKey: "renamed", key });
    expect(moved?.standings).not.toContain("lost");
    renameSync(join(folder, "jobs", "renamed"), join(folder, "jobs", "..", "away"));
    await index.refresh();
    const lost = await readRows();
    expect(lost.map(({ standings }) => standings.includes("lost"))).toEqual([true, true]);
    renameSync(join(folder, "away"), join(folder, "jobs", JOB));
    await index.refresh();
  });

  test("of one moment keep the list's order, the last saved one first", async () => {
    const store = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: join(folder, "moment") }));
    const now = new Date("2026-11-14T10:00:00.000Z");
    const names = ["one", "two", "three", "four"];
    for (const trialName of names) {
      const subject = { ...SUBJECT, trialName, trialId: trialName };
      const draft = {
        reviewerId: "Ana",
        reviewerDiscipline: null,
        judgment: "pass",
        categories: [],
        notes: null,
      };
      await createAnnotation(store, { subject, draft, baseVersionId: null }, now);
    }
    const rows = listAnnotationRows(await getJudged(index.store, store), () => 1, {
      codebook: await readCodebook(store),
      decisions: [],
    });
    await store.close();
    expect(rows.map(({ annotation }) => annotation.subject.trialName)).toEqual(names.toReversed());
  });

  test("are filtered and counted, one of two reviewers disagreeing with the verifier", async () => {
    const rows = await readRows();
    const page = prepareAnnotationsPage(rows, NONE);
    expect(page).toMatchObject({ nAnnotations: 2, nTrials: 1, nReviewers: 2, nDisagreeing: 1 });
    // Of the one trial, each saved once.
    expect(rows.map(({ nVersions }) => nVersions)).toEqual([1, 1]);
    const only = prepareAnnotationsPage(rows, { ...NONE, reviewers: ["Ben"] });
    expect(only.rows.map(({ annotation }) => annotation.judgment)).toEqual(["fail"]);
    expect(prepareAnnotationsPage(rows, { ...NONE, text: "nothing like it" }).place.nMatching).toBe(0);
  });

  test("follow decisions on conflicts in every list and count, until one leaves it open", async () => {
    const job = await findJob();
    const [row] = await readRows();
    if (row?.found == null) throw new Error("the trial is not open");
    const { key, outcome } = row.found;
    const actor = { browserKeyHash: "browser", isAdmin: false };
    const inLists = async () => {
      const judged = await judgedOf(job);
      const filter = (wanted: JudgmentFilter) =>
        selectJudged(new Map([[job.rowId, judged]]), [wanted])
          .only?.get(job.rowId)
          ?.has(key) ?? false;
      const { disagrees, judgment } = judged.get(key)?.judgments ?? {};
      const rows = await readRows();
      const of = rows.filter(({ found }) => found?.key === key);
      return {
        judgment,
        disagrees,
        nOfTask: countByTask(judged).get(judged.get(key)?.taskName ?? "")?.nDisagreeing,
        filters: (["mixed", "disagrees", "pass", "fail"] as const).filter(filter),
        nRows: of.filter(({ standings }) => standings.includes("disagrees")).length,
        nAll: prepareAnnotationsPage(rows, NONE).nDisagreeing,
      };
    };
    const before = await inLists();
    expect(before).toMatchObject({ judgment: "mixed", disagrees: true, nRows: 1, nAll: 1, nOfTask: 1 });
    const settle = async (finalJudgment: Judgment | null, baseDecisionId: string | null) =>
      decide(annotations, {
        subject: row.annotation.subject,
        draft: {
          finalJudgment,
          categories: [],
          reason: "Read the file.",
          basedOn: null,
          codebookNote: null,
          decidedBy: "Dora",
        },
        sources: [],
        baseDecisionId,
        queueId: null,
        actor,
      });
    const isPassed = outcome === "passed";
    const [same, other] = isPassed ? (["pass", "fail"] as const) : (["fail", "pass"] as const);
    const first = await settle(same, null);
    expect(await inLists()).toEqual({
      judgment: same,
      disagrees: false,
      nOfTask: 0,
      filters: [same],
      nRows: 0,
      nAll: 0,
    });
    const second = await settle(other, first.decisionId);
    expect(await inLists()).toEqual({
      judgment: other,
      disagrees: true,
      nOfTask: 1,
      filters: ["disagrees", other],
      nRows: 2,
      nAll: 2,
    });
    await settle(null, second.decisionId);
    expect(await inLists()).toEqual(before);
  });
});

const judgedOf = async ({ rowId }: { readonly rowId: number }): Promise<JudgedOfJob> =>
  (await getJudged(index.store, annotations)).byJob.get(rowId) ?? new Map();

describe("the next trial to judge", () => {
  test("is the next finished one that this reviewer has not reviewed, round to the start", async () => {
    const job = await findJob();
    const finished = (await readAllTrials(index.store, job.rowId))
      .map(({ key, state }, position) => ({ key, state, position }))
      .filter(({ state }) => state === "finished");
    const next = (position: number, reviewer: string) =>
      judgedOf(job).then((judged) => findUnreviewed(index.store, job, position, judged, reviewer));
    expect(await next(0, "Cleo")).toBe(finished[1]?.key);
    await judge(1, "Cleo", "pass");
    expect(await next(0, "  cleo ")).toBe(finished[2]?.key);
    expect(await next(0, "Ana")).toBe(finished[1]?.key);
    const end = finished.at(-1)?.position ?? 0;
    expect(await next(end, "Cleo")).toBe(finished[0]?.key);
    expect(await next(end, "Ana")).toBe(finished[1]?.key);
  });

  test("is counted a reviewer and job", async () => {
    expect(countReviewed(await judgedOf(await findJob()))).toEqual({
      ana: 1,
      ben: 1,
      cleo: 1,
    });
    const other = await readHead(index.store, "tb2-orca-next");
    if (other === null) throw new Error("the other job is not open");
    expect(countReviewed(await judgedOf(other))).toEqual({});
  });
});
