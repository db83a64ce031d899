import { expect, test } from "vitest";

import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { listDatasets, readDatasetsPage } from "./list";

/** A job of trials without a dataset. */
function unnamed(job: string, trials: readonly string[]) {
  const rewards = Object.fromEntries(trials.map((name) => [name, 1]));
  const files = jobFiles(job, rewards);
  const results = trials.map((name) => [
    `${job}/${name}/result.json`,
    trialResult(name, 1, { source: null }),
  ]);
  return { ...files, ...(Object.fromEntries(results) as typeof files) };
}

const FILES = {
  ...jobFiles("one", { alpha__aaaaaaa: 1, beta__bbbbbbb: 0 }),
  ...jobFiles("two", { beta__ccccccc: 1, gamma__ddddddd: 0 }),
  ...unnamed("solo", ["alpha__eeeeeee"]),
  ...unnamed("solo-again", ["alpha__fffffff"]),
  ...unnamed("pair", ["alpha__ggggggg", "delta__hhhhhhh"]),
};

describeQueries("the list of datasets", (engine) => {
  test("counts them over all jobs, and tasks without one only with the same", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    const datasets = await listDatasets(store);
    expect(datasets.map(({ label, isNamed, nJobs, nTrials }) => [label, isNamed, nJobs, nTrials])).toEqual([
      ["bench", true, 2, 4],
      ["alpha and 1 more", false, 1, 2],
      ["alpha", false, 2, 2],
    ]);
    expect(datasets[0]?.tasks).toEqual(["alpha", "beta", "gamma"]);
    const page = await readDatasetsPage(1, store, datasets);
    expect(page).toMatchObject({ nMatching: 3, nUnnamed: 2, nUnread: 0 });
    expect(page.rows.map(({ label, nGroups, nTasks }) => [label, nGroups, nTasks])).toEqual([
      ["bench", 2, 3],
      ["alpha and 1 more", 1, 2],
      ["alpha", 2, 1],
    ]);
    expect((await readDatasetsPage(9, store, datasets)).rows).toHaveLength(3);
  });
});
