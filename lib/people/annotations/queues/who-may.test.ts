import { afterEach, beforeEach, expect, it } from "vitest";

import { ForbiddenError } from "@/lib/core/domain/app-error";
import type { QueueSettings } from "@/lib/core/domain/review";
import { describeEngines } from "@/lib/store/database/postgres.fixture";

import {
  type AnnotationStore,
  closeQueue,
  createAnnotation,
  createQueue,
  moveItem,
  openAnnotationStore,
  readQueue,
  takeItem,
  takeNext,
  withdrawAnnotation,
} from "..";
import { SETTINGS, subjectOf } from "./queue.fixture";

describeEngines("a queue", (engine) => {
  let store: AnnotationStore;
  beforeEach(async () => {
    store = openAnnotationStore(await engine.freshTarget());
  });
  afterEach(() => store.close());

  /** A queue of Ada with a trial for each number, which says how many review it. */
  function make(reviewers: readonly (1 | 2)[], settings: Partial<QueueSettings> = {}) {
    const items = reviewers.map((nReviewers, place) => ({ subject: subjectOf(place), nReviewers }));
    return createQueue(store, { settings: { ...SETTINGS, ...settings }, items, author: "Ada" });
  }

  const as = (browser: string, isAdmin = false) => ({ browserKeyHash: browser, isAdmin });

  it("is closed and opened by who made it and its reviewers, and by anybody with a name where it is for anybody", async () => {
    const named = await make([1], { reviewers: ["Ben", "Cleo"] });
    const close = (queueId: string, reviewerId: string, isAdmin = false) =>
      closeQueue(store, { queueId, reviewerId, isClosed: true, actor: as("b", isAdmin) });
    const refusal = await close(named, "Eve").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ForbiddenError);
    for (const who of ["Ada", "Ben", "Cleo", "Eve"]) expect(String(refusal)).toContain(who);
    for (const who of ["", " ", "\u200b"]) await expect(close(named, who)).rejects.toThrow("your name");
    expect((await readQueue(store, named))?.isClosed).toBe(false);
    for (const who of ["ada", "Cleo"]) {
      await close(named, who);
      expect((await readQueue(store, named))?.isClosed).toBe(true);
      const reopened = { queueId: named, isClosed: false };
      await expect(closeQueue(store, { ...reopened, reviewerId: "Eve" })).rejects.toThrow(ForbiddenError);
      await closeQueue(store, { ...reopened, reviewerId: who });
    }
    await close(named, "", true);
    expect((await readQueue(store, named))?.isClosed).toBe(true);

    const free = await make([1]);
    await expect(close(free, "")).rejects.toThrow(ForbiddenError);
    await close(free, "Eve");
    expect((await readQueue(store, free))?.isClosed).toBe(true);
  });

  it("keeps a named reviewer's name to the browser that reviewed under it first", async () => {
    const save = (queueId: string, place: number, [name, browser]: [string, string]) =>
      createAnnotation(store, {
        subject: subjectOf(place),
        draft: { reviewerId: name, reviewerDiscipline: null, judgment: "pass", categories: [], notes: null },
        baseVersionId: null,
        actor: as(browser),
        queue: { queueId, position: place, hidden: [] },
      });
    const queueId = await make([2, 2, 2], { reviewers: ["Ben", "Cleo"] });
    const first = await save(queueId, 0, ["Ben", "one"]);
    const worker = { queueId, reviewerId: " BEN " };
    for (const refused of [
      () => takeNext(store, { ...worker, from: null, actor: as("two") }),
      () => takeItem(store, { ...worker, position: 1, actor: as("two") }),
      () => moveItem(store, { ...worker, position: 1, kind: "skipped", actor: as("two") }),
      () => closeQueue(store, { ...worker, isClosed: true, actor: as("two") }),
      () => save(queueId, 1, ["ben", "two"]),
    ]) {
      const error: unknown = await refused().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ForbiddenError);
      expect(String(error)).toMatch(/belongs to the browser that first reviewed under it.*review as Cleo/);
    }
    expect(await takeNext(store, { ...worker, from: null, actor: as("one") })).toMatchObject({
      kind: "item",
    });
    expect(
      await takeNext(store, { queueId, reviewerId: "Cleo", from: null, actor: as("two") }),
    ).toMatchObject({
      kind: "item",
    });
    expect(await takeNext(store, { ...worker, from: null, actor: as("two", true) })).toMatchObject({
      kind: "item",
    });
    // In other queues the name is free, and here too once all its judgments are undone.
    const free = await make([1, 1, 1]);
    await save(free, 2, ["Ben", "two"]);
    const other = await make([1], { reviewers: ["Ben"] });
    expect(
      await takeNext(store, { queueId: other, reviewerId: "Ben", from: null, actor: as("two") }),
    ).toMatchObject({
      kind: "item",
    });
    await withdrawAnnotation(store, {
      subject: subjectOf(0),
      reviewerId: "Ben",
      versionId: first.versionId,
      queueId,
      actor: as("one"),
    });
    expect(await takeNext(store, { ...worker, from: null, actor: as("two") })).toMatchObject({
      kind: "item",
    });
  });
});
