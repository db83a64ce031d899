import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { freshSqlite } from "@/lib/store/database/postgres.fixture";

import { type AnnotationStore, createQueue, importAnnotations, openAnnotationStore, prepareExport } from "..";
import { NO_ACTOR } from "../owner";
import { SETTINGS, subjectOf } from "../queues/queue.fixture";
import { line, text } from "./lines.fixture";

describe("an import and what is said before it", () => {
  let store: AnnotationStore;
  beforeEach(() => {
    store = openAnnotationStore(freshSqlite());
  });
  afterEach(() => store.close());

  const run = (content: string, isDryRun: boolean) =>
    importAnnotations(store, [{ name: "in.jsonl", bytes: [new TextEncoder().encode(content)] }], {
      isDryRun,
      actor: NO_ACTOR,
    });

  it("that names more categories than a codebook has is refused alike before and at the import", async () => {
    const file = text(
      ...Array.from({ length: 320 }, (_, at) =>
        line({
          version_id: `v${at}`,
          trial_name: `t${at}`,
          categories: Array.from({ length: 32 }, (__, nth) => `c${at} ${nth}`),
        }),
      ),
    );
    const sentence = "The judgments name 10,240 new categories. A codebook has at most 10,000.";
    await expect(run(file, true)).rejects.toThrow(sentence);
    await expect(run(file, false)).rejects.toThrow(sentence);
    expect([...(await prepareExport(store)).lines]).toEqual([]);
  });

  it("says what is lost with a queue that is not here, before and at the import", async () => {
    const here = await createQueue(store, {
      settings: SETTINGS,
      items: [{ subject: subjectOf(0), nReviewers: 1 }],
      author: "Ana",
    });
    const of = (id: string, queue_id: string | null) =>
      line({ version_id: id, trial_name: id, queue_id, queue_position: queue_id === null ? null : 0 });
    const file = text(of("a", "elsewhere"), of("b", "elsewhere"), of("c", here), of("d", null));
    for (const isDryRun of [true, false]) {
      const { notes, nErrors } = await run(file, isDryRun);
      expect(nErrors).toBe(0);
      expect(notes).toEqual([
        expect.stringMatching(
          /^2 lines are from a queue that is neither here nor in the files\. No corrected score/,
        ),
      ]);
    }
    expect((await run(text(of("c", here), of("d", null)), true)).notes).toEqual([]);
  });
});
