import { describe, expect, it, onTestFinished } from "vitest";

import type { TrialIdentity } from "@/lib/core/domain/annotation";
import { ForbiddenError, NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import {
  type AnnotationStore,
  answerSuggestion,
  dismissFinding,
  importAnnotations,
  nameCluster,
  openAnnotationStore,
  prepareExport,
  prepareReviewerFiles,
  readAnnotationsVersion,
  readExport,
  readImportedTags,
  readTagImports,
  readSuggestionAnswers,
  readTriageNotes,
  readTrialTags,
  restoreFinding,
  undoTagImport,
} from "..";
import { text } from "../exchange/lines.fixture";
import { type Actor, NO_ACTOR } from "../owner";
import { subjectOf } from "../queues/queue.fixture";

const ANA: Actor = { browserKeyHash: "a".repeat(64), isAdmin: false };
const OTHER: Actor = { browserKeyHash: "b".repeat(64), isAdmin: false };

const trial = (name: string, jobName = "nightly", id: string | null = null): TrialIdentity => ({
  trialId: id,
  jobUuid: `id of ${jobName}`,
  trialName: name,
  jobName,
});

const ID = "0f7b6a52-8f1d-4f9b-9d67-0a7d52c1e001";
const OPEN = [trial("t1"), trial("t2", "nightly", ID), trial("twice"), trial("twice", "weekly")];

const findTrials = (names: ReadonlySet<string>) =>
  Promise.resolve(
    OPEN.filter(({ trialName, trialId }) => names.has(trialName) || (trialId !== null && names.has(trialId))),
  );

const tag = (change: object = {}) => ({ trial: "t1", category: "gave up", source: "my-judge", ...change });

const bytes = (content: string | Uint8Array) => [
  { name: "in.jsonl", bytes: [typeof content === "string" ? new TextEncoder().encode(content) : content] },
];

const run = (store: AnnotationStore, content: string | Uint8Array, change: object = {}) =>
  importAnnotations(store, bytes(content), {
    isDryRun: false,
    actor: ANA,
    author: "Ana",
    findTrials,
    ...change,
  });

describeEngines("tags of other tools", (engine) => {
  const open = async () => {
    const store = openAnnotationStore(await engine.freshTarget());
    onTestFinished(() => store.close());
    return store;
  };

  it("are imported once, with what was written about them, for trials named by name, id or job", async () => {
    const store = await open();
    const hostile = "<script>alert(1)</script>\u0000";
    const file = text(
      tag({ description: hostile, evidence: ["I give up.", { kind: "step", place: "7" }] }),
      tag({ trial: ID, source: "scan  ner", evidence: "one quote" }),
      tag({ trial: "twice", job: "weekly" }),
      tag({ trial: "twice", job: "id of nightly" }),
      tag(),
      tag(),
    );
    expect(await run(store, file, { isDryRun: true })).toMatchObject({ state: "checked", nNewTags: 5 });
    expect((await readImportedTags(store)).standing).toEqual([]);
    const before = await readAnnotationsVersion(store);
    const done = await run(store, file);
    expect(done).toMatchObject({ state: "done", nErrors: 0, nNewTags: 5, nRepeated: 1, nKnown: 0 });
    expect(done.trials.map(({ trialName, jobName }) => `${trialName} ${jobName}`).toSorted()).toEqual([
      "t1 nightly",
      "t2 nightly",
      "twice nightly",
      "twice weekly",
    ]);
    expect(await readAnnotationsVersion(store)).toBeGreaterThan(before ?? Infinity);
    expect(await readTrialTags(store, { ...trial("t1"), jobName: "moved" })).toEqual([
      {
        trial: trial("t1"),
        source: "my-judge",
        category: "gave up",
        description: "<script>alert(1)</script>\uFFFD",
        evidence: ["I give up.", { kind: "step", place: "7", source: null, line: null, quote: null }],
      },
      { trial: trial("t1"), source: "my-judge", category: "gave up", description: null, evidence: [] },
    ]);
    expect(await readTrialTags(store, trial("t2", "nightly", ID))).toMatchObject([
      { source: "scan ner", evidence: ["one quote"] },
    ]);
    expect(await run(store, file)).toMatchObject({ nNewTags: 0, nKnown: 5 });
    // New tags are added to the existing ones.
    expect(await run(store, text(tag(), tag({ category: "looped" })))).toMatchObject({
      nNewTags: 1,
      nKnown: 1,
    });
    expect((await readImportedTags(store)).standing).toHaveLength(6);
  });

  it("are refused with all their wrong lines in order", async () => {
    const store = await open();
    const report = await run(
      store,
      text(tag({ trial: "gone" }), tag({ category: "" }), tag({ trial: "lost" })),
    );
    expect(report.errors.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(report.nErrors).toBe(3);
  });

  it("need their job where no folder is open, and are kept", async () => {
    const store = await open();
    const alone = { isDryRun: false, actor: NO_ACTOR };
    const refused = await importAnnotations(store, bytes(text(tag())), alone);
    expect(refused).toMatchObject({ state: "refused", errors: [{ line: 1 }] });
    expect(refused.errors[0]?.message).toContain("job: It is missing");
    await importAnnotations(store, bytes(text(tag({ trial: "later", job: "someday" }))), alone);
    expect(await readTrialTags(store, trial("later", "someday"))).toHaveLength(1);
  });

  it("are undone as a whole by the browser that imported them, and come back when imported again", async () => {
    const store = await open();
    await run(store, text(tag(), tag({ trial: "t2" })));
    await run(store, text(tag({ source: "another" })), { actor: OTHER, author: "" });
    const [second, first] = await readTagImports(store);
    expect(first).toMatchObject({ author: "Ana", nTags: 2, sources: ["my-judge"] });
    expect(second).toMatchObject({ author: "", nTags: 1, sources: ["another"] });
    const importId = first?.importId ?? "";
    const undo = (actor: Actor) => undoTagImport(store, { importId, author: "Ana", actor });
    await expect(undo(OTHER)).rejects.toThrow(ForbiddenError);
    await expect(undo(NO_ACTOR)).rejects.toThrow(ForbiddenError);
    await undo(ANA);
    expect((await readImportedTags(store)).standing.map(({ source }) => source)).toEqual(["another"]);
    expect(await readTrialTags(store, trial("t2", "nightly", ID))).toEqual([]);
    await expect(undo(ANA)).rejects.toThrow(NotFoundError);
    expect(await run(store, text(tag(), tag({ trial: "t2" })))).toMatchObject({ nNewTags: 2, nKnown: 0 });
    // An admin may undo anybody's.
    const [third] = await readTagImports(store);
    await undoTagImport(store, {
      importId: third?.importId ?? "",
      author: "",
      actor: { ...OTHER, isAdmin: true },
    });
    expect((await readImportedTags(store)).standing).toHaveLength(1);
  });

  it("are refused, and nothing is stored, where files have more trials of one name than any folder", async () => {
    const store = await open();
    const lines = Array.from({ length: 1_001 }, (_, nth) =>
      tag({ job: `job ${String(nth)}`, category: String(nth) }),
    );
    const importing = run(store, text(...lines), { findTrials: undefined });
    await expect(importing).rejects.toThrow(ValidationError);
    expect((await readImportedTags(store)).standing).toEqual([]);
  });
});

describe("files of tags that are wrong", () => {
  it.each([
    ["an unknown trial", text(tag(), tag({ trial: "gone" })), 2, 'trial: No open folder has a trial "gone".'],
    ["a trial of another job", text(tag({ job: "weekly" })), 1, 'in a job "weekly"'],
    ["a trial of two jobs", text(tag({ trial: "twice" })), 1, "Name the job too"],
    ["no category", text(tag({ category: undefined })), 1, "category: It is missing"],
    ["an empty category", text(tag({ category: " " })), 1, "category: It is empty"],
    ["no source", text(tag({ source: undefined })), 1, "source: It is missing"],
    ["no trial", text(tag({ trial: undefined })), 1, "trial: It is missing"],
    ["a name that turns text around", text(tag({ source: "a\u202Eb" })), 1, "U+202E"],
    ["a description of 1 MB", text(tag({ description: "n".repeat(1_000_000) })), 1, "At most 20,000"],
    ["a quote of 1 MB", text(tag({ evidence: ["n".repeat(1_000_000)] })), 1, "At most 2,000"],
    ["evidence that is none", text(tag({ evidence: [{ step: 3 }] })), 1, "evidence.0"],
    ["a number for a text", text(tag({ description: 5 })), 1, "description: Expected text, found 5"],
    [
      "bytes that are no UTF-8",
      new Uint8Array([...new TextEncoder().encode('{"trial":"t1","category":"'), 0xff, 0x22, 0x7d, 0x0a]),
      1,
      "not UTF-8",
    ],
  ])("are refused as a whole for %s, with its line", async (_, content, line, message) => {
    const store = openAnnotationStore(freshSqlite());
    onTestFinished(() => store.close());
    const report = await run(store, content);
    expect(report).toMatchObject({ state: "refused", nErrors: 1, errors: [{ line }] });
    expect(report.errors[0]?.message).toContain(message);
    expect((await readImportedTags(store)).standing).toEqual([]);
  });
});

const KEY = "00112233aabbccdd";
const CLUSTER = { kind: "exception", scope: "TimeoutError", pattern: "timed out" };
const FINDING = "out_of_time 00112233aabbccdd";

describeEngines("names, dismissals, answers and tags in exports", (engine) => {
  const open = async () => {
    const store = openAnnotationStore(await engine.freshTarget());
    onTestFinished(() => store.close());
    return store;
  };
  const exportText = async (store: AnnotationStore, options = {}) =>
    [...(await prepareExport(store, options)).lines].join("");
  const lastOf = async (store: AnnotationStore) =>
    (await readTriageNotes(store)).dismissals.get(FINDING)?.history.at(-1)?.seq ?? 0;
  const answer = (store: AnnotationStore, given: "accepted" | "rejected" | null, actor = ANA) =>
    answerSuggestion(
      store,
      subjectOf(0),
      { suggester: "import:my-judge", version: "gave up", answer: given, author: "Ana" },
      actor,
    );
  /** A store in which everything happened once. */
  const fill = async () => {
    const store = await open();
    await nameCluster(store, { key: KEY, name: "Slow", cluster: CLUSTER, author: "Ana", base: 0 }, ANA);
    const finding = { key: FINDING, title: "Late", author: "Ana" };
    await dismissFinding(store, { ...finding, reason: "Meant so.", base: 0 }, ANA);
    const base = await lastOf(store);
    await restoreFinding(store, { key: FINDING, author: "Ben", reason: "It is not.", base }, OTHER);
    await answer(store, "accepted");
    await run(store, text(tag({ description: "why", evidence: ["q"] })));
    return store;
  };

  it("come back the same in an empty store, and nothing the second time", async () => {
    const source = await fill();
    const exported = await exportText(source);
    const target = await open();
    const done = await run(target, exported);
    expect(done).toMatchObject({ state: "done", nNewNotes: 3, nNewAnswers: 1, nNewTags: 1, nConflicts: 0 });
    expect(await exportText(target)).toBe(exported);
    expect(await run(target, exported)).toMatchObject({
      nNewNotes: 0,
      nNewAnswers: 0,
      nNewTags: 0,
      nKnown: 5,
      nConflicts: 0,
    });
    const notes = await readTriageNotes(target);
    expect(notes.names.get(KEY)).toMatchObject({ name: "Slow", cluster: CLUSTER });
    expect(notes.dismissals.get(FINDING)?.history).toMatchObject([
      { text: "Meant so.", author: "Ana" },
      { text: null, undoReason: "It is not.", author: "Ben" },
    ]);
    // The same from files for git, whose lines are sorted.
    const files = prepareReviewerFiles(await readExport(source, { history: true }));
    expect(files.map(({ name }) => name)).toEqual(["triage.jsonl"]);
    const third = await open();
    await run(third, files[0]?.text ?? "");
    expect(await exportText(third)).toBe(exported);
  });

  itLong(engine.name === "sqlite")(
    "go on from what is here, and leave alone what was changed in two places",
    async () => {
      const [source, target] = [await fill(), await open()];
      const early = await exportText(source);
      await run(target, early);
      const base = await lastOf(source);
      await dismissFinding(
        source,
        { key: FINDING, title: "Late", reason: "Still meant.", author: "Ana", base },
        ANA,
      );
      await answer(source, "rejected");
      const later = await run(target, await exportText(source));
      expect(later).toMatchObject({ nNewNotes: 1, nNewAnswers: 0, nConflicts: 1 });
      expect(later.conflicts[0]).toMatchObject({ kind: "fork", reviewerId: "Ana" });
      expect((await readTriageNotes(target)).dismissals.get(FINDING)?.reason).toBe("Still meant.");
      expect((await readSuggestionAnswers(target)).standing[0]?.answer).toBe("accepted");
      // An earlier export brings nothing back that was changed or undone since; a later answer is a new one.
      await answer(target, null);
      expect(await run(target, early)).toMatchObject({ nNewNotes: 0, nNewAnswers: 0, nConflicts: 0 });
      expect(await run(target, await exportText(source))).toMatchObject({ nNewAnswers: 1, nConflicts: 0 });
      const here = (await readTriageNotes(target)).names.get(KEY)?.history.at(-1)?.seq ?? 0;
      const name = (on: AnnotationStore, given: string, at: number) =>
        nameCluster(on, { key: KEY, name: given, cluster: CLUSTER, author: "Cleo", base: at });
      await name(target, "Here", here);
      const there = (await readTriageNotes(source)).names.get(KEY)?.history.at(-1)?.seq ?? 0;
      await name(source, "There", there);
      expect(await run(target, await exportText(source))).toMatchObject({ nNewNotes: 0, nConflicts: 1 });
      expect((await readTriageNotes(target)).names.get(KEY)?.name).toBe("Here");
    },
  );

  itLong(engine.name === "sqlite")("are those of a job, of a reviewer, and none for a queue", async () => {
    const store = await fill();
    const schemas = async (options: object) =>
      (await exportText(store, options))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => (JSON.parse(line) as { schema: string }).schema);
    expect(await schemas({ job: "nightly" })).toEqual(["assay.suggestion-answer/1", "assay.tag/1"]);
    expect(await schemas({ job: "weekly" })).toEqual([]);
    expect(await schemas({ reviewer: " ANA" })).toEqual(["assay.suggestion-answer/1"]);
    expect(await schemas({ queue: "q" })).toEqual([]);
  });

  itLong(engine.name === "sqlite")(
    "undo nothing and go on under no name that is another browser's here",
    async () => {
      const store = await open();
      const finding = { key: FINDING, title: "Late", author: "Ana" };
      await dismissFinding(store, { ...finding, reason: "Meant so.", base: 0 }, ANA);
      const here = await exportText(store);
      const note = JSON.parse(here.trim()) as Record<string, unknown>;
      const add = (change: object) =>
        `${here}${JSON.stringify({ ...note, text: null, timestamp: "2026-06-01T10:00:00.000Z", ...change })}\n`;
      const undo = { kind: "restored", about: null };
      for (const author of ["Ana", "Ben"])
        expect(await run(store, add({ ...undo, author }), { actor: OTHER })).toMatchObject({
          nNewNotes: 0,
          conflicts: [{ kind: "owned", line: 2 }],
        });
      expect((await readTriageNotes(store)).dismissals.get(FINDING)?.reason).toBe("Meant so.");
      const said = { kind: "restored", about: { reason: "It is not." }, author: "Ben" };
      expect(await run(store, add(said), { actor: OTHER })).toMatchObject({ nNewNotes: 1, nConflicts: 0 });
    },
  );
});
