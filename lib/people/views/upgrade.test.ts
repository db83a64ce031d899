import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { sql } from "kysely";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";

import { type AnnotationStore, openAnnotationStore, readAnnotationsState } from "@/lib/people/annotations";
import { type DatabaseTarget, openOnUse } from "@/lib/store/database";
import {
  describeEngines,
  type EngineUnderTest,
  freshPostgres,
  freshSqlite,
} from "@/lib/store/database/postgres.fixture";
import { restoreCopy } from "@/lib/store/database/stored-copy.fixture";

import {
  deleteView,
  EARLIER_VIEW_STORE,
  listViews,
  openViewStore,
  readRunSets,
  renameView,
  restoreView,
  saveRunSet,
  saveView,
} from "./index";
import { findEarlier, takeInViews } from "./store";

/** The log beside a store of the release before. */
async function restoreEarlier(engine: EngineUnderTest): Promise<DatabaseTarget> {
  if (engine.name === "postgres") {
    const client = new Client({ connectionString: (await freshPostgres()).url });
    await client.connect();
    await client.query("drop schema if exists assay_views, assay cascade");
    await client.end();
  }
  const copy = await restoreCopy(engine, join(import.meta.dirname, "release-002"), "assay_views");
  if (copy.engine === "postgres") return { ...copy, schema: "assay" };
  renameSync(copy.file, join(dirname(copy.file), "views.sqlite"));
  return copy;
}

describeEngines("views and run sets of the release before", (engine) => {
  it("are as they were saved, and more are saved beside them", async () => {
    const store = openViewStore(await restoreEarlier(engine));
    onTestFinished(() => store.close());
    const { views, problem } = await listViews(store);
    expect(problem).toBeNull();
    expect(views).toMatchObject([
      { name: "Flaky \u{1f600}", href: "/jobs/tb2?pattern=flaky", createdBy: "Ada" },
    ]);
    const group = "orca__m__d";
    const members = [
      { job: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901", jobKey: "base-1", jobName: "base-1", group },
      { job: null, jobKey: "base-2", jobName: "base-2", group },
    ];
    // Every set of that release was one of runs that count together, and took up no others.
    expect(await readRunSets(store)).toMatchObject({
      sets: [{ name: "base", members, rule: null, createdBy: "Ada" }],
      apart: [],
      problem: null,
    });
    await saveRunSet(store, { name: "more", members, createdBy: null });
    expect((await readRunSets(store)).sets).toHaveLength(2);
    const [view] = views;
    await deleteView(store, view?.id);
    expect((await listViews(store)).views).toEqual([]);
    await restoreView(store, view?.id);
    expect((await listViews(store)).views).toEqual(views);
  });

  it("are there once if the process is killed before it drops them, or two of them move them", async () => {
    const target = await restoreEarlier(engine);
    const log = openAnnotationStore(target);
    onTestFinished(() => log.close());
    const killed: AnnotationStore = {
      ...log,
      write: async (work) => {
        await log.write(work);
        throw new Error("killed");
      },
    };
    await expect(takeInViews(killed, target)).rejects.toThrow("killed");
    const [store, other] = [openViewStore(target), openViewStore(target)];
    onTestFinished(() => store.close());
    onTestFinished(() => other.close());
    const [listed, ofOther] = await Promise.all([listViews(store), listViews(other)]);
    expect(listed).toMatchObject({ views: [{ name: "Flaky \u{1f600}" }], problem: null });
    expect(ofOther).toEqual(listed);
    expect((await readRunSets(other)).sets).toHaveLength(1);
  });

  it("stay as they are named since, and that release writes no others", async () => {
    const target = await restoreEarlier(engine);
    const earlier = openOnUse<object>(findEarlier(target), EARLIER_VIEW_STORE.listMigrations);
    onTestFinished(() => earlier.close());
    const store = openViewStore(target);
    const [view] = (await listViews(store)).views;
    await renameView(store, { id: view?.id, name: "Renamed" });
    await store.close();
    await expect(earlier.write(() => Promise.resolve())).rejects.toMatchObject({ code: "store_too_new" });
    const again = openViewStore(target);
    onTestFinished(() => again.close());
    expect((await listViews(again)).views).toEqual([{ ...view, name: "Renamed" }]);
  });

  it("are named if they cannot be read", async () => {
    const target = await restoreEarlier(engine);
    const earlier = openOnUse<object>(findEarlier(target), EARLIER_VIEW_STORE.listMigrations);
    await earlier.write(async ({ db }) => {
      await sql`update views set href = '//example.org' where deleted_at is null`.execute(db);
      await sql`update run_sets set members = '{'`.execute(db);
    });
    await earlier.close();
    const store = openViewStore(target);
    onTestFinished(() => store.close());
    const { views, problem } = await listViews(store);
    expect([views, problem]).toEqual([[], expect.stringContaining("6838d3d6-60ba-43f6-883f-2fd34afe6af3")]);
    expect((await readRunSets(store)).problem).toContain("358e9ea1");
  });
});

it("whose file is damaged cost no judgment", async () => {
  const target = freshSqlite();
  const store = openViewStore(target);
  onTestFinished(() => store.close());
  await store.write(() => Promise.resolve());
  writeFileSync(join(dirname(target.file), "views.sqlite"), "");
  expect(await listViews(store)).toEqual({
    views: [],
    problem: expect.stringContaining("views.sqlite") as string,
  });
  const view = { name: "One", href: "/", createdBy: null };
  await expect(saveView(store, view)).rejects.toMatchObject({ code: "store_corrupt" });
  const log = openAnnotationStore(target);
  onTestFinished(() => log.close());
  expect(await readAnnotationsState(log)).toMatchObject({ nCurrent: 0, problem: null });
  rmSync(join(dirname(target.file), "views.sqlite"));
  await saveView(store, view);
  expect((await listViews(store)).views).toMatchObject([{ name: "One" }]);
});
