import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import type { IndexStore } from "@/lib/store/tables";
import { makeFolder, writeFiles } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { regradeFiles } from "@/lib/testing/lineage.fixture";

import { locateTrial } from "./locate";
import { readTrialLineage } from "./page";

async function readLineage(store: IndexStore, job: string, trial: string) {
  const located = await locateTrial(store, job, trial);
  if (located === null) throw new Error(`${trial} was just indexed.`);
  return readTrialLineage(store, located);
}

describeEngines("the lineage of a trial", (engine) => {
  it("links a regrade to its source with both rewards, and back", async () => {
    const { store } = await indexFolders(engine, [makeFolder(regradeFiles())]);
    const { regrade, regrades } = await readLineage(store, "regrade", "alpha__aaaaaabr");
    expect(regrade).toMatchObject({
      flip: "up",
      rewardText: "1",
      sourceTask: { version: "1.0.0" },
      ownTask: { version: "1.1.0" },
      source: { jobKey: "source", key: "alpha__aaaaaab", rewardText: "0" },
    });
    expect(regrades).toEqual([]);
    const back = await readLineage(store, "source", "alpha__aaaaaab");
    expect(back.regrade).toBeNull();
    expect(back.regrades).toEqual([
      expect.objectContaining({ jobKey: "regrade", key: "alpha__aaaaaabr", rewardText: "1" }),
    ]);
  });

  itLong(engine.name === "sqlite")(
    "finds a source by its id in any folder, and by its folders without ids",
    async () => {
      const folder = makeFolder(regradeFiles());
      renameSync(join(folder, "source"), join(folder, "renamed"));
      const index = await indexFolders(engine, [folder]);
      const find = async () =>
        (await readLineage(index.store, "regrade", "alpha__aaaaaaar")).regrade?.source ?? null;
      expect(await find()).toMatchObject({ jobKey: "renamed", key: "alpha__aaaaaaa" });

      const path = "regrade/alpha__aaaaaaar/result.json";
      const result = JSON.parse(readFileSync(join(folder, path), "utf8")) as { config: object };
      const source = { action: "regrade", type: "local", path: "/elsewhere/source/alpha__aaaaaaa" };
      writeFiles(folder, { [path]: { ...result, config: { ...result.config, source_trial: source } } });
      await index.refresh();
      expect(await find()).toBeNull();
      renameSync(join(folder, "renamed"), join(folder, "source"));
      await index.refresh();
      expect(await find()).toMatchObject({ jobKey: "source", key: "alpha__aaaaaaa" });
    },
  );

  itLong(engine.name === "sqlite")("does not take a namesake with another id for the source", async () => {
    const folder = makeFolder(regradeFiles());
    const path = "source/alpha__aaaaaaa/result.json";
    const result = JSON.parse(readFileSync(join(folder, path), "utf8")) as object;
    writeFiles(folder, { [path]: { ...result, id: "another-trial" } });
    const { store } = await indexFolders(engine, [folder]);
    const { regrade } = await readLineage(store, "regrade", "alpha__aaaaaaar");
    expect(regrade).toMatchObject({ source: null, flip: "source-not-open" });
  });
});
