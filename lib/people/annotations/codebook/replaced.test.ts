import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { changeCodebook, openAnnotationStore, readCodebook, resolveAnnotationTarget } from "../index";

describe("the codebook of a store that is replaced while it is open", () => {
  let folder = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "codebook-replaced-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (name: string) =>
    openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: join(folder, name) }));
  const add = (store: ReturnType<typeof open>, label: string) =>
    changeCodebook(store, {
      change: { kind: "add", categories: [{ id: label, label, contexts: ["fail"] }] },
      author: "Ada",
      baseVersion: 0,
    });

  it("is that of the new file, regardless of both versions", async () => {
    const [store, other] = [open("here"), open("other")];
    await add(store, "Of the old file");
    await readCodebook(store);
    await add(other, "Of the new file");
    await other.close();
    renameSync(join(folder, "other", "annotations.sqlite"), join(folder, "here", "annotations.sqlite"));
    for (const ending of ["-wal", "-shm"])
      rmSync(join(folder, "here", `annotations.sqlite${ending}`), { force: true });
    const { byId } = await readCodebook(store);
    expect([byId.has("Of the new file"), byId.has("Of the old file")]).toEqual([true, false]);
    await store.close();
  });
});
