import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { restoreCopy } from "@/lib/store/database/stored-copy.fixture";

import { deleteView, listViews, openViewStore, readRunSets, restoreView, saveRunSet } from "./index";

describeEngines("views and run sets of the release before", (engine) => {
  it("are as they were saved, and more are saved beside them", async () => {
    const copy = await restoreCopy(engine, join(import.meta.dirname, "release-002"), "assay_views");
    const store = openViewStore(copy);
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
});
