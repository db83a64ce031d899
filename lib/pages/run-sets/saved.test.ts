import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, it } from "vitest";

import { readSavedSetRef, savedSetRef, toggleRun } from "@/lib/pages/compare/address";
import { deleteRunSet, openViewStore, saveRunSet } from "@/lib/people/views";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { findGroups, readChosenGroups } from "../compare/groups";
import { listSavedSets } from "./saved";

const GROUP = "orca__m1__bench";

function writeJobs(): string {
  const jobs = [1, 2, 3].map((nth) =>
    jobFiles(
      `base-${String(nth)}`,
      { [`one__aaaaaa${String(nth)}`]: 1, [`two__bbbbbb${String(nth)}`]: 0 },
      { id: `11111111-1111-4111-8111-00000000000${String(nth)}` },
    ),
  );
  return makeFolder(Object.fromEntries(jobs.flatMap((files) => Object.entries(files))));
}

describeQueries("a saved run set", (engine) => {
  it("follows its jobs through renamed folders, and names missing ones", async () => {
    const folder = writeJobs();
    const index = await indexFolders(engine, [folder]);
    const views = openViewStore(await engine.freshTarget());
    const find = (...refs: readonly string[]) => findGroups(index.store, refs, () => 0, views);
    const refs = [1, 2, 3].map((nth) => `base-${String(nth)}:${GROUP}`);
    const before = await find(refs[0] ?? "", ...refs.slice(1).map((ref) => `+${ref}`));
    const members = before.chosen.flatMap(({ runs }) =>
      runs.map(({ job, group }) => ({ job: job.uuid, jobKey: job.key, jobName: job.name, group: group.key })),
    );
    expect(members).toHaveLength(3);
    const { id } = await saveRunSet(views, { name: "my baseline", members, createdBy: null });
    const ref = savedSetRef(id);
    expect((await find(ref)).chosen[0]).toMatchObject({ label: "my baseline", refs: [ref] });

    renameSync(join(folder, "base-2"), join(folder, "moved"));
    await index.refresh();
    const [moved] = (await find(ref)).chosen;
    expect(moved?.label).toBe("my baseline");
    expect(moved?.runs.map(({ job }) => job.key)).toEqual(["base-1", "moved", "base-3"]);
    const [read] = await readChosenGroups(index.store, moved === undefined ? [] : [moved]);
    expect(read?.trials).toHaveLength(6);

    rmSync(join(folder, "base-3"), { recursive: true });
    await index.refresh();
    const partly = await find(ref, `base-1:${GROUP}`);
    expect(partly.unknown).toEqual([]);
    expect(partly.chosen[0]).toMatchObject({
      label: "my baseline (2 of 3 runs)",
      saved: { missing: ["base-3"], isDeleted: false },
    });

    await deleteRunSet(views, id);
    expect((await find(ref)).chosen[0]?.label).toBe("my baseline (deleted, 2 of 3 runs)");
    for (const name of ["base-1", "moved"]) rmSync(join(folder, name), { recursive: true });
    await index.refresh();
    const none = await find(ref, "set:00000000");
    expect(none.chosen).toEqual([]);
    expect(none.unknown).toEqual([
      expect.stringContaining("my baseline of base-1, base-2, base-3"),
      expect.stringContaining("set:00000000, a run set that is not saved here"),
    ]);
    await views.close();
  });
});

describeQueries("a run set that was saved as a rule", (engine) => {
  it("adds new matching jobs, names them, and keeps those of other sets", async () => {
    const folder = writeJobs();
    const index = await indexFolders(engine, [folder]);
    const views = openViewStore(await engine.freshTarget());
    const member = (nth: number) => ({
      job: `11111111-1111-4111-8111-00000000000${String(nth)}`,
      jobKey: `base-${String(nth)}`,
      jobName: `base-${String(nth)}`,
      group: GROUP,
    });
    const save = (name: string, own: readonly number[], rule: string | null) =>
      saveRunSet(views, { name, members: own.map(member), createdBy: null, rule });
    await save("other", [3], null);
    const { id } = await save("grows", [1, 2], "numbers");
    const read = async () => {
      const [set] = (await findGroups(index.store, [savedSetRef(id)], () => 0, views)).chosen;
      const { sets } = await listSavedSets(index.store, views);
      const members = sets.find((one) => one.id === id)?.members ?? [];
      const added = members.flatMap(({ name, isNew }) => (isNew ? name : []));
      return [set?.label, set?.runs.map(({ job }) => job.name), added];
    };
    expect(await read()).toEqual(["grows", ["base-1", "base-2"], []]);

    const files = {
      ...jobFiles("base-4", { one__aaaaaa4: 1 }),
      ...jobFiles("fix-1", { one__aaaaaa6: 1 }),
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), typeof text === "string" ? text : JSON.stringify(text));
    }
    await index.refresh();
    expect(await read()).toEqual(["grows", ["base-1", "base-2", "base-4"], ["base-4"]]);
    const { sets } = await listSavedSets(index.store, views);
    expect(sets.find(({ name }) => name === "other")?.members).toHaveLength(1);
    await views.close();
  });
});

it("is spelled out in an address once a run of it is taken out, and only then", () => {
  const ref = savedSetRef("0123abcd");
  expect(readSavedSetRef(ref)).toBe("0123abcd");
  expect(readSavedSetRef("set:a__b__c")).toBeNull();
  const runsOf = new Map([[ref, ["a", "b", "c"]]]);
  expect(toggleRun([ref, "d"], "b", runsOf)).toEqual(["a", "+c", "d"]);
  expect(toggleRun([ref, "d"], "d", runsOf)).toEqual([ref]);
  expect(toggleRun([ref], "e", runsOf)).toEqual([ref, "e"]);
});
