import { expect, it } from "vitest";

import { NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines } from "@/lib/store/database/postgres.fixture";

import { addStatements } from "../annotations/statements/statement";
import { deleteRunSet, openViewStore, readRunSets, renameRunSet, restoreRunSet, saveRunSet } from "./index";

const member = (nth: number) => ({
  job: nth === 2 ? null : `0f0c2c5e-0000-4000-8000-00000000000${String(nth)}`,
  jobKey: `base-${String(nth)}`,
  jobName: `base-${String(nth)}`,
  group: "orca__m__d",
});

describeEngines("saved run sets", (engine) => {
  it("are listed newest first, renamed, deleted and brought back, whoever opens the store", async () => {
    const target = await engine.freshTarget();
    const store = openViewStore(target);
    const members = [member(1), member(2), member(3)];
    const first = await saveRunSet(
      store,
      { name: " base\n", members, createdBy: "Ada" },
      new Date("2026-03-01T10:00:00Z"),
    );
    expect(first).toMatchObject({ name: "base", members, createdBy: "Ada", isDeleted: false });
    expect(first.id).toMatch(/^[0-9a-f]{8}$/u);
    const second = await saveRunSet(
      store,
      { name: "base", members: [member(1)], createdBy: null },
      new Date("2026-03-02T10:00:00Z"),
    );
    expect((await readRunSets(store)).sets).toEqual([second, first]);

    await renameRunSet(store, { id: first.id, name: "baseline" });
    await deleteRunSet(store, second.id);
    await expect(renameRunSet(store, { id: second.id, name: "gone" })).rejects.toThrow(NotFoundError);
    await store.close();

    const again = openViewStore(target);
    expect((await readRunSets(again)).sets).toEqual([
      { ...second, isDeleted: true },
      { ...first, name: "baseline" },
    ]);
    await restoreRunSet(again, second.id);
    expect((await readRunSets(again)).sets[0]).toEqual(second);
    await again.close();
  });

  it("keep a rule, and what is said to be no repeats apart from what counts together", async () => {
    const target = await engine.freshTarget();
    const store = openViewStore(target);
    const members = [member(1), member(3)];
    const grows = await saveRunSet(store, { name: "base", members, createdBy: null, rule: "numbers" });
    const apart = await saveRunSet(store, { name: "no", members, createdBy: "Ada", kind: "apart" });
    await store.close();

    const again = openViewStore(target);
    expect(await readRunSets(again)).toEqual({ sets: [grows], apart: [apart], problem: null });
    expect([grows.rule, apart.rule]).toEqual(["numbers", null]);
    await deleteRunSet(again, apart.id);
    expect((await readRunSets(again)).apart).toEqual([{ ...apart, isDeleted: true }]);
    await restoreRunSet(again, apart.id);
    expect((await readRunSets(again)).apart).toEqual([apart]);
    await expect(saveRunSet(again, { name: "x", members, createdBy: null, kind: "both" })).rejects.toThrow(
      ValidationError,
    );
    await again.close();
  });

  it("leave out and name a row that another program wrote", async () => {
    const store = openViewStore(await engine.freshTarget());
    const kept = await saveRunSet(store, { name: "mine", members: [member(1)], createdBy: null });
    const content = { name: "x", members: [member(1)], kind: "together", rule: null, isDeleted: false };
    const wrong: readonly (readonly [string, object])[] = [
      ["aaaaaaa1", { members: undefined }],
      ["aaaaaaa2", { members: [] }],
      ["not-an-id", {}],
      ["aaaaaaa3", { name: "x".repeat(81) }],
      ["aaaaaaa4", { kind: "beside" }],
    ];
    const said = { kind: "run_set", subject: "", author: "", actor: null, at: kept.createdAt } as const;
    await store.write((db) =>
      addStatements(
        db,
        wrong.map(([id, part]) => ({ ...said, id, body: { ...content, ...part } })),
      ),
    );
    const { sets, problem } = await readRunSets(store);
    expect(sets).toEqual([kept]);
    expect(problem).toContain("aaaaaaa1");
    expect(problem).toContain("2 more");
    await store.close();
  });

  it("refuse names that say nothing, no runs, and what is no id", async () => {
    const store = openViewStore(await engine.freshTarget());
    const save = (name: string, members: readonly unknown[]) =>
      saveRunSet(store, { name, members, createdBy: null });
    await expect(save(" ", [member(1)])).rejects.toThrow("Give it a name.");
    await expect(save("x", [])).rejects.toThrow(ValidationError);
    await expect(
      save(
        "x",
        Array.from({ length: 51 }, () => member(1)),
      ),
    ).rejects.toThrow(ValidationError);
    await expect(deleteRunSet(store, "../../x")).rejects.toThrow(ValidationError);
    await expect(deleteRunSet(store, "aaaaaaaa")).rejects.toThrow(NotFoundError);
    expect((await readRunSets(store)).sets).toEqual([]);
    await store.close();
  });
});
