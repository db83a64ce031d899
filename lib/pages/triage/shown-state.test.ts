import { expect, it } from "vitest";

import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { forgetDerivedDetails, nextGeneration } from "@/lib/store/tables";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { createShownState } from "./shown-state";

describeQueries("the state of jobs that triage shows", (engine) => {
  it("stays while trials are classified, follows once the next was prepared, and is the newest in the end", async () => {
    const index = await indexFolders(engine, [makeFolder(jobFiles("run", { alpha__aaaaaaa: 0 }))]);
    const { store } = index;
    const prepared: string[] = [];
    let nCalls = 0;
    let isBroken = true;
    const waiting: (() => void)[] = [];
    const read = createShownState({
      prepare: ({ generation }) => {
        if (isBroken) return Promise.reject(new Error("locked"));
        prepared.push(generation);
        return Promise.resolve();
      },
      tell: () => (nCalls += 1),
      after: (_ms, run) => waiting.push(run),
    });
    const first = await read(store);
    expect(first.shown).toBe(first.now);

    await forgetDerivedDetails(store);
    await nextGeneration(store);
    const second = await read(store);
    expect(second.shown).toBe(first.shown);
    expect([...second.now.unclassified.values()]).toEqual([1]);
    expect(second.now.generation).not.toBe(first.now.generation);
    await read(store);
    expect(waiting).toHaveLength(1);

    // The next request retries after a failure.
    waiting.pop()?.();
    await expect.poll(async () => (await read(store), waiting.length)).toBe(1);
    isBroken = false;
    waiting.pop()?.();
    await expect.poll(() => nCalls).toBe(1);
    expect(prepared).toEqual([second.now.generation]);
    expect((await read(store)).shown.generation).toBe(second.now.generation);
    expect(waiting).toEqual([]);

    await index.refresh();
    await index.settle();
    const last = await read(store);
    expect(last.now.unclassified.size).toBe(0);
    expect(last.shown).toBe(last.now);
    expect(nCalls).toBe(1);
  });
});
