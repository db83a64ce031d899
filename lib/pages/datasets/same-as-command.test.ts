import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { runCli } from "@/lib/cli/run-cli";
import { formatLeaderboard, prepareSensitivityJson } from "@/lib/core/comparison";
import { openIndex } from "@/lib/store/indexer";
import { type FolderFiles, jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { readHistory } from "./history";
import { readLeaderboard } from "./leaderboard";
import { listDatasets } from "./list";

const printedSchema = z.object({
  datasets: z.array(
    z.looseObject({
      id: z.string(),
      n_ranked: z.int(),
      groups: z.array(z.looseObject({ name: z.string(), runs: z.array(z.unknown()) })),
    }),
  ),
});

async function print(args: readonly string[]): Promise<string> {
  let stdout = "";
  const sink = { write: () => true, once: () => undefined };
  const code = await runCli(args, {
    stdout: { ...sink, write: (text: string) => ((stdout += text), true) },
    stderr: sink,
    env: {},
  });
  expect(code).toBe(0);
  return stdout;
}

it("ranks on the page as the command does, figure by figure", async () => {
  const folder = mkdtempSync(join(tmpdir(), "board-"));
  const jobs = join(folder, "jobs");
  writeSyntheticJobs(jobs, { trials: IS_LONG_RUN ? 400 : 40, seed: 11, jobs: 5 });
  const index = await openIndex({ roots: [jobs], environment: { ASSAY_DATA: join(folder, "data") } });
  onTestFinished(async () => {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await index.refresh();
  await index.settle();
  const datasets = await listDatasets(index.store);
  expect(datasets.length).toBeGreaterThan(0);
  for (const [runs, missing, coverage, rule] of [
    ["each", "zero", 0, "recorded"],
    ["pooled", "exclude", 60, "recorded"],
    ["folder", "zero", 0, "recorded"],
    ["each", "zero", 0, "harbor-0.26"],
    ["each", "zero", 0, "all"],
  ] as const) {
    const options = { each: ["--pool", "none"], folder: ["--pool", "folder"], pooled: [] }[runs];
    const args = [
      "leaderboard",
      jobs,
      "--missing",
      missing,
      "--coverage",
      String(coverage),
      "--rule",
      rule,
      ...options,
    ];
    const printed = printedSchema.parse(JSON.parse(await print([...args, "--json"])));
    expect(printed.datasets.map(({ id }) => id).toSorted()).toEqual(datasets.map(({ id }) => id).toSorted());
    for (const dataset of datasets) {
      const params = { key: null, missing, rule, tasks: "own", coverage, runs, repeats: "apart" } as const;
      const { board } = await readLeaderboard(index.store, dataset, params);
      const own = printed.datasets.find(({ id }) => id === dataset.id);
      expect(own?.n_ranked).toBe(board.nRanked);
      expect(board.nRanked).toBeGreaterThan(1);
      // Without saved sets both tabs are of the same groups, and so of one board.
      if (runs === "each") expect((await readHistory(index.store, dataset, params)).board).toBe(board);
      else expect(board.rows.some((row) => row.runs.length > 1 && row.label.includes("×"))).toBe(true);
      const rows = board.rows.map(({ label, sensitivity, ...row }) => {
        const { runs, state, rank, mean, cost, families, figures, marks } = row;
        return {
          sensitivity: prepareSensitivityJson(sensitivity),
          name: label,
          runs,
          state,
          rank,
          mean,
          cost,
          families,
          figures,
          marks,
        };
      });
      const same = JSON.parse(JSON.stringify(rows)) as typeof rows;
      expect(own?.groups).toMatchObject(same);
      expect(own?.groups).toHaveLength(rows.length);
      for (const format of ["markdown", "csv", "latex"] as const)
        expect(await print([...args, "--dataset", dataset.id, "--format", format])).toBe(
          formatLeaderboard(board, dataset.label, format),
        );
    }
  }
});

it("puts models of one name from different providers in separate rows on both sides", async () => {
  const write = (job: string, providers: readonly (string | null)[]): FolderFiles => {
    const rewards = Object.fromEntries(
      providers.flatMap((_, at) => ["a", "b"].map((task) => [`${task}__${job}xxx${at}`, at])),
    );
    const results = Object.keys(rewards).map((name): [string, unknown] => {
      const provider = providers[Number(name.at(-1))] ?? null;
      const agent_info = { name: "orca", version: "1.0", model_info: { name: "m1", provider } };
      const config = { task: { path: name }, trial_name: name, agent: { name: "orca" } };
      return [`${job}/${name}/result.json`, trialResult(name, 1, { agent_info, config })];
    });
    return { ...jobFiles(job, rewards, { id: job }), ...Object.fromEntries(results) };
  };
  const jobs = makeFolder({ ...write("uni", ["x"]), ...write("duo", ["x", "y"]), ...write("nil", [null]) });
  const index = await openHere([jobs], makeDataFolder());
  await index.refresh();
  await index.settle();
  const [dataset] = await listDatasets(index.store);
  if (dataset === undefined) throw new Error("The dataset was just indexed.");
  const params = { key: null, missing: "zero", rule: "recorded", tasks: "own", coverage: 0 } as const;
  const { board } = await readLeaderboard(index.store, dataset, {
    ...params,
    runs: "pooled",
    repeats: "apart",
  });
  const rows = board.rows.map(({ label, runs }) => [label, runs.map(({ job }) => job).toSorted()]);
  expect(rows.toSorted()).toEqual([
    ["orca m1", ["nil"]],
    ["orca x/m1 ×2", ["duo", "uni"]],
    ["orca y/m1", ["duo"]],
  ]);
  const args = ["leaderboard", jobs, "--coverage", "0", "--dataset", dataset.id, "--format", "csv"];
  expect(await print(args)).toBe(formatLeaderboard(board, dataset.label, "csv"));
});

it("counts tasks of one name in two folders apart on both sides", async () => {
  const files = ["first", "second"].flatMap((folder, task) =>
    [1, 0].map((reward, index) => {
      const trial = `alpha__aaaaa${task}${index}`;
      const job = `${folder}/jobs/run-${index}`;
      const result = trialResult(trial, reward, { task_checksum: String(task).repeat(64) });
      return { ...jobFiles(job, { [trial]: reward }, { id: job }), [`${job}/${trial}/result.json`]: result };
    }),
  );
  const jobs = makeFolder(Object.assign({}, ...files) as FolderFiles);
  const index = await openHere([jobs], makeDataFolder());
  await index.refresh();
  await index.settle();
  const [dataset] = await listDatasets(index.store);
  if (dataset === undefined) throw new Error("The dataset was just indexed.");
  expect(dataset.tasks).toEqual(["alpha (first)", "alpha (second)"]);
  const coverage = 0;
  const params = { key: null, missing: "zero", rule: "recorded", tasks: "own", coverage } as const;
  const { board } = await readLeaderboard(index.store, dataset, {
    ...params,
    runs: "pooled",
    repeats: "apart",
  });
  const args = ["leaderboard", jobs, "--coverage", "0", "--dataset", dataset.id, "--format", "csv"];
  expect(await print(args)).toBe(formatLeaderboard(board, dataset.label, "csv"));
});
