import { expect, it, onTestFinished } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import type { Shown } from "@/lib/store/visibility";

import { listViews, openViewStore, saveView } from "./index";

/** Hides the name `zebra` and every job. */
const SHOWN: Shown = {
  version: () => Promise.resolve(1),
  findTrials: () => Promise.resolve([]),
  findJobs: () => Promise.resolve([]),
  findClusters: () => Promise.resolve(new Set()),
  findHiddenNames: (texts) => Promise.resolve(new Set(texts.filter((text) => text === "zebra"))),
};

describeEngines("saved views where folders are hidden", (engine) => {
  it("are all of whoever asks, and those of others that tell nothing of what is hidden", async () => {
    const store = openViewStore(await engine.freshTarget());
    onTestFinished(() => store.close());
    const views = ["/trials?task=zebra", "/trials?task=horse", "/jobs/secret", "/?q=came+off", "/?q="];
    for (const createdBy of ["Vic", "Ada", null])
      for (const href of views) await saveView(store, { name: href, href, createdBy });
    const list = async (asker: string | null) => {
      const { views: listed } = await listViews({ ...store, viewer: { shown: SHOWN, asker } });
      return listed.map(({ createdBy, href }) => `${createdBy ?? "nobody"} ${href}`).toSorted();
    };
    const ofAll = ["Ada", "Vic", "nobody"].flatMap((name) => [`${name} /?q=`, `${name} /trials?task=horse`]);
    const own = views.map((href) => `Vic ${href}`);
    expect(await list("vic")).toEqual([...new Set([...ofAll, ...own])].toSorted());
    expect(await list(null)).toEqual(ofAll.toSorted());
  });
});
