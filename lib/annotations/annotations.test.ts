import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { AnnotationDraft, AnnotationSubject } from "@/lib/domain/annotation";
import { ConflictError, NotFoundError, ValidationError } from "@/lib/domain/app-error";

import {
  countAnnotations,
  createAnnotation,
  exportJsonl,
  judgmentsByTrial,
  listAll,
  listLatest,
  listCategories,
  openAnnotationStore,
  readHistory,
  suggestCategories,
  withdrawAnnotation,
} from "./index";
import type { AnnotationStore } from "./index";

const subject: AnnotationSubject = {
  trialId: "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b01",
  jobId: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901",
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: "m1",
  outcomeSeen: "passed",
  rewardSeen: "1.0",
};

function draft(change: Partial<AnnotationDraft> = {}): AnnotationDraft {
  return {
    reviewerId: "Ana",
    reviewerDiscipline: null,
    judgment: "pass",
    categories: [],
    notes: null,
    ...change,
  };
}

let folder: string;
let store: AnnotationStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "annotations-"));
  store = openAnnotationStore({ dataFolder: folder });
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function save(change: Partial<AnnotationDraft>, base: string | null = null, at = "2026-11-14T10:00:00.000Z") {
  return createAnnotation(store, { subject, draft: draft(change), baseVersionId: base }, new Date(at));
}

describe("saving", () => {
  it("keeps every version and lets the last one count", () => {
    const first = save({
      judgment: "fail",
      categories: ["Wrong file"],
      notes: "Edited the copy.\nNot the original.",
    });
    const second = save({ judgment: "pass" }, first.versionId, "2026-11-14T10:05:00.000Z");
    const [chain] = readHistory(store, subject);
    expect(chain?.versions.map((one) => [one.version, one.judgment, one.status])).toEqual([
      [2, "pass", "current"],
      [1, "fail", "superseded"],
    ]);
    expect(chain?.versions[1]).toMatchObject({
      notes: "Edited the copy.\nNot the original.",
      categories: ["Wrong file"],
      timestamp: "2026-11-14T10:00:00.000Z",
      schemaVersion: 1,
      subject: { rewardSeen: "1.0", outcomeSeen: "passed" },
    });
    expect(listLatest(store, subject).map((one) => one.versionId)).toEqual([second.versionId]);
  });

  it("keeps reviewers apart, however one name is typed", () => {
    const ana = save({});
    save({ reviewerId: "Ben", judgment: "fail" });
    save({ reviewerId: "  ana ", judgment: "defer", notes: "Ask the author." }, ana.versionId);
    expect(listLatest(store, subject).map((one) => [one.reviewerId, one.judgment])).toEqual([
      ["ana", "defer"],
      ["Ben", "fail"],
    ]);
    expect(countAnnotations(store)).toBe(2);
  });

  it("drops blanks and repeats from categories, and makes blank texts null", () => {
    const saved = save({
      categories: [" Wrong file ", "wrong file", "", "Slow"],
      notes: "  \n ",
      reviewerDiscipline: " ",
    });
    expect(saved).toMatchObject({
      categories: ["Wrong file", "Slow"],
      notes: null,
      reviewerDiscipline: null,
    });
  });

  it.each([
    [{ reviewerId: "   " }, "reviewerId"],
    [{ judgment: null }, "judgment"],
    [{ judgment: "defer" as const, notes: "  " }, "notes"],
    [{ notes: "x".repeat(20_001) }, "notes"],
    [{ categories: ["x".repeat(81)] }, "categories"],
  ])("refuses %o with a sentence for %s and stores nothing", (change, field) => {
    let caught: unknown;
    try {
      save(change);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ValidationError);
    expect(caught instanceof ValidationError ? Object.keys(caught.fields) : []).toEqual([field]);
    expect(listAll(store)).toEqual([]);
  });

  it.each([null, 7, [], { judgment: "pass" }, { ...draft(), judgment: "great" }])("refuses %o", (foreign) => {
    expect(() => createAnnotation(store, { subject, draft: foreign, baseVersionId: null })).toThrow(
      ValidationError,
    );
  });

  it("stores the same save once when it is sent again", () => {
    const saveId = "5b6f0a54-9f0e-4c7e-8a55-0d5a6c2c1d11";
    const input = { subject, draft: draft(), baseVersionId: null, saveId };
    expect(createAnnotation(store, input).versionId).toBe(saveId);
    expect(createAnnotation(store, input).versionId).toBe(saveId);
    expect(readHistory(store, subject)[0]?.versions).toHaveLength(1);
  });

  it("reports a conflict with both sides when the reviewer saved in another window", () => {
    const there = save({ judgment: "fail", notes: "From the other window." });
    let caught: unknown;
    try {
      save({ judgment: "pass", notes: "From this window." }, null);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ConflictError);
    expect(caught).toMatchObject({
      current: {
        theirs: { current: { notes: "From the other window." }, headVersionId: there.versionId },
        mine: { notes: "From this window.", judgment: "pass" },
      },
    });
    expect(listLatest(store, subject).map((one) => one.versionId)).toEqual([there.versionId]);
  });
});

describe("withdrawing", () => {
  it("adds an event, keeps the text, and brings the judgment before it back", () => {
    const first = save({ judgment: "fail", notes: "First." });
    const second = save({ judgment: "pass", notes: "Second." }, first.versionId);
    const take = { subject, reviewerId: "Ana" };
    const once = withdrawAnnotation(store, { ...take, versionId: second.versionId });
    expect(once.current?.notes).toBe("First.");
    const twice = withdrawAnnotation(store, { ...take, versionId: first.versionId });
    expect(twice.current).toBeNull();
    expect(listLatest(store, subject)).toEqual([]);
    expect(countAnnotations(store)).toBe(0);
    expect(readHistory(store, subject)[0]?.versions.map((one) => [one.notes, one.status])).toEqual([
      ["Second.", "withdrawn"],
      ["First.", "withdrawn"],
    ]);
    const third = save({ judgment: "defer", notes: "Third." }, twice.headVersionId);
    expect(third.version).toBe(5);
  });

  it("refuses a version that is not current, and a version of somebody else", () => {
    const first = save({});
    save({ judgment: "fail" }, first.versionId);
    const take = { subject, versionId: first.versionId };
    expect(() => withdrawAnnotation(store, { ...take, reviewerId: "Ana" })).toThrow(ConflictError);
    expect(() => withdrawAnnotation(store, { ...take, reviewerId: "Ben" })).toThrow(NotFoundError);
  });

  it("makes a save on the withdrawn version a conflict", () => {
    const first = save({});
    withdrawAnnotation(store, { subject, reviewerId: "Ana", versionId: first.versionId });
    expect(() => save({ judgment: "fail" }, first.versionId)).toThrow(ConflictError);
  });
});

describe("finding a trial again", () => {
  it("follows the ids when the job's folder, name or root changed", () => {
    save({ judgment: "fail" });
    const moved = { ...subject, jobName: "nightly (copy)", rootLabel: "archive" };
    expect(listLatest(store, moved)).toHaveLength(1);
    expect(listLatest(store, { ...subject, trialId: null })).toHaveLength(1);
  });

  it("keeps trials of other jobs with the same name apart", () => {
    save({ judgment: "fail" });
    expect(listLatest(store, { ...subject, jobId: "another-job", trialId: "another-trial" })).toEqual([]);
    expect(listLatest(store, { ...subject, trialId: "another-trial" })).toEqual([]);
    const nameless = { ...subject, trialId: null, jobId: null };
    expect(listLatest(store, { ...nameless, jobName: "other" })).toEqual([]);
    expect(listLatest(store, nameless)).toHaveLength(1);
  });

  it("gives judgments and disagreement by the trial's key, against the outcome as it is now", () => {
    save({ judgment: "fail" });
    const trial = { key: "t1", id: subject.trialId, jobId: subject.jobId, trialName: subject.trialName };
    const job = { id: subject.jobId, name: "nightly" };
    const look = (outcome: "passed" | "failed" | "running") =>
      judgmentsByTrial(store, {
        job,
        trials: [
          { ...trial, outcome },
          { ...trial, key: "t2", id: "x", trialName: "y", outcome },
        ],
      });
    expect([...look("passed").keys()]).toEqual(["t1"]);
    expect(look("passed").get("t1")).toMatchObject({ judgment: "fail", disagrees: true });
    expect(look("failed").get("t1")).toMatchObject({ judgment: "fail", disagrees: false });
    expect(look("running").get("t1")).toMatchObject({ disagrees: false });
    save({ reviewerId: "Ben", judgment: "pass" });
    expect(look("failed").get("t1")).toMatchObject({ judgment: "mixed", disagrees: true });
  });
});

it("finds judgments among thousands of trials as it does among few", () => {
  save({ judgment: "fail" });
  const other = { id: null, jobId: null, outcome: "failed" } as const;
  const many = Array.from({ length: 3_000 }, (_, at) => ({
    ...other,
    key: `k${String(at)}`,
    trialName: `n${String(at)}`,
  }));
  const trial = {
    key: "t1",
    id: subject.trialId,
    jobId: subject.jobId,
    trialName: subject.trialName,
    outcome: "passed",
  } as const;
  const scope = { job: { id: subject.jobId, name: "nightly" }, trials: [...many, trial] };
  expect([...judgmentsByTrial(store, scope)].map(([key, { disagrees }]) => [key, disagrees])).toEqual([
    ["t1", true],
  ]);
});

describe("export", () => {
  it("writes one contract annotation per line, those that count or all of them", () => {
    const first = save({ judgment: "fail", categories: ["Wrong file"], notes: "Line one\nline two" });
    save(
      { judgment: "defer", notes: "Unclear.", reviewerDiscipline: "accounting" },
      first.versionId,
      "2026-11-14T10:05:00.000Z",
    );
    const lines = [...exportJsonl(store)];
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith("}\n")).toBe(true);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      schema: "assay.annotation/1",
      status: "current",
      trial_id: subject.trialId,
      reviewer_id: "Ana",
      reviewer_discipline: "accounting",
      timestamp: "2026-11-14T10:05:00.000Z",
      judgment: "defer",
      categories: [],
      notes: "Unclear.",
      reward_seen: "1.0",
    });
    const all = [...exportJsonl(store, { history: true })].map((line): unknown => JSON.parse(line));
    expect(all).toMatchObject([{ status: "superseded", notes: "Line one\nline two" }, { status: "current" }]);
  });
});

describe("categories", () => {
  it("offers what was used on the task first, then on the job, then elsewhere, then the starters", () => {
    const use = (categories: string[], change: Partial<AnnotationSubject>) =>
      createAnnotation(store, {
        subject: { ...subject, trialId: null, ...change },
        draft: draft({ judgment: "fail", categories }),
        baseVersionId: null,
      });
    for (const name of ["a", "b", "c"])
      use(["Elsewhere"], { trialName: name, taskName: "other", jobId: "j2" });
    for (const name of ["d", "e"]) use(["Same job"], { trialName: name, taskName: "other" });
    use(["Same task", "stopped early"], { trialName: "f" });
    const place = { taskName: subject.taskName, jobId: subject.jobId, jobName: subject.jobName };
    expect(suggestCategories(store, place).fail.map((one) => one.label)).toEqual([
      "Same task",
      "stopped early",
      "Same job",
      "Elsewhere",
      "Unverified claim",
      "Wrong output",
      "Misread task",
      "Weakened tests",
      "Environment",
    ]);
    expect(suggestCategories(store, place).pass.every((one) => one.nAll === 0)).toBe(true);
    expect(listCategories(store)[0]).toEqual({ label: "Elsewhere", count: 3 });
  });
});
