import { afterEach, describe, expect, it } from "vitest";

import { ForbiddenError, NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import type { QueueSettings } from "@/lib/core/domain/review";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import {
  type AnnotationStore,
  closeQueue,
  createAnnotation,
  createQueue,
  LEASE_MS,
  listQueues,
  moveItem,
  openAnnotationStore,
  type QueueHead,
  readQueue,
  releaseLease,
  renewLease,
  takeItem,
  takeNext,
  withdrawAnnotation,
} from "..";
import { SETTINGS, subjectOf } from "./queue.fixture";
import { selectItems } from "./stored-queue";

const MINUTE = 60_000;
const start = Date.parse("2026-03-01T09:00:00Z");
/** A time some minutes after the start. */
const at = (minutes: number) => new Date(start + minutes * MINUTE);

describeEngines("queues", (engine) => {
  const opened: AnnotationStore[] = [];

  async function open(nConnections = 1) {
    const target = await engine.freshTarget();
    const stores = Array.from({ length: nConnections }, () => openAnnotationStore(target));
    opened.push(...stores);
    const [store] = stores;
    if (store === undefined) throw new Error("no store");
    return { store, stores };
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  /** A queue with a trial for each number, which says how many review it. */
  function make(
    store: AnnotationStore,
    reviewers: readonly (1 | 2)[],
    settings: Partial<QueueSettings> = {},
  ) {
    const items = reviewers.map((nReviewers, place) => ({ subject: subjectOf(place), nReviewers }));
    return createQueue(store, { settings: { ...SETTINGS, ...settings }, items, author: "Ada" }, at(0));
  }

  async function judge(
    store: AnnotationStore,
    queueId: string,
    {
      position,
      by,
      judgment = "pass",
      base = null,
      hidden = SETTINGS.hides,
      minute = 1,
    }: {
      position: number;
      by: string;
      judgment?: "pass" | "fail";
      base?: string | null;
      hidden?: QueueSettings["hides"];
      minute?: number;
    },
  ) {
    const draft = { reviewerId: by, reviewerDiscipline: null, judgment, categories: [], notes: null };
    return createAnnotation(
      store,
      { subject: subjectOf(position), draft, baseVersionId: base, queue: { queueId, position, hidden } },
      at(minute),
    );
  }

  /** Position of the trial that a reviewer is given next; null when none is left. */
  async function next(
    store: AnnotationStore,
    queueId: string,
    by: string,
    from: number | null = null,
    minute = 1,
  ) {
    const given = await takeNext(store, { queueId, reviewerId: by, from }, at(minute));
    return given.kind === "item" ? given.lease.position : null;
  }

  const heads = (all: readonly QueueHead[]) => all.map(({ settings, isClosed }) => [settings.name, isClosed]);

  describe("making one", () => {
    it("parses trials once, and then only those of later queues", async () => {
      const { store } = await open();
      const first = await make(store, [1, 2]);
      const before = await store.read(null, (db) => selectItems(db, first));
      expect(before?.items).toHaveLength(2);
      const second = await make(store, [1]);
      const after = await store.write(async (db) => [
        await selectItems(db, first),
        await selectItems(db, second),
      ]);
      expect(after[0]?.items).toBe(before?.items);
      expect(after[1]?.items).toMatchObject([{ position: 0, subject: subjectOf(0) }]);
    });

    it("keeps settings and trials in their order, the newest queue first", async () => {
      const { store } = await open();
      const first = await make(store, [1, 2], { name: "  First   queue " });
      await make(store, [1], { name: "Second" });
      expect(heads((await listQueues(store)).queues)).toEqual([
        ["Second", false],
        ["First queue", false],
      ]);
      const queue = await readQueue(store, first, at(0));
      expect(queue).toMatchObject({
        createdBy: "Ada",
        createdAt: at(0).toISOString(),
        leases: [],
        skips: [],
      });
      expect(queue?.settings).toEqual({ ...SETTINGS, name: "First queue" });
      expect(queue?.items).toEqual([
        { position: 0, subject: subjectOf(0), nReviewers: 1, labels: [] },
        { position: 1, subject: subjectOf(1), nReviewers: 2, labels: [] },
      ]);
    });

    itLong(engine.name === "sqlite")(
      "takes 5,000 trials and not one more, and stores nothing of what it refuses",
      async () => {
        const { store } = await open();
        const full = await make(
          store,
          Array.from({ length: 5_000 }, () => 1 as const),
        );
        expect((await readQueue(store, full))?.items).toHaveLength(5_000);
        await expect(
          make(
            store,
            Array.from({ length: 5_001 }, () => 1 as const),
          ),
        ).rejects.toThrow("5,000");
        await expect(make(store, [])).rejects.toThrow("nothing to review");
        await expect(make(store, [1], { name: "  " })).rejects.toSatisfy(
          (error) => error instanceof ValidationError && error.fields["name"] === "Name the queue.",
        );
        expect((await listQueues(store)).queues).toHaveLength(1);
      },
    );

    itLong(engine.name === "sqlite")("is nothing where there is no store and no such queue", async () => {
      const { store } = await open();
      expect(await listQueues(store)).toEqual({ queues: [], unreadable: [] });
      expect(await readQueue(store, "nobody")).toBeNull();
      await expect(next(store, "nobody", "Ada")).rejects.toThrow(NotFoundError);
    });
  });

  itLong(engine.name === "sqlite")(
    "has names that can be read, of itself and of those who review it",
    async () => {
      const { store } = await open();
      for (const wrong of [{ name: "\u200b" }, { name: "Au\u202Edit" }, { reviewers: ["Ada", "\u00ad"] }]) {
        const [field = ""] = Object.keys(wrong);
        const refused = make(store, [1], wrong);
        await expect(refused).rejects.toMatchObject({ fields: { [field]: expect.any(String) as string } });
      }
      const queueId = await make(store, [1]);
      for (const reviewerId of ["\u200b", "A\u202Eda"])
        await expect(takeNext(store, { queueId, reviewerId, from: null })).rejects.toThrow(ForbiddenError);
    },
  );

  describe("giving trials out", () => {
    itLong(engine.name === "sqlite")(
      "continues after the trial that one leaves, wraps to the start, and skips judged ones",
      async () => {
        const { store } = await open();
        const queueId = await make(store, [1, 1, 1, 1]);
        expect(await next(store, queueId, "Ada")).toBe(0);
        await judge(store, queueId, { position: 1, by: "Ada" });
        expect(await next(store, queueId, "Ada", 0)).toBe(2);
        expect(await next(store, queueId, "Ada", 3)).toBe(0);
        for (const position of [0, 2, 3]) await judge(store, queueId, { position, by: "Ada" });
        expect(await takeNext(store, { queueId, reviewerId: "Ada", from: 3 }, at(2))).toEqual({
          kind: "done",
          nHeld: 0,
        });
      },
    );

    it("gives a trial for two to two reviewers, one for one to one, and holds places while they work", async () => {
      const { store } = await open();
      const queueId = await make(store, [2, 1]);
      expect(await next(store, queueId, "Ada")).toBe(0);
      expect(await next(store, queueId, "Ines")).toBe(0);
      expect(await next(store, queueId, "Bo")).toBe(1);
      expect(await takeNext(store, { queueId, reviewerId: "Cem", from: null }, at(1))).toEqual({
        kind: "done",
        nHeld: 2,
      });
      await judge(store, queueId, { position: 0, by: "Ada" });
      // The same name, typed otherwise, is the same reviewer.
      expect(await next(store, queueId, "  ADA ")).toBeNull();
      await judge(store, queueId, { position: 0, by: "Ines", judgment: "fail" });
      const labels = (await readQueue(store, queueId))?.items[0]?.labels;
      expect(labels?.map(({ reviewerKey, blind }) => [reviewerKey, blind.judgment])).toEqual([
        ["ada", "pass"],
        ["ines", "fail"],
      ]);
    });

    itLong(engine.name === "sqlite")(
      "refuses names that are not on the list, and an empty name",
      async () => {
        const { store } = await open();
        const queueId = await make(store, [1], { reviewers: ["Ada", "Ines"] });
        await expect(next(store, queueId, "Bo")).rejects.toThrow("This queue is for Ada, Ines.");
        await expect(next(store, queueId, " ")).rejects.toThrow(ForbiddenError);
        expect(await next(store, queueId, "ines")).toBe(0);
      },
    );

    it("puts a skipped trial last for its reviewer alone, until it is put back", async () => {
      const { store } = await open();
      const queueId = await make(store, [2, 2, 2]);
      const move = (position: number, kind: "skipped" | "requeued") =>
        moveItem(store, { queueId, reviewerId: "Ada", position, kind }, at(1));
      await move(0, "skipped");
      await move(1, "skipped");
      expect(await next(store, queueId, "Ada")).toBe(2);
      expect(await next(store, queueId, "Ines")).toBe(0);
      await judge(store, queueId, { position: 2, by: "Ada" });
      expect(await next(store, queueId, "Ada")).toBe(0);
      expect(await next(store, queueId, "Ada", 0)).toBe(1);
      await move(1, "requeued");
      expect((await readQueue(store, queueId))?.skips.map(({ position }) => position)).toEqual([0]);
      expect(await next(store, queueId, "Ada")).toBe(1);
      await expect(move(3, "skipped")).rejects.toThrow(NotFoundError);
    });

    itLong(engine.name === "sqlite")(
      "gives out nothing while it is closed, and everything again when it is opened",
      async () => {
        const { store } = await open();
        const queueId = await make(store, [1]);
        const given = await takeNext(store, { queueId, reviewerId: "Ada", from: null }, at(1));
        await closeQueue(store, { queueId, reviewerId: "Ines", isClosed: true }, at(2));
        expect(heads((await listQueues(store)).queues)).toEqual([["Verifier audit", true]]);
        await expect(next(store, queueId, "Ada")).rejects.toThrow("closed");
        const token = given.kind === "item" ? given.lease.token : "";
        expect(await renewLease(store, { queueId, position: 0, reviewerId: "Ada", token }, at(3))).toBeNull();
        // Reviewers can still save what they were writing.
        await judge(store, queueId, { position: 0, by: "Ada" });
        await closeQueue(store, { queueId, reviewerId: "Ines", isClosed: false }, at(4));
        expect(await readQueue(store, queueId)).toMatchObject({ isClosed: false });
        expect(await next(store, queueId, "Ines")).toBeNull();
      },
    );

    itLong(engine.name === "sqlite")(
      "opens a trial again whose judgments were undone, at its place",
      async () => {
        const { store } = await open();
        const queueId = await make(store, [1, 1]);
        const first = await judge(store, queueId, { position: 0, by: "Ada" });
        const second = await judge(store, queueId, {
          position: 0,
          by: "Ada",
          judgment: "fail",
          base: first.versionId,
        });
        const undo = (versionId: string) =>
          withdrawAnnotation(store, { subject: subjectOf(0), reviewerId: "Ada", versionId });
        await undo(second.versionId);
        // The judgment before it counts again.
        expect((await readQueue(store, queueId))?.items[0]?.labels[0]?.blind.judgment).toBe("pass");
        expect(await next(store, queueId, "Ines")).toBe(1);
        await undo(first.versionId);
        expect((await readQueue(store, queueId))?.items[0]?.labels).toEqual([]);
        expect(await next(store, queueId, "Ines")).toBe(0);
      },
    );

    itLong(engine.name === "sqlite")(
      "counts the judgment that was saved blind, not what its reviewer made of it later",
      async () => {
        const { store } = await open();
        const queueId = await make(store, [1]);
        const blind = await judge(store, queueId, { position: 0, by: "Ada", judgment: "fail" });
        await judge(store, queueId, {
          position: 0,
          by: "Ada",
          judgment: "pass",
          base: blind.versionId,
          hidden: [],
        });
        const [label] = (await readQueue(store, queueId))?.items[0]?.labels ?? [];
        expect([label?.blind.judgment, label?.latest.judgment]).toEqual(["fail", "pass"]);
      },
    );
  });

  describe("leases", () => {
    const lease = async (
      store: AnnotationStore,
      queueId: string,
      by: string,
      minute: number,
      steal = false,
    ) => {
      const taken = await takeItem(store, { queueId, reviewerId: by, position: 0, steal }, at(minute));
      return taken.kind === "item" ? taken.lease : taken.kind;
    };
    const tokenOf = (taken: Awaited<ReturnType<typeof lease>>) =>
      typeof taken === "string" ? "" : taken.token;
    const renew = (store: AnnotationStore, queueId: string, by: string, token: string, minute: number) =>
      renewLease(store, { queueId, position: 0, reviewerId: by, token }, at(minute));

    itLong(engine.name === "sqlite")("end ten minutes after the last sign of life, not before", async () => {
      const { store } = await open();
      const queueId = await make(store, [1]);
      const token = tokenOf(await lease(store, queueId, "Ada", 0));
      expect(await renew(store, queueId, "Ada", token, 5)).toMatchObject({
        token,
        expiresAt: new Date(at(5).getTime() + LEASE_MS).toISOString(),
      });
      expect(await lease(store, queueId, "Ines", 14)).toBe("held");
      expect(await lease(store, queueId, "Ines", 15)).toMatchObject({ reviewerKey: "ines" });
      // A reviewer who returns too late learns that another reviewer has the trial.
      expect(await renew(store, queueId, "Ada", token, 16)).toBeNull();
    });

    itLong(engine.name === "sqlite")("come with the currently next trial, without leasing it", async () => {
      const { store } = await open();
      const queueId = await make(store, [1, 1, 1]);
      const openFirst = (reviewerId: string, position: number, minute: number) =>
        takeItem(store, { queueId, reviewerId, position }, at(minute));
      expect(await openFirst("Ada", 0, 0)).toMatchObject({ kind: "item", next: 1 });
      expect(await openFirst("Ines", 1, 1)).toMatchObject({ kind: "item", next: 2 });
      expect(await openFirst("Ada", 0, 2)).toMatchObject({ kind: "item", next: 2 });
      await judge(store, queueId, { position: 2, by: "Cem", minute: 3 });
      expect(await openFirst("Ada", 0, 4)).toMatchObject({ kind: "item", next: null });
    });

    itLong(engine.name === "sqlite")(
      "continue after they expire if no one else came, but not over a judgment",
      async () => {
        const { store } = await open();
        const queueId = await make(store, [1]);
        const token = tokenOf(await lease(store, queueId, "Ada", 0));
        expect(await renew(store, queueId, "Ada", token, 60)).toMatchObject({ reviewerKey: "ada" });
        expect(await lease(store, queueId, "Ines", 61)).toBe("held");
        await judge(store, queueId, { position: 0, by: "Ines", minute: 80 });
        expect(await renew(store, queueId, "Ada", token, 81)).toBeNull();
      },
    );

    it("are taken over only where that is asked for, by one page at a time, and are given back", async () => {
      const { store } = await open();
      const queueId = await make(store, [1]);
      const ada = tokenOf(await lease(store, queueId, "Ada", 0));
      expect(await takeItem(store, { queueId, reviewerId: "Ines", position: 0 }, at(1))).toMatchObject({
        kind: "held",
        holder: { reviewerId: "Ada" },
      });
      const ines = tokenOf(await lease(store, queueId, "Ines", 1, true));
      expect(await renew(store, queueId, "Ada", ada, 2)).toBeNull();
      // A second page of the same reviewer takes over from the first.
      const other = tokenOf(await lease(store, queueId, "Ines", 3));
      expect(await renew(store, queueId, "Ines", ines, 4)).toBeNull();
      await releaseLease(store, { queueId, position: 0, token: ines });
      expect(await lease(store, queueId, "Ada", 5)).toBe("held");
      await releaseLease(store, { queueId, position: 0, token: other });
      expect(await lease(store, queueId, "Ada", 6)).toMatchObject({ reviewerKey: "ada" });
    });

    itLong(engine.name === "sqlite")(
      "end with the judgment, so that taking over ends the one that is left",
      async () => {
        const { store } = await open();
        const queueId = await make(store, [2]);
        await lease(store, queueId, "Bo", 0);
        const ada = await lease(store, queueId, "Ada", 0);
        await judge(store, queueId, { position: 0, by: "Ada" });
        expect(await lease(store, queueId, "Ada", 1)).toBe("judged");
        expect(await lease(store, queueId, "Ines", 2, true)).toMatchObject({ reviewerKey: "ines" });
        expect(typeof ada).not.toBe("string");
        expect(
          (await readQueue(store, queueId, at(2)))?.leases.map(({ reviewerKey }) => reviewerKey),
        ).toEqual(["ines"]);
      },
    );

    itLong(engine.name === "sqlite")(
      "block no one after the clock was set back, and are then held by one of two",
      async () => {
        const { store } = await open();
        const queueId = await make(store, [1]);
        const token = tokenOf(await lease(store, queueId, "Ada", 600));
        expect(await lease(store, queueId, "Ines", 0)).toMatchObject({ reviewerKey: "ines" });
        expect(await renew(store, queueId, "Ada", token, 1)).toBeNull();
        // A second between two servers is no clock that was put back.
        const other = await make(store, [1]);
        await lease(store, other, "Ada", 0.02);
        expect(await lease(store, other, "Ines", 0)).toBe("held");
      },
    );

    it("of two connections at once never give one place twice", async () => {
      const { stores, store } = await open(2);
      const queueId = await make(store, [1, 2, 1, 2, 1, 1]);
      const names = Array.from({ length: 10 }, (_, number) => `Reviewer ${String(number)}`);
      const given = await Promise.all(
        names.map((reviewerId, number) =>
          takeNext(stores[number % 2] ?? store, { queueId, reviewerId, from: null }, at(1)),
        ),
      );
      const positions = given.flatMap((one) => (one.kind === "item" ? [one.lease.position] : []));
      expect(positions.toSorted()).toEqual([0, 1, 1, 2, 3, 3, 4, 5]);
      expect(given.filter(({ kind }) => kind === "done")).toEqual(
        Array.from({ length: 2 }, () => ({ kind: "done", nHeld: 6 })),
      );
    });
  });

  itLong(engine.name === "sqlite")(
    "keeps its reviewers in the order of their first judgments, despite later corrections",
    async () => {
      const { store } = await open();
      const queueId = await make(store, [2]);
      const first = await judge(store, queueId, { position: 0, by: "Zoe", minute: 1 });
      await judge(store, queueId, { position: 0, by: "Ada", judgment: "fail", minute: 2 });
      const correction = {
        position: 0,
        by: "Zoe",
        base: first.versionId,
        judgment: "fail",
        minute: 3,
      } as const;
      await judge(store, queueId, correction);
      const [item] = (await readQueue(store, queueId))?.items ?? [];
      expect(item?.labels.map(({ latest }) => latest.reviewerId)).toEqual(["Zoe", "Ada"]);
    },
  );

  itLong(engine.name === "sqlite")(
    "lets a judgment be undone after the trial was judged elsewhere, where it still counts",
    async () => {
      const { store } = await open();
      const queueId = await make(store, [1]);
      const own = await judge(store, queueId, { position: 0, by: "Ada" });
      const draft = {
        reviewerId: "Ada",
        reviewerDiscipline: null,
        judgment: "fail",
        categories: [],
        notes: "b",
      };
      const elsewhere = { subject: subjectOf(0), draft, baseVersionId: own.versionId };
      const later = await createAnnotation(store, elsewhere, at(2));
      const undo = { subject: subjectOf(0), reviewerId: "Ada", versionId: own.versionId };
      await expect(withdrawAnnotation(store, undo)).rejects.toThrow("already replaced");
      const chain = await withdrawAnnotation(store, { ...undo, queueId });
      expect(chain.current?.versionId).toBe(later.versionId);
      expect((await readQueue(store, queueId))?.items[0]?.labels).toEqual([]);
      await expect(withdrawAnnotation(store, { ...undo, queueId })).rejects.toThrow("already replaced");
    },
  );

  itLong(engine.name === "sqlite")(
    "stays whole while its trials are not in any open folder: it names them itself",
    async () => {
      const { store } = await open();
      const queueId = await make(store, [1]);
      await judge(store, queueId, { position: 0, by: "Ada" });
      const [item] = (await readQueue(store, queueId))?.items ?? [];
      expect(item?.subject).toEqual(subjectOf(0));
      expect(item?.labels).toHaveLength(1);
    },
  );
});
