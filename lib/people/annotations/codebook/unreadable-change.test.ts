import { afterEach, beforeEach, expect, it } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import {
  type AnnotationStore,
  changeCodebook,
  createAnnotation,
  importCodebook,
  listAll,
  openAnnotationStore,
  prepareExport,
  readAnnotationsState,
  readCodebook,
} from "../index";
import { addStatements } from "../statements/statement";
import { insertChange } from "./verbs";

const subject: AnnotationSubject = {
  trialId: null,
  jobUuid: null,
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: null,
  outcomeSeen: "failed",
  rewardSeen: "0.0",
};

describeEngines("a codebook", ({ freshTarget }) => {
  let store: AnnotationStore;

  beforeEach(async () => {
    store = openAnnotationStore(await freshTarget());
  });
  afterEach(() => store.close());

  const add = (id: string, label: string, baseVersion: number) =>
    changeCodebook(store, {
      change: { kind: "add", categories: [{ id, label, contexts: ["fail"] }] },
      author: "Ada",
      baseVersion,
    });
  const judge = (reviewerId: string, categories: readonly string[]) =>
    createAnnotation(store, {
      subject,
      draft: { reviewerId, reviewerDiscipline: null, judgment: "fail", categories, notes: null },
      baseVersionId: null,
    });

  it("with a change that cannot be read takes no judgment down, and is only not changed", async () => {
    await add("loops", "Loops", 0);
    await judge("Ada", ["Loops"]);
    await store.write(async (db) => {
      const row = { kind: "codebook", subject: "2", author: "Eve", actor: null } as const;
      const body = { kind: "of a newer version" };
      await addStatements(db, [{ ...row, at: "2026-03-01T09:30:00.000Z", body }]);
    });

    const saved = await judge("Ben", ["Loops", "typed"]);
    expect(saved).toMatchObject({ categories: ["Loops", "typed"], codebookVersion: 1 });
    expect((await listAll(store))[0]?.chains).toHaveLength(2);
    const { byId, problem } = await readCodebook(store);
    expect(byId.get("loops")?.label).toBe("Loops");
    expect(problem).toContain("Change 2 of the codebook cannot be read");
    expect((await readAnnotationsState(store)).problem).toBe(problem);
    const exported = await prepareExport(store);
    expect([...exported.lines]).toHaveLength(2);
    expect(exported.problem).toBe(problem);
    await expect(add("other", "Other", 1)).rejects.toThrow("Change 2 of the codebook cannot be read");
  });

  it("never stores a change that it could not read again", async () => {
    const category = { definition: "", example: "", counterExample: "", colour: null, parentId: null };
    for (const [id, label] of [
      ["", "Loops"],
      ["x".repeat(101), "Loops"],
      ["loops", "\u0958".repeat(41)],
    ] as const) {
      const categories = [{ ...category, id, label, contexts: ["fail" as const] }];
      await expect(
        store.write((db) => insertChange(db, { kind: "add", categories }, "Ada", new Date())),
      ).rejects.toThrow(ValidationError);
    }
    expect((await readCodebook(store)).codebook.version).toBe(0);
  });

  itLong()("that is full takes no category that a reviewer types, and says so at the field", async () => {
    const categories = Array.from({ length: 10_000 - 14 }, (_, at) => ({
      label: `Category ${String(at)}`,
      contexts: ["fail"],
    }));
    const file = JSON.stringify({ schema: "assay.codebook/1", categories });
    expect(await importCodebook(store, { text: file, author: "Ada", isTrial: false })).toMatchObject({
      isDone: true,
    });
    await expect(judge("Ada", ["One more"])).rejects.toMatchObject({
      fields: { categories: expect.stringContaining("10,000") as string },
    });
    expect(await listAll(store)).toEqual([]);
    await judge("Ada", ["category 7"]);
  });
});
