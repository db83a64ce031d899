import { join } from "node:path";

import { expect, it } from "vitest";

import { describeEngines } from "@/lib/database/postgres.fixture";
import { readGroups, readHead, readJobs, readReportJobs } from "@/lib/store";

import { indexFolders } from "./index.fixture";

/** Jobs that `harbor analyze` and `harbor check` of real Harbor 0.24.0 ran, and the job that was analysed. */
const FOLDERS = ["analysis", "check"].map((name) =>
  join(import.meta.dirname, "../verification/corpus/jobs/0.24.0", name),
);

describeEngines("jobs that write reports about others", (engine) => {
  it("are known by their tasks, listed apart and no candidates for comparisons", async () => {
    const { store } = await indexFolders(engine, FOLDERS);
    const sort = { by: "name_sort", descending: false } as const;
    const list = async (isReports: boolean) => {
      const page = await readJobs(store, { text: "", isReports, facets: {} }, sort, { kind: "first" }, 9);
      return page.rows.map(({ job }) => `${job.name} ${job.purpose}`);
    };
    expect(await list(false)).toEqual(["analysed benchmark"]);
    expect(await list(true)).toEqual(["analysis analysis", "check check"]);
    const groups = await readGroups(store, { words: [], except: [] }, { kind: "first" }, 9);
    const analysed = await readHead(store, "analysed");
    expect(groups.rows.map(({ jobId }) => jobId)).toEqual([analysed?.id]);
    expect(groups.nGroups).toBe(1);
    // Newest first.
    expect((await readReportJobs(store, 9)).map(({ path }) => path)).toEqual([
      join(FOLDERS[1] ?? "", "check"),
      join(FOLDERS[0] ?? "", "analysis"),
    ]);
  });
});
