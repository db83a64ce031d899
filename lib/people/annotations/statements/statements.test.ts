import fc from "fast-check";
import { expect, it } from "vitest";

import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { AppError } from "@/lib/core/domain/app-error";
import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import {
  type AnnotationStore,
  answerSuggestion,
  createAnnotation,
  decide,
  dismissFinding,
  importAnnotations,
  listDecisions,
  nameCluster,
  openAnnotationStore,
  prepareExport,
  readHistory,
  readTagImports,
  readSuggestionAnswers,
  readTriageNotes,
  restoreFinding,
  undoTagImport,
  withdrawAnnotation,
  withdrawDecision,
} from "..";
import { changeRow } from "../damage.fixture";
import { readAnnotationsState } from "../list";
import { NO_ACTOR } from "../owner";
import { subjectOf } from "../queues/queue.fixture";
import type { JudgmentOperation, UndoOperation as UndoJudgment } from "./earlier-judgments.fixture";
import {
  CLUSTER,
  type DecisionOperation,
  EarlierStore,
  type NoteOperation,
  type Operation,
  OPERATIONS,
  timeOf,
} from "./earlier.fixture";

const exportText = async (store: AnnotationStore) =>
  [...(await prepareExport(store, { history: true })).lines].join("");

const importText = (store: AnnotationStore, text: string) =>
  importAnnotations(store, [{ name: "in.jsonl", bytes: [Buffer.from(text)] }], {
    isDryRun: false,
    actor: NO_ACTOR,
  });

const NAMES = { rootLabel: "runs", taskName: "task", agent: "orca", model: null };

async function perform(store: AnnotationStore, operation: Operation, now: Date): Promise<void> {
  const { author, actor: browserKeyHash } = operation;
  const actor = { browserKeyHash, isAdmin: false };
  if (operation.what === "judged" || operation.what === "unjudged") {
    await performJudgment(store, operation, now);
  } else if (operation.what === "answered") {
    const { trial, version, answer } = operation;
    const subject = { ...subjectOf(0), ...trial };
    await answerSuggestion(store, subject, { suggester: "rule:x", version, answer, author }, actor, now);
  } else if (operation.what === "imported") {
    const tags = operation.tags.map(({ trial, ...tag }) =>
      JSON.stringify({
        ...{ schema: "assay.tag/1", trial: trial.trialName, trial_id: trial.trialId },
        ...{ job: trial.jobName, job_id: trial.jobUuid },
        ...tag,
      }),
    );
    const files = [{ name: "in.jsonl", bytes: [Buffer.from(tags.join("\n"))] }];
    await importAnnotations(store, files, { isDryRun: false, actor, author }, now);
  } else if (operation.what === "decided") {
    await performDecision(store, operation, now);
  } else if (operation.what === "withdrawn") {
    const { decisionId = "" } = (await listDecisions(store))[operation.nth] ?? {};
    await withdrawDecision(store, { decisionId, actor }, now);
  } else if (operation.what === "undone") {
    const made = (await readTagImports(store))[operation.nth];
    await undoTagImport(store, { importId: made?.importId ?? "", author, actor }, now);
  } else {
    await performNote(store, operation, now);
  }
}

async function performJudgment(
  store: AnnotationStore,
  operation: JudgmentOperation | UndoJudgment,
  now: Date,
): Promise<void> {
  const { trial, author: reviewerId, actor: browserKeyHash } = operation;
  const subject = { ...{ ...subjectOf(0), ...trial }, ...NAMES };
  const actor = { browserKeyHash, isAdmin: false };
  const key = computeReviewerKey(reviewerId);
  const chain = (await readHistory(store, subject)).find(({ reviewerKey }) => reviewerKey === key);
  if (operation.what === "unjudged") {
    const versionId = chain?.current?.versionId ?? "";
    await withdrawAnnotation(store, { subject, reviewerId, versionId, actor }, now);
    return;
  }
  const { judgment, categories, isStale } = operation;
  const draft = { reviewerId, reviewerDiscipline: null, judgment, categories, notes: 'n "😀"\n\\' };
  const baseVersionId = isStale ? null : (chain?.headVersionId ?? null);
  await createAnnotation(store, { subject, draft, baseVersionId, actor }, now);
}

async function performNote(store: AnnotationStore, operation: NoteOperation, now: Date): Promise<void> {
  const { what, key, text, isStale, author, actor: browserKeyHash } = operation;
  const actor = { browserKeyHash };
  const notes = await readTriageNotes(store);
  const current = (what === "named" ? notes.names : notes.dismissals).get(key);
  const base = isStale ? 0 : (current?.history.at(-1)?.seq ?? 0);
  if (what === "named")
    await nameCluster(store, { key, name: text, cluster: CLUSTER, author, base }, actor, now);
  else if (what === "dismissed")
    await dismissFinding(store, { key, title: "Late", reason: text, author, base }, actor, now);
  else await restoreFinding(store, { key, reason: text, author, base }, actor, now);
}

async function performDecision(
  store: AnnotationStore,
  operation: DecisionOperation,
  now: Date,
): Promise<void> {
  const { trial, finalJudgment, categories, isStale, author, actor: browserKeyHash } = operation;
  const subject = { ...{ ...subjectOf(0), ...trial }, ...NAMES };
  const last = (await listDecisions(store, subject)).at(-1)?.decisionId ?? null;
  const draft = { finalJudgment, categories, reason: "Seen.", basedOn: "own", codebookNote: null };
  await decide(
    store,
    {
      subject,
      draft: { ...draft, decidedBy: author },
      sources: ["s1", "s2"].map((versionId) => ({ versionId, reviewerId: "Dan" })),
      baseDecisionId: isStale ? null : last,
      queueId: null,
      actor: { browserKeyHash, isAdmin: false },
    },
    now,
  );
}

async function isPerformed(store: AnnotationStore, operation: Operation, now: Date): Promise<boolean> {
  try {
    await perform(store, operation, now);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function expectSame(store: AnnotationStore, earlier: EarlierStore): Promise<void> {
  const { names, dismissals } = await readTriageNotes(store);
  const listNotes = (notes: typeof names | typeof dismissals) =>
    [...notes.values()]
      .map((note) => ({
        key: note.key,
        text: "name" in note ? note.name : note.reason,
        history: note.history.map(({ seq: _, ...change }) => change),
      }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  expect([listNotes(names), listNotes(dismissals)]).toEqual([
    earlier.listNotes("named"),
    earlier.listNotes("dismissed"),
  ]);
  const { standing: answers } = await readSuggestionAnswers(store);
  expect(
    answers.map(({ trial, version, reviewerId, answer, createdAt, browserKeyHash }) => [
      ...[trial.trialId, trial.jobName, version, reviewerId, answer, createdAt, browserKeyHash],
    ]),
  ).toEqual(
    earlier
      .listAnswers()
      .map((row) => [
        ...[row.trial_id, row.job_name, row.version, row.reviewer_id, row.kind, row.created_at],
        row.browser_key_hash,
      ]),
  );
  const imports = await readTagImports(store);
  expect(imports.map(({ author, createdAt, nTags, actor }) => [author, createdAt, nTags, actor])).toEqual(
    earlier
      .listImports()
      .map(({ import_id: id, author, created_at: at, browser_key_hash: hash }) => [
        ...[author, at, earlier.imported_tag.filter((tag) => tag.import_id === id).length, hash],
      ]),
  );
  expect(numberIds(await exportText(store))).toBe(numberIds(earlier.export()));
}

/** Ids of judgments and decisions are random. */
function numberIds(text: string): string {
  const ids = new Map<string, string>();
  return text.replaceAll(
    /(?<=_id":")(?:(?:judgment|decision|withdrawal) \d+|[\da-f]{8}-[\da-f-]{27})(?=")/g,
    (id) => {
      ids.set(id, ids.get(id) ?? String(ids.size));
      return ids.get(id) ?? "";
    },
  );
}

it("refuses and counts in any history what the tables of earlier releases did", async () => {
  await fc.assert(
    fc.asyncProperty(OPERATIONS, async (operations) => {
      const store = openAnnotationStore(freshSqlite());
      const earlier = new EarlierStore();
      for (const [nth, operation] of operations.entries()) {
        const now = timeOf(nth);
        const isStored = earlier.apply(operation, now.toISOString());
        expect([operation, await isPerformed(store, operation, now)]).toEqual([operation, isStored]);
      }
      await expectSame(store, earlier);
      await store.close();
    }),
    { ...planRuns({ short: 6, long: 10_000 }), endOnFailure: true },
  );
});

describeEngines("a store with the tables of earlier releases", (engine) => {
  it("counts and exports the same in the new table, and so does a store that imports that", async () => {
    await fc.assert(
      fc.asyncProperty(OPERATIONS, async (operations) => {
        const earlier = new EarlierStore();
        for (const [nth, operation] of operations.entries())
          earlier.apply(operation, timeOf(nth).toISOString());
        const target = await engine.freshTarget();
        await earlier.write(target);
        const [store, other] = [openAnnotationStore(target), openAnnotationStore(await engine.freshTarget())];
        await expectSame(store, earlier);
        const exported = await exportText(store);
        expect(exported).toBe(earlier.export());
        if (exported !== "") {
          expect(await importText(other, exported)).toMatchObject({ nErrors: 0, nConflicts: 0, nKnown: 0 });
          expect(await exportText(other)).toBe(exported);
          expect(await importText(store, exported)).toMatchObject({ nErrors: 0, nConflicts: 0 });
          expect(await exportText(store)).toBe(exported);
        }
        await store.close();
        await other.close();
      }),
      { ...planRuns({ short: 4, long: 100 }), endOnFailure: true },
    );
  });

  it("names what was damaged or unreadable in them, and counts nothing of it", async () => {
    const earlier = new EarlierStore();
    const said = { author: "Ana", actor: "a", key: "00112233aabbccdd", isStale: false } as const;
    earlier.apply({ ...said, what: "named", text: "Slow" }, timeOf(0).toISOString());
    earlier.apply({ ...said, what: "dismissed", text: "Known." }, timeOf(1).toISOString());
    const [, dismissed] = earlier.triage_note;
    if (dismissed !== undefined) earlier.triage_note[1] = { ...dismissed, about: "{" };
    const target = await engine.freshTarget();
    await earlier.write(target);
    await changeRow(target, "triage_note", "author", "Mallory");
    const store = openAnnotationStore(target);
    const { names, dismissals, problem } = await readTriageNotes(store);
    expect([names.size, dismissals.size]).toEqual([0, 0]);
    expect(problem).toContain("Row 2 of the table statement (triage_note) cannot be read");
    expect((await readAnnotationsState(store)).problem).toContain("does not match its checksum");
    expect(await exportText(store)).toContain("Mallory");
    await store.close();
  });
});
