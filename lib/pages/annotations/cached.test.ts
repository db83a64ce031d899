import { expect, it, onTestFinished } from "vitest";

import {
  type AnnotationStore,
  changeCodebook,
  createQueue,
  nameCluster,
  openAnnotationStore,
} from "@/lib/people/annotations";
import { SETTINGS, subjectOf } from "@/lib/people/annotations/queues/queue.fixture";
import { describeQueries } from "@/lib/store/database/postgres.fixture";

import { createAnnotatedCache } from "./judged";

describeQueries("values that depend on judgments", (engine) => {
  it("is cached until a statement is saved or the index changes", async () => {
    const stored = openAnnotationStore(await engine.freshTarget());
    onTestFinished(() => stored.close());
    let nReads = 0;
    const annotations: AnnotationStore = {
      ...stored,
      read: (empty, work) => {
        nReads += 1;
        return stored.read(empty, work);
      },
    };
    const keep = createAnnotatedCache(4);
    const store = {};
    let n = 0;
    const ask = (generation: number, name: string) =>
      keep(
        { store, generation },
        name,
        () => Promise.resolve({ value: ++n, isWhole: name !== "torn" }),
        annotations,
      );
    expect([await ask(1, "a"), await ask(1, "b"), await ask(1, "a")]).toEqual([1, 2, 1]);
    const cluster = { kind: "exception", scope: "", pattern: "down" };
    await nameCluster(annotations, {
      key: "0123456789abcdef",
      name: "Down",
      cluster,
      author: "Ana",
      base: 0,
    });
    expect([await ask(1, "a"), await ask(1, "a")]).toEqual([3, 3]);
    await changeCodebook(annotations, {
      change: { kind: "open-coding", isOn: true },
      author: "Ana",
      baseVersion: 0,
    });
    expect([await ask(1, "a"), await ask(2, "a"), await ask(2, "a")]).toEqual([4, 5, 5]);
    // Incomplete values are read again.
    expect([await ask(2, "torn"), await ask(2, "torn")]).toEqual([6, 7]);
    await createQueue(annotations, {
      settings: SETTINGS,
      items: [{ subject: subjectOf(1), nReviewers: 1 }],
      author: "Ana",
    });
    expect(await ask(2, "a")).toBe(8);
    // Each question reads only whether anybody said something since.
    expect(nReads).toBe(11);
  });
});
