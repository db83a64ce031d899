import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { AnnotationDraft, AnnotationSubject } from "@/lib/core/domain/annotation";
import { ConflictError, NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import type { Judgment } from "@/lib/core/domain/judgment";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import {
  type AnnotationStore,
  createAnnotation,
  type Decision,
  groupByName,
  listAll,
  matchJudgments,
  openAnnotationStore,
  prepareExport,
  readAnnotationsState,
  readAnnotationsVersion,
  readHistory,
  withdrawAnnotation,
} from "./index";

const listLatest = async (store: AnnotationStore, trial: AnnotationSubject) =>
  (await readHistory(store, trial)).flatMap(({ current }) => current ?? []);

const subject: AnnotationSubject = {
  trialId: "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b01",
  jobUuid: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901",
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
    confidence: null,
    evidence: [],
    ...change,
  };
}

let store: AnnotationStore;

function save(change: Partial<AnnotationDraft>, base: string | null = null, at = "2026-11-14T10:00:00.000Z") {
  return createAnnotation(store, { subject, draft: draft(change), baseVersionId: base }, new Date(at));
}

async function exportLines(options: { readonly history?: boolean } = {}): Promise<string[]> {
  return [...(await prepareExport(store, options)).lines];
}

describeEngines("annotations", (engine) => {
  beforeEach(async () => {
    store = openAnnotationStore(await engine.freshTarget());
  });

  afterEach(() => store.close());

  itLong(engine.name === "sqlite")("have a version that grows with every event, by any author", async () => {
    const seen = [await readAnnotationsVersion(store)];
    expect(seen).toEqual([0]);
    const saved = await save({});
    seen.push(await readAnnotationsVersion(store));
    await save({ judgment: "fail" }, saved.versionId);
    seen.push(await readAnnotationsVersion(store), await readAnnotationsVersion(store));
    const [chain] = await readHistory(store, subject);
    const head = chain?.headVersionId;
    if (head == null) throw new Error("nothing was saved");
    await withdrawAnnotation(store, { subject, reviewerId: "Ana", versionId: head });
    seen.push(await readAnnotationsVersion(store));
    const [none, one, two, same, withdrawn] = seen.map((version) => version ?? -1);
    expect(same).toBe(two);
    expect([none, one, two, withdrawn]).toEqual(
      [...new Set([none, one, two, withdrawn])].sort((a, b) => (a ?? 0) - (b ?? 0)),
    );
  });

  describe("saving", () => {
    it("keeps every version and lets the last one count", async () => {
      const first = await save({
        judgment: "fail",
        categories: ["Wrong file"],
        notes: "Edited the copy.\nNot the original.",
      });
      const second = await save({ judgment: "pass" }, first.versionId, "2026-11-14T10:05:00.000Z");
      const [chain] = await readHistory(store, subject);
      expect(chain?.versions.map((one) => [one.version, one.judgment, one.status])).toEqual([
        [2, "pass", "current"],
        [1, "fail", "superseded"],
      ]);
      expect(chain?.versions[1]).toMatchObject({
        notes: "Edited the copy.\nNot the original.",
        categories: ["Wrong file"],
        timestamp: "2026-11-14T10:00:00.000Z",
        subject: { rewardSeen: "1.0", outcomeSeen: "passed" },
      });
      expect((await listLatest(store, subject)).map((one) => one.versionId)).toEqual([second.versionId]);
    });

    itLong(engine.name === "sqlite")("keeps reviewers apart, however one name is typed", async () => {
      const ana = await save({});
      await save({ reviewerId: "Ben", judgment: "fail" });
      await save({ reviewerId: "  ana ", judgment: "defer", notes: "Ask the author." }, ana.versionId);
      expect((await listLatest(store, subject)).map((one) => [one.reviewerId, one.judgment])).toEqual([
        ["ana", "defer"],
        ["Ben", "fail"],
      ]);
      expect((await readAnnotationsState(store)).nCurrent).toBe(2);
    });

    itLong(engine.name === "sqlite")(
      "counts a trial as lists tell it apart, whether or not its job's id was known",
      async () => {
        const about = (change: Partial<AnnotationSubject>, at: number) =>
          createAnnotation(
            store,
            { subject: { ...subject, ...change }, draft: draft(), baseVersionId: null },
            new Date(Date.UTC(2026, 10, 14, 10, at)),
          );
        const first = await about({ jobUuid: null }, 0);
        await save({}, first.versionId, "2026-11-14T10:01:00.000Z");
        expect((await readAnnotationsState(store)).nCurrent).toBe(1);
        const again = "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b02";
        await about({ trialId: again, jobUuid: null, jobName: "nightly" }, 2);
        const listed = (await listAll(store)).flatMap(({ chains }) =>
          chains.flatMap(({ current }) => current ?? []),
        );
        expect(listed).toHaveLength(2);
        expect((await readAnnotationsState(store)).nCurrent).toBe(2);
        await save({ reviewerId: "Ben" });
        expect((await readAnnotationsState(store)).nCurrent).toBe(3);
      },
    );

    itLong(engine.name === "sqlite")(
      "drops blanks and repeats from categories, and makes blank texts null",
      async () => {
        const saved = await save({
          categories: [" Wrong file ", "wrong file", "", "Slow"],
          notes: "  \n ",
          reviewerDiscipline: " ",
        });
        expect(saved).toMatchObject({
          categories: ["Wrong file", "Slow"],
          notes: null,
          reviewerDiscipline: null,
        });
      },
    );

    itLong(engine.name === "sqlite").each([
      [{ reviewerId: "   " }, "reviewerId"],
      [{ judgment: null }, "judgment"],
      [{ judgment: "defer" as const, notes: "  " }, "notes"],
      [{ notes: "x".repeat(20_001) }, "notes"],
      [{ categories: ["x".repeat(81)] }, "categories"],
    ])("refuses %o with a sentence for %s and stores nothing", async (change, field) => {
      let caught: unknown;
      try {
        await save(change);
      } catch (error) {
        caught = error;
      }
      expect(caught).toBeInstanceOf(ValidationError);
      expect(caught instanceof ValidationError ? Object.keys(caught.fields) : []).toEqual([field]);
      expect(await listAll(store)).toEqual([]);
    });

    itLong(engine.name === "sqlite").each([
      null,
      7,
      [],
      { judgment: "pass" },
      { ...draft(), judgment: "great" },
    ])("refuses %o", async (foreign) => {
      await expect(
        createAnnotation(store, { subject, draft: foreign, baseVersionId: null }),
      ).rejects.toBeInstanceOf(ValidationError);
    });

    it("stores the same save once when it is sent again", async () => {
      const saveId = "5b6f0a54-9f0e-4c7e-8a55-0d5a6c2c1d11";
      const input = { subject, draft: draft(), baseVersionId: null, saveId };
      expect((await createAnnotation(store, input)).versionId).toBe(saveId);
      expect((await createAnnotation(store, input)).versionId).toBe(saveId);
      expect((await readHistory(store, subject))[0]?.versions).toHaveLength(1);
    });

    itLong(engine.name === "sqlite").each([
      ["text", { notes: "Another note." }, {}],
      ["judgment", { judgment: "fail" as const }, {}],
      ["reviewer", { reviewerId: "Ben" }, {}],
      ["trial", {}, { trialName: "other__x", trialId: null }],
    ])(
      "refuses another %s under the id of a save, and keeps what is stored",
      async (_, change, elsewhere) => {
        const saveId = "5b6f0a54-9f0e-4c7e-8a55-0d5a6c2c1d11";
        await createAnnotation(store, { subject, draft: draft(), baseVersionId: null, saveId });
        const other = {
          subject: { ...subject, ...elsewhere },
          draft: draft(change),
          baseVersionId: null,
          saveId,
        };
        await expect(createAnnotation(store, other)).rejects.toBeInstanceOf(ValidationError);
        expect((await exportLines({ history: true })).map((line): unknown => JSON.parse(line))).toMatchObject(
          [{ version_id: saveId, judgment: "pass", notes: null, reviewer_id: "Ana" }],
        );
      },
    );

    it("reports a conflict with both sides when the reviewer saved in another window", async () => {
      const there = await save({ judgment: "fail", notes: "From the other window." });
      let caught: unknown;
      try {
        await save({ judgment: "pass", notes: "From this window." }, null);
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
      expect((await listLatest(store, subject)).map((one) => one.versionId)).toEqual([there.versionId]);
    });
  });

  describe("withdrawing", () => {
    it("adds an event, keeps the text, and brings the judgment before it back", async () => {
      const first = await save({ judgment: "fail", notes: "First." });
      const second = await save({ judgment: "pass", notes: "Second." }, first.versionId);
      const take = { subject, reviewerId: "Ana" };
      const once = await withdrawAnnotation(store, { ...take, versionId: second.versionId });
      expect(once.current?.notes).toBe("First.");
      const twice = await withdrawAnnotation(store, { ...take, versionId: first.versionId });
      expect(twice.current).toBeNull();
      expect(await listLatest(store, subject)).toEqual([]);
      expect((await readAnnotationsState(store)).nCurrent).toBe(0);
      expect((await readHistory(store, subject))[0]?.versions.map((one) => [one.notes, one.status])).toEqual([
        ["Second.", "withdrawn"],
        ["First.", "withdrawn"],
      ]);
      const third = await save({ judgment: "defer", notes: "Third." }, twice.headVersionId);
      expect(third.version).toBe(5);
    });

    itLong(engine.name === "sqlite")(
      "refuses a version that is not current, and a version of another user",
      async () => {
        const first = await save({});
        await save({ judgment: "fail" }, first.versionId);
        const take = { subject, versionId: first.versionId };
        await expect(withdrawAnnotation(store, { ...take, reviewerId: "Ana" })).rejects.toBeInstanceOf(
          ConflictError,
        );
        await expect(withdrawAnnotation(store, { ...take, reviewerId: "Ben" })).rejects.toBeInstanceOf(
          NotFoundError,
        );
      },
    );

    itLong(engine.name === "sqlite")("makes a save on the withdrawn version a conflict", async () => {
      const first = await save({});
      await withdrawAnnotation(store, { subject, reviewerId: "Ana", versionId: first.versionId });
      await expect(save({ judgment: "fail" }, first.versionId)).rejects.toBeInstanceOf(ConflictError);
    });
  });

  describe("finding a trial again", () => {
    it("follows the ids when the job's folder, name or root changed", async () => {
      await save({ judgment: "fail" });
      const moved = { ...subject, jobName: "nightly (copy)", rootLabel: "archive" };
      expect(await listLatest(store, moved)).toHaveLength(1);
      expect(await listLatest(store, { ...subject, trialId: null })).toHaveLength(1);
    });

    itLong(engine.name === "sqlite")("keeps trials of other jobs with the same name apart", async () => {
      await save({ judgment: "fail" });
      expect(
        await listLatest(store, { ...subject, jobUuid: "another-job", trialId: "another-trial" }),
      ).toEqual([]);
      expect(await listLatest(store, { ...subject, trialId: "another-trial" })).toEqual([]);
      const nameless = { ...subject, trialId: null, jobUuid: null };
      expect(await listLatest(store, { ...nameless, jobName: "other" })).toEqual([]);
      expect(await listLatest(store, nameless)).toHaveLength(1);
    });

    itLong(engine.name === "sqlite")(
      "gives judgments and disagreement by the trial's key, against the outcome as it is now",
      async () => {
        await save({ judgment: "fail" });
        const trial = {
          key: "t1",
          id: subject.trialId,
          jobUuid: subject.jobUuid,
          trialName: subject.trialName,
        };
        const job = { uuid: subject.jobUuid, name: "nightly" };
        const judge = async (outcome: "passed" | "failed" | "running", finalJudgment?: Judgment | null) =>
          matchJudgments(
            groupByName(await listAll(store)),
            {
              job,
              trials: [
                { ...trial, outcome },
                { ...trial, key: "t2", id: "x", trialName: "y", outcome },
              ],
            },
            () => (finalJudgment === undefined ? null : ({ finalJudgment } as Decision)),
          );
        expect([...(await judge("passed")).keys()]).toEqual(["t1"]);
        expect((await judge("passed")).get("t1")).toMatchObject({ judgment: "fail", disagrees: true });
        expect((await judge("failed")).get("t1")).toMatchObject({ judgment: "fail", disagrees: false });
        expect((await judge("running")).get("t1")).toMatchObject({ disagrees: false });
        // Decisions do not count over one reviewer, or several who agree.
        expect((await judge("passed", "pass")).get("t1")).toMatchObject({
          judgment: "fail",
          isDecided: false,
        });
        await save({ reviewerId: "Ben", judgment: "pass" });
        expect((await judge("failed")).get("t1")).toMatchObject({ judgment: "mixed", disagrees: true });
        // A decision over the two is what humans say, with the verifier or against it; one that leaves it open is none.
        const decided = { judgment: "fail", isDecided: true, disagrees: false };
        expect((await judge("failed", "fail")).get("t1")).toMatchObject(decided);
        expect((await judge("passed", "fail")).get("t1")).toMatchObject({ ...decided, disagrees: true });
        expect((await judge("failed", null)).get("t1")).toMatchObject({
          judgment: "mixed",
          isDecided: false,
        });
      },
    );
  });

  describe("export", () => {
    it("writes one contract annotation per line, those that count or all of them", async () => {
      const first = await save({ judgment: "fail", categories: ["Wrong file"], notes: "Line one\nline two" });
      await save(
        { judgment: "defer", notes: "Unclear.", reviewerDiscipline: "accounting" },
        first.versionId,
        "2026-11-14T10:05:00.000Z",
      );
      const lines = await exportLines();
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
      const all = (await exportLines({ history: true })).map((line): unknown => JSON.parse(line));
      expect(all).toMatchObject([
        { status: "superseded", notes: "Line one\nline two" },
        { status: "current" },
      ]);
    });
  });

  it("exports versions in the order they were saved, regardless of the clock", async () => {
    const first = await save({ notes: "one" }, null, "2026-11-14T12:00:00.000Z");
    const second = await save({ notes: "two" }, first.versionId, "2026-11-14T10:00:00.000Z");
    await save({ notes: "three" }, second.versionId, "2026-11-14T11:00:00.000Z");
    expect((await exportLines({ history: true })).map((line): unknown => JSON.parse(line))).toMatchObject([
      { version: 1, notes: "one" },
      { version: 2, notes: "two" },
      { version: 3, notes: "three" },
    ]);
  });
});
