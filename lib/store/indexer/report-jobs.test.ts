import { join } from "node:path";

import { expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  readGroups,
  readHead,
  readIssues,
  readJobs,
  readMachineTags,
  readReportedTagKeys,
  readReports,
} from "@/lib/store/tables";
import { jobFiles, jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

/** Jobs that `harbor analyze` and `harbor check` of real Harbor 0.24.0 ran, and the job that was analysed. */
const FOLDERS = ["analysis", "check"].map((name) =>
  join(import.meta.dirname, "../../core/verification/corpus/jobs/0.24.0", name),
);

describeEngines("jobs that write reports about others", (engine) => {
  itLong(engine.name === "sqlite")(
    "are known by their tasks, listed separately and no candidates for comparisons",
    async () => {
      const { store } = await indexFolders(engine, FOLDERS);
      const sort = { by: "job", descending: false } as const;
      const list = async (isReports: boolean) => {
        const page = await readJobs(store, { text: "", isReports, facets: {} }, sort, { from: 0, limit: 9 });
        return page.rows.map((job) => `${job.name} ${job.purpose}`);
      };
      expect(await list(false)).toEqual(["analysed benchmark"]);
      expect(await list(true)).toEqual(["analysis analysis", "check check"]);
      const groups = await readGroups(store, { words: [], except: [] }, { from: 0, limit: 9 });
      const analysed = await readHead(store, "analysed");
      expect(groups.rows.map(({ jobRowId }) => jobRowId)).toEqual([analysed?.rowId]);
      expect(groups.nGroups).toBe(1);
    },
  );

  it("are found by the trial and by the task's folder, newest first, those of others left out", async () => {
    const { store } = await indexFolders(engine, FOLDERS);
    const read = async (trialName: string, taskFolder: string) => {
      const { rows, nMatching } = await readReports(store, { trialName, taskFolder }, 9);
      return {
        rows: rows.map(({ jobName, file, error, analysis }) => ({ jobName, file, error, analysis })),
        nMatching,
      };
    };
    const { rows, nMatching } = await read("alpha__8oqHwcN", "alpha");
    expect(nMatching).toBe(2);
    expect(rows).toMatchObject([
      { jobName: "check", file: "check_report.json", analysis: { checks: [] } },
      {
        jobName: "analysis",
        file: "analysis.json",
        error: null,
        analysis: { summary: "It wrote the answer." },
      },
    ]);
    expect(rows[0]?.error).toContain("2 validation errors");
    expect(rows[1]?.analysis.checks.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      "reward_hacking pass",
      "task_specification fail",
    ]);
    expect((await read("alpha__8oqHwcN", "other")).rows.map(({ jobName }) => jobName)).toEqual(["analysis"]);
    expect(await read("alpha", "alpha__8oqHwcN")).toEqual({ rows: [], nMatching: 0 });
  });

  it("give the trials that they analysed tags of a judge, each once, and those of tasks none", async () => {
    const write = (kind: string, trial: string) => ({
      [`${kind}/result.json`]: jobResult({ [trial]: 1 }),
      [`${kind}/${trial}/result.json`]: trialResult(trial, 1, {
        config: { task: { path: `work/harbor-${kind}-x1y2/${kind}-alpha` }, agent: { name: "a" } },
      }),
    });
    const checks = { slow: { outcome: "fail", explanation: "s" }, fair: { outcome: "pass" } };
    const known = { checks: { seen: { outcome: "fail" } } };
    const reports = [
      { trial_name: "alpha__aaaaaaa", checks },
      { trial_name: "alpha__aaaaaaa", checks: { ...checks, ...known.checks } },
      { trial_name: "nowhere", checks },
    ];
    const root = makeFolder({
      ...jobFiles("bench", { alpha__aaaaaaa: 0, alpha__bbbbbbb: 0 }),
      "bench/alpha__aaaaaaa/analysis.json": known,
      ...write("analyze", "x__aaaaaaa"),
      "analyze/analysis.json": { results: reports },
      ...write("check", "y__aaaaaaa"),
      "check/check_report.json": { results: [{ task_name: "alpha", checks }] },
    });
    const { store } = await indexFolders(engine, [root]);
    const tags = (await readMachineTags(store)).filter(({ kind }) => kind === "judge");
    expect(tags.map(({ key, id }) => `${key} ${id}`)).toEqual(["alpha__aaaaaaa seen", "alpha__aaaaaaa slow"]);
    const [{ jobRowId, position } = { jobRowId: 0, position: 0 }] = tags;
    expect(await readMachineTags(store, { jobRowId, position })).toEqual(tags);
    expect(await readMachineTags(store, { jobRowId, position: 1 - position })).toEqual([]);
    expect([...(await readReportedTagKeys(store, jobRowId, ["slow", "fair"]))]).toEqual(["alpha__aaaaaaa"]);
  });

  itLong(engine.name === "sqlite")(
    "are cut to what a page holds, and counted beyond what is asked for",
    async () => {
      const config = { task: { path: "work/harbor-analyze-x1y2/analyze-alpha" }, agent: { name: "a" } };
      const result = { trial_name: "x", summary: "s".repeat(9 << 20), checks: {} };
      const root = makeFolder({
        ...jobFiles("run", { alpha__aaaaaaa: 1 }),
        "run/alpha__aaaaaaa/result.json": trialResult("alpha__aaaaaaa", 1, { config }),
        "run/analysis.json": { results: [result, { ...result, summary: "other" }] },
      });
      const { store } = await indexFolders(engine, [root]);
      const { rows, nMatching } = await readReports(store, { trialName: "x", taskFolder: "y" }, 1);
      expect([rows.length, nMatching]).toEqual([1, 2]);
      expect(rows[0]?.isCut).toBe(true);
      expect(rows[0]?.analysis.summary).toMatch(/^s{1000}/);
      expect(rows[0]?.analysis.summary?.length).toBeLessThan(100_000);
    },
  );

  itLong(engine.name === "sqlite")("say which report cannot be read", async () => {
    const config = { task: { path: "work/harbor-check-x1y2/check-alpha" }, agent: { name: "a" } };
    const root = makeFolder({
      ...jobFiles("run", { alpha__aaaaaaa: 1 }),
      "run/alpha__aaaaaaa/result.json": trialResult("alpha__aaaaaaa", 1, { config }),
      "run/check_report.json": '{"results": [',
    });
    const { store } = await indexFolders(engine, [root]);
    const { issues } = await readIssues(store, { text: "check_report", limit: 9 });
    expect(issues).toMatchObject([{ code: "json_torn" }]);
  });
});
