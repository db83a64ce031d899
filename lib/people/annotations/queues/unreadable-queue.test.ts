import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import {
  type AnnotationStore,
  createQueue,
  decide,
  importAnnotations,
  listDecisions,
  listQueues,
  moveItem,
  openAnnotationStore,
  prepareExport,
  readAnnotationsState,
  readQueue,
  readQueueItem,
  takeItem,
  takeNext,
} from "..";
import { NO_ACTOR } from "../owner";
import { insertStatements } from "../statements/statement";
import { SETTINGS, subjectOf } from "./queue.fixture";

const TIME = "2026-03-01T09:00:00.000Z";
const BYTES: unknown = Buffer.from("bytes");

const DECISION = {
  id: "odd",
  kind: "decision",
  subject: subjectOf(0).trialName,
  parent: null,
  author: "Ada",
  actor: null,
  at: "soon",
  body: "{}",
} as const;

let store: AnnotationStore;
afterEach(() => store.close());

function make(nTrials: number) {
  const items = Array.from({ length: nTrials }, (_, place) => ({
    subject: subjectOf(place),
    nReviewers: 1 as const,
  }));
  return createQueue(store, { settings: SETTINGS, items, author: "Ada" });
}

/** Stores a queue from a row, with two trials; `wrongTrial` describes the first. */
async function storeQueue(wrong: object, wrongTrial: object = {}): Promise<void> {
  const row = { subject: "", parent: null, author: "Eve", actor: null, at: TIME };
  const listItem = (position: number, trial: object) => ({
    ...row,
    kind: "queue_item" as const,
    id: `odd ${String(position)}`,
    subject: String(position),
    parent: "odd",
    body: JSON.stringify({ trial: { ...subjectOf(position), ...trial }, position, nReviewers: 1 }),
  });
  await store.write((db) =>
    insertStatements(db, [
      { ...row, kind: "queue", id: "odd", body: JSON.stringify(SETTINGS), ...wrong },
      listItem(0, wrongTrial),
      listItem(1, {}),
    ]),
  );
}

async function expectAlone(column: string): Promise<void> {
  const good = await make(1);
  const { queues, unreadable } = await listQueues(store);
  expect(queues.map(({ queueId }) => queueId)).toEqual([good]);
  expect(unreadable).toMatchObject([{ queueId: "odd" }]);
  for (const part of [column, "row 1 of the table statement", "Update Assay", "backup"])
    expect(unreadable[0]?.problem).toContain(part);
  for (const open of [
    () => readQueue(store, "odd"),
    () => readQueueItem(store, "odd", 0),
    () => takeNext(store, { queueId: "odd", reviewerId: "Ben", from: null }),
  ])
    await expect(open()).rejects.toMatchObject({ code: "queue_unreadable", message: unreadable[0]?.problem });
  expect(await readQueue(store, good)).toMatchObject({ queueId: good, unreadable: [] });
  expect(await takeNext(store, { queueId: good, reviewerId: "Ben", from: null })).toMatchObject({
    kind: "item",
  });
  const { nCurrent, problem } = await readAnnotationsState(store);
  expect(nCurrent).toBe(0);
  expect(problem).toContain("The queue odd cannot be read.");
}

describeEngines("a queue that cannot be read", (engine) => {
  beforeEach(async () => {
    store = openAnnotationStore(await engine.freshTarget());
  });

  it.each([
    ["settings", { body: "{" }, "body (It is missing."],
    ["a setting", { body: JSON.stringify({ ...SETTINGS, goal: "of tomorrow" }) }, "body (goal: "],
    ["a time", { at: "yesterday" }, "at (not a time)"],
  ])("by %s costs itself alone", async (_, wrong, column) => {
    await storeQueue(wrong);
    await expectAlone(column);
  });

  itLong(engine.name === "sqlite")("is reported next to an unreadable decision", async () => {
    await storeQueue({ at: "yesterday" });
    await store.write(async (db) => {
      await insertStatements(db, [DECISION]);
    });
    const both = /a decision that cannot be read: decision 4 .*The queue odd cannot be read\./;
    expect((await readAnnotationsState(store)).problem).toMatch(both);
    expect((await readAnnotationsState(store)).problem).toMatch(both);
  });

  itLong(engine.name === "sqlite")("is a queue that can, where all is well", async () => {
    await storeQueue({});
    expect(await readAnnotationsState(store)).toMatchObject({ problem: null });
    expect(await readQueue(store, "odd")).toMatchObject({ items: [{ position: 0 }, { position: 1 }] });
  });

  itLong(engine.name === "sqlite")("leaves out a decision without a time, and nothing else", async () => {
    const draft = {
      finalJudgment: "fail",
      categories: [],
      reason: "Seen.",
      basedOn: null,
      codebookNote: null,
      decidedBy: "Ada",
    };
    const input = { draft, sources: [], baseDecisionId: null, queueId: null, actor: NO_ACTOR };
    const good = await decide(store, { ...input, subject: subjectOf(0) });
    await store.write(async (db) => {
      const { seq: _, ...row } = await db.selectFrom("statement").selectAll().executeTakeFirstOrThrow();
      const subject = subjectOf(1).trialName;
      await insertStatements(db, [{ ...row, id: "odd", subject, at: "soon", actor: "of a browser" }]);
    });
    expect(await listDecisions(store)).toEqual([good]);
    expect(await listDecisions(store, subjectOf(1))).toEqual([]);
    const { problem } = await readAnnotationsState(store);
    for (const part of ["decision 2", "task-1__aB3dE7x", "at (not a time)"]) expect(problem).toContain(part);

    const { lines, problem: ofExport } = await prepareExport(store);
    expect(ofExport).toBe(problem);
    const [line = "", odd = ""] = [...lines];
    expect(odd).toContain("assay.annotation-unreadable/1");
    expect(odd).not.toContain("of a browser");
    // Its id stays taken: the same decision from elsewhere is a conflict and no failure of the store.
    const again = new TextEncoder().encode(line.replaceAll(good.decisionId, "odd"));
    const report = await importAnnotations(store, [{ name: "d.jsonl", bytes: [again] }], {
      isDryRun: false,
      actor: NO_ACTOR,
    });
    expect(report).toMatchObject({ state: "done", nNewDecisions: 0, conflicts: [{ kind: "id" }] });
    await decide(store, { ...input, subject: subjectOf(1) });
    expect(await listDecisions(store)).toHaveLength(2);
  });
});

describe("bytes in the place of text", () => {
  beforeEach(() => {
    store = openAnnotationStore(freshSqlite());
  });

  it.each(["body", "at", "author"])("as %s cost the queue alone", async (column) => {
    await storeQueue({ [column]: BYTES });
    await expectAlone(`${column} (Expected text, found bytes)`);
  });

  it.each(["trialName", "jobUuid", "agent", "outcomeSeen", "taskName"])(
    "as %s of a trial cost that trial alone",
    async (column) => {
      await storeQueue({}, { [column]: ["bytes"] });
      const queue = await readQueue(store, "odd");
      expect(queue?.items.map(({ position }) => position)).toEqual([1]);
      expect(queue?.unreadable).toEqual([
        { position: 0, problem: `with a wrong column body (trial.${column}: Expected text, found a list)` },
      ]);
      const worker = { queueId: "odd", reviewerId: "Ben" };
      expect(await takeNext(store, { ...worker, from: null })).toMatchObject({ lease: { position: 1 } });
      const refused = { code: "queue_unreadable", message: expect.stringContaining(column) as string };
      await expect(takeItem(store, { ...worker, position: 0 })).rejects.toMatchObject(refused);
      await expect(readQueueItem(store, "odd", 0)).rejects.toMatchObject(refused);
      expect(await readQueueItem(store, "odd", 1)).toMatchObject({ position: 1, nItems: 2 });
      await moveItem(store, { ...worker, position: 0, kind: "skipped" });
      expect((await readQueue(store, "odd"))?.skips).toMatchObject([{ position: 0, reviewerKey: "ben" }]);
    },
  );
});
