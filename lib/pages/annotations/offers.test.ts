import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import {
  type AnnotationStore,
  changeCodebook,
  importCodebook,
  openAnnotationStore,
  readCodebook,
  resolveAnnotationTarget,
} from "@/lib/people/annotations";

import { listSplits, searchCategories } from "./review";

describe("the search for categories", () => {
  let folder = "";
  let store: AnnotationStore;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "offers-"));
    store = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: folder }));
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const search = async (text: string) => (await searchCategories(store, text)).map(({ label }) => label);

  it("finds each letter of a text among 990 categories without folding all of them again", async () => {
    const definition = "Grünes Wort ".repeat(160);
    const categories = Array.from({ length: 990 }, (_, at) => ({
      id: `c${String(at)}`,
      label: `Category ${String(at)}`,
      definition,
      contexts: ["fail"],
    }));
    const text = JSON.stringify({ schema: "assay.codebook/1", categories });
    expect(await importCodebook(store, { text, author: "Ada", isTrial: false })).toMatchObject({
      isDone: true,
    });
    await readCodebook(store);
    const fold = vi.spyOn(String.prototype, "normalize");
    onTestFinished(() => fold.mockRestore());
    await search("wo");
    expect(fold.mock.calls.length).toBeGreaterThan(990);
    fold.mockClear();
    for (const typed of ["wor", "wort", "wort ", "wort g", "wort gr"]) await search(typed);
    expect(fold.mock.calls.length).toBeLessThan(100);
    expect(await search("CATEGORY 989")).toEqual(["Category 989"]);
  });

  it("names the parts of a judgment's split category by their current names", async () => {
    const part = (id: string, label: string) => ({ id, label, contexts: ["fail"] });
    const into = [part("a", "Off by one"), part("b", "Wrong unit"), part("c", "Wrong sign")];
    const changes = [
      { kind: "split", id: "wrong-output", into },
      { kind: "edit", id: "a", text: { label: "Off by some", contexts: ["fail"] } },
      { kind: "merge", ids: ["b"], into: "environment" },
      { kind: "retire", id: "c" },
    ];
    for (const [baseVersion, change] of changes.entries())
      await changeCodebook(store, { change, author: "Ada", baseVersion });
    const judgment = { categories: ["Wrong output", "Environment"], codebookVersion: 0 };
    expect(listSplits(await readCodebook(store), [judgment, judgment])).toEqual([
      { label: "Wrong output", into: ["Off by some", "Environment"] },
    ]);
  });

  it("finds a category by its new name alone once it is renamed", async () => {
    const change = { kind: "edit", id: "wrong-output", text: { label: "Off by one", contexts: ["fail"] } };
    expect(await search("wrong out")).toEqual(["Wrong output"]);
    await changeCodebook(store, { change, author: "Ada", baseVersion: 0 });
    expect([await search("off by"), await search("wrong out")]).toEqual([["Off by one"], []]);
  });
});
