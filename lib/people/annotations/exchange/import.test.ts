import fc from "fast-check";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import type { AnnotationDraft, AnnotationSubject } from "@/lib/core/domain/annotation";
import { describeEngines, type EngineUnderTest } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import {
  type AnnotationStore,
  changeCodebook,
  createAnnotation,
  decide,
  importAnnotations,
  openAnnotationStore,
  prepareExport,
  prepareReviewerFiles,
  readCodebook,
  readExport,
  readHistory,
  withdrawAnnotation,
  withdrawDecision,
} from "../index";
import { NO_ACTOR } from "../owner";

const subject: AnnotationSubject = {
  trialId: "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b01",
  jobUuid: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901",
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: null,
  outcomeSeen: "failed",
  rewardSeen: "0.0",
};

const trial = (index: number): AnnotationSubject => ({
  ...subject,
  trialId: null,
  trialName: `task-${String(index)}__x`,
});

const draft = (change: Partial<AnnotationDraft> = {}): AnnotationDraft => ({
  reviewerId: "Ana",
  reviewerDiscipline: null,
  judgment: "fail",
  categories: [],
  notes: null,
  confidence: null,
  evidence: [],
  ...change,
});

const ANA = { browserKeyHash: "a".repeat(64), isAdmin: false };
const OTHER = { browserKeyHash: "b".repeat(64), isAdmin: false };
const ADMIN = { browserKeyHash: null, isAdmin: true };

/** Judges like the page: on the current judgment. */
async function judge(
  store: AnnotationStore,
  on: AnnotationSubject,
  change: Partial<AnnotationDraft> = {},
  more: Partial<Parameters<typeof createAnnotation>[1]> = {},
) {
  const given = draft(change);
  const chains = await readHistory(store, on);
  const base = chains.find(({ reviewerId }) => reviewerId === given.reviewerId)?.headVersionId ?? null;
  return createAnnotation(store, { subject: on, draft: given, baseVersionId: base, ...more });
}

async function undo(store: AnnotationStore, on: AnnotationSubject, reviewerId = "Ana", actor = NO_ACTOR) {
  const chain = (await readHistory(store, on)).find((one) => one.reviewerId === reviewerId);
  const versionId = chain?.current?.versionId ?? "";
  await withdrawAnnotation(store, { subject: on, reviewerId, versionId, actor });
}

const exportText = async (store: AnnotationStore, history = true) =>
  [...(await prepareExport(store, { history })).lines].join("");

const bytes = (name: string, content: string | Uint8Array) => ({
  name,
  bytes: [typeof content === "string" ? new TextEncoder().encode(content) : content],
});

const run = (store: AnnotationStore, text: string | Uint8Array, actor = NO_ACTOR, isDryRun = false) =>
  importAnnotations(store, [bytes("in.jsonl", text)], { isDryRun, actor });

const judgmentsOf = async (store: AnnotationStore, on: AnnotationSubject = subject) =>
  (await readHistory(store, on)).map(({ reviewerId, current }) => [reviewerId, current?.judgment ?? null]);

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const write = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

describeEngines("import", (engine: EngineUnderTest) => {
  const open = async () => openAnnotationStore(await engine.freshTarget());
  let source: AnnotationStore;
  let target: AnnotationStore;

  beforeEach(async () => {
    source = await open();
    target = await open();
    return async () => {
      await source.close();
      await target.close();
    };
  });

  itLong(engine.name === "sqlite")(
    "records which account imported others' judgments, regardless of the file's `saved_by`",
    async () => {
      await judge(source, subject, { reviewerId: "Rita" });
      await judge(source, subject, { reviewerId: "Ana" });
      await judge(source, trial(1), { reviewerId: "Rita" });
      await undo(source, trial(1), "Rita");
      const text = (await exportText(source)).replace('"saved_by":null', '"saved_by":"admin"');
      const importAs = (author: string, given: string) =>
        importAnnotations(target, [bytes("in.jsonl", given)], {
          isDryRun: false,
          actor: { ...ANA, earlierKeyHash: null },
          author,
        });
      expect(await importAs("ANA", text)).toMatchObject({ state: "done", nNew: 3, nConflicts: 0 });
      const own = linesOf(await exportText(target));
      expect(own.map((one) => [one["reviewer_id"], one["saved_by"], one["withdrawn_by"]])).toEqual([
        ["Rita", "import by ANA", null],
        ["Ana", null, null],
        ["Rita", "import by ANA", "import by ANA"],
      ]);
      // The same file again, and what it became, say nothing new, and are taken where there are no accounts.
      for (const again of [text, await exportText(target)])
        expect(await importAs("Bo", again)).toMatchObject({ nNew: 0, nKnown: 3, nConflicts: 0 });
      const elsewhere = await open();
      onTestFinished(() => elsewhere.close());
      expect(await run(elsewhere, await exportText(target))).toMatchObject({ nNew: 3 });
      expect(await exportText(elsewhere)).toBe(await exportText(target));
    },
  );

  it("gives an empty store the same export, byte by byte, and does nothing the second time", async () => {
    await judge(source, subject, {
      judgment: "pass",
      categories: ["Verifier too strict", "<script>alert(1)</script>", "=SUM(A1)"],
      notes: "line\nbreak \u2028 and “quotes”",
      confidence: "high",
      reviewerDiscipline: "chemistry",
      evidence: [{ kind: "step", place: "12", source: null, line: 3, quote: "‮rm -rf" }],
    });
    await judge(source, trial(1), { reviewerId: "Bo" }, { fingerprint: `1:${"a".repeat(32)}:-` });
    await judge(source, subject, { judgment: "defer", notes: "not sure" });
    await undo(source, subject);
    const corrected = await judge(source, subject, { categories: ["new one"] }, { actor: ADMIN });
    await judge(
      source,
      trial(1),
      { reviewerId: "Ana" },
      {
        queue: { queueId: "q1", position: 4, hidden: ["verifier", "reviewers"] },
      },
    );
    await undo(source, trial(1), "Bo");
    const { codebook } = await readCodebook(source);
    const renamed = codebook.categories.find(({ label }) => label === "new one");
    await changeCodebook(source, {
      change: { kind: "edit", id: renamed?.id, text: { ...renamed, label: "renamed one" } },
      author: "Bo",
      baseVersion: codebook.version,
    });
    await judge(source, trial(2), { categories: ["renamed one"] });
    const decision = await decide(source, {
      subject,
      draft: {
        finalJudgment: "fail",
        categories: ["agreed"],
        reason: "It never ran.",
        basedOn: "a",
        codebookNote: null,
        decidedBy: "Cy",
      },
      sources: [{ versionId: corrected.versionId, reviewerId: "Ana" }],
      baseDecisionId: null,
      queueId: null,
      actor: ANA,
    });
    await withdrawDecision(source, { decisionId: decision.decisionId, actor: ANA });
    await decide(source, {
      subject,
      draft: {
        finalJudgment: null,
        categories: [],
        reason: "Open.",
        basedOn: null,
        codebookNote: "say more",
        decidedBy: "Cy",
      },
      sources: [],
      baseDecisionId: null,
      queueId: "q1",
      actor: ANA,
    });

    const text = await exportText(source);
    const dry = await run(target, text, NO_ACTOR, true);
    expect(dry).toMatchObject({
      state: "checked",
      nNew: 6,
      nNewDecisions: 2,
      nKnown: 0,
      nErrors: 0,
      nConflicts: 0,
    });
    expect(await exportText(target)).toBe("");
    expect(await run(target, text)).toMatchObject({ state: "done", nNew: 6, nNewDecisions: 2 });
    // Versions of the codebook are numbers of each store.
    const strip = (exported: string) => exported.replaceAll(/"codebook_version":\d+/g, "");
    const copy = await exportText(target);
    expect(strip(copy)).toBe(strip(text));
    expect(strip(await exportText(target, false))).toBe(strip(await exportText(source, false)));
    expect(await run(target, text)).toMatchObject({ state: "done", nNew: 0, nNewDecisions: 0, nKnown: 8 });
    expect(await exportText(target)).toBe(copy);
    expect(await run(source, copy)).toMatchObject({ nNew: 0, nNewDecisions: 0, nKnown: 8, nConflicts: 0 });
  });

  itLong(engine.name === "sqlite")(
    "gives back what any reviewers did in any order, from one file or from one a reviewer",
    async () => {
      const action = fc.record({
        reviewer: fc.constantFrom("Ana", "Bo"),
        trial: fc.nat(2),
        what: fc.constantFrom("save", "save", "undo"),
        judgment: fc.constantFrom("pass" as const, "fail" as const),
        notes: fc.option(fc.string({ unit: "grapheme", maxLength: 30 }), { nil: null }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 14 }), async (actions) => {
          const stores = await Promise.all([open(), open(), open()]);
          const [from, to, apart] = stores;
          try {
            for (const { reviewer, trial: index, what, judgment, notes } of actions) {
              if (what === "save") await judge(from, trial(index), { reviewerId: reviewer, judgment, notes });
              else if (
                (await judgmentsOf(from, trial(index))).some(
                  ([who, stands]) => who === reviewer && stands !== null,
                )
              )
                await undo(from, trial(index), reviewer);
            }
            const text = await exportText(from);
            if (text === "") return;
            await run(to, text);
            expect(await exportText(to)).toBe(text);
            const files = prepareReviewerFiles(await readExport(from, { history: true }));
            const shuffled = files.toReversed().map(({ name, text: content }) => bytes(name, content));
            await importAnnotations(apart, shuffled, { isDryRun: false, actor: NO_ACTOR });
            expect(prepareReviewerFiles(await readExport(apart, { history: true }))).toEqual(files);
            for (const index of [0, 1, 2])
              expect((await judgmentsOf(apart, trial(index))).toSorted()).toEqual(
                (await judgmentsOf(from, trial(index))).toSorted(),
              );
          } finally {
            // Those of hundreds of runs would take every connection of the server that all test files share.
            await Promise.all(stores.map((store) => store.close()));
          }
        }),
        planRuns({ short: engine.name === "sqlite" ? 12 : 4, long: 300 }),
      );
    },
  );

  itLong(engine.name === "sqlite")("continues a chain that the file continues, an undo too", async () => {
    await judge(source, subject, { judgment: "pass" });
    await run(target, await exportText(source));
    await judge(source, subject, { judgment: "fail" });
    expect(await run(target, await exportText(source))).toMatchObject({ nNew: 1, nKnown: 1, nWithdrawn: 0 });
    expect(await judgmentsOf(target)).toEqual([["Ana", "fail"]]);
    await undo(source, subject);
    expect(await run(target, await exportText(source))).toMatchObject({ nNew: 0, nKnown: 2, nWithdrawn: 1 });
    expect(await judgmentsOf(target)).toEqual([["Ana", "pass"]]);
    expect(await exportText(target)).toBe(await exportText(source));
  });

  itLong(engine.name === "sqlite")(
    "leaves a chain alone that was judged in both places, says where, and takes the rest",
    async () => {
      await judge(target, subject, { judgment: "pass" });
      await judge(source, subject, { judgment: "fail" });
      await judge(source, trial(1));
      const text = await exportText(source);
      const report = await run(target, text);
      expect(report).toMatchObject({ state: "done", nNew: 1, nConflicts: 1 });
      expect(report.conflicts[0]).toMatchObject({
        kind: "fork",
        file: "in.jsonl",
        line: 1,
        reviewerId: "Ana",
        trialName: subject.trialName,
      });
      expect(await judgmentsOf(target)).toEqual([["Ana", "pass"]]);
      // The advised remedy works.
      await undo(target, subject);
      expect(await run(target, text)).toMatchObject({ nNew: 1, nConflicts: 0 });
      expect(await judgmentsOf(target)).toEqual([["Ana", "fail"]]);
    },
  );

  itLong(engine.name === "sqlite")(
    "does not change what counts of another browser's judgment, unless an admin imports",
    async () => {
      await judge(target, subject, { judgment: "pass" }, { actor: OTHER });
      const [here] = linesOf(await exportText(target));
      const text = write([
        { ...here, status: "superseded" },
        { ...here, version_id: "next", version: 2, judgment: "fail" },
      ]);
      for (const actor of [NO_ACTOR, ANA]) {
        expect((await run(target, text, actor)).conflicts).toMatchObject([{ kind: "owned", line: 2 }]);
        expect(await judgmentsOf(target)).toEqual([["Ana", "pass"]]);
      }
      expect(await run(target, text, ADMIN)).toMatchObject({ nConflicts: 0, nNew: 1 });
      expect(await judgmentsOf(target)).toEqual([["Ana", "fail"]]);
      // It stays that browser's.
      await expect(judge(target, subject, {}, { actor: ANA })).rejects.toThrow("another browser");
      await judge(target, subject, { judgment: "pass" }, { actor: OTHER });
    },
  );

  itLong(engine.name === "sqlite")("belongs to the first browser that judges under the name", async () => {
    await judge(source, subject, {}, { actor: ANA });
    await run(target, await exportText(source));
    await judge(target, subject, { judgment: "pass" }, { actor: OTHER });
    await expect(judge(target, subject, {}, { actor: ANA })).rejects.toThrow("another browser");
  });

  itLong(engine.name === "sqlite")("refuses an id that is something else here", async () => {
    const saved = await judge(source, subject, { judgment: "pass" });
    const text = await exportText(source);
    await run(target, text);
    const [line] = linesOf(text);
    const report = await run(target, write([{ ...line, judgment: "fail" }]));
    expect(report.conflicts).toMatchObject([{ kind: "id", line: 1 }]);
    const elsewhere = await run(
      target,
      write([{ ...line, trial_name: "another", version_id: saved.versionId }]),
    );
    expect(elsewhere.conflicts).toMatchObject([{ kind: "id" }]);
    expect(await exportText(target)).toBe(text);
  });

  it("stores nothing from files with one invalid line", async () => {
    await judge(source, subject);
    await judge(source, trial(1));
    const text = await exportText(source);
    const cut = text.slice(0, -40);
    const report = await run(target, cut);
    expect(report).toMatchObject({ state: "refused", nErrors: 1 });
    expect(report.errors[0]).toMatchObject({ file: "in.jsonl", line: 2 });
    expect(await exportText(target)).toBe("");
  });
});
