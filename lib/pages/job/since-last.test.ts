import { expect, test } from "vitest";

import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readHead } from "@/lib/store/tables";
import { jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { readHistory } from "../datasets/history";
import { listDatasets } from "../datasets/list";
import { readSinceLast } from "./since-last";

const TASKS = ["alpha", "beta", "gamma", "delta", "omega"];

/** A job with one trial a task, by a digit of its reward each; `day` of May, null for no stated start. */
function job(name: string, day: number | null, rewards: string, version = "1.0"): Record<string, unknown> {
  const start = day === null ? null : `2026-05-${String(day).padStart(2, "0")}T10:00:00Z`;
  const trials = TASKS.slice(0, rewards.length).map(
    (task, at) => [`${task}__${name.padEnd(7, "x")}`, Number(rewards[at])] as const,
  );
  const results = trials.map(([trial, reward]) => [
    `${name}/${trial}/result.json`,
    trialResult(trial, reward, {
      id: `${name} ${trial}`,
      agent_info: { name: "orca", version, model_info: { name: "m1", provider: "lab" } },
      ...(start === null ? {} : { started_at: start, finished_at: start }),
    }),
  ]);
  return {
    ...jobFiles(name, Object.fromEntries(trials), { started_at: start, finished_at: start }),
    ...(Object.fromEntries(results) as Record<string, unknown>),
  };
}

const FILES = {
  ...job("may01", 1, "11111"),
  ...job("may03", 3, "1100"),
  ...job("may09", 9, "10101", "2.0"),
  ...job("may20", 20, "00000"),
  ...job("undated", null, "11111"),
};

describeQueries("runs over time", (engine) => {
  test("compares a job with the last run that began before it", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    const datasets = await listDatasets(store);
    const read = async (key: string) => {
      const head = await readHead(store, key);
      return head === null ? null : readSinceLast(store, head, datasets);
    };
    expect(await read("may09")).toMatchObject({
      nLeftOut: 0,
      nUndated: 1,
      rows: [
        {
          before: { name: "may03" },
          since: {
            newPasses: ["gamma"],
            newFailures: ["beta"],
            sameFailures: ["delta"],
            samePasses: ["alpha"],
            nNotInBoth: 1,
          },
        },
      ],
    });
    expect(await read("may01")).toBeNull();
    expect(await read("undated")).toBeNull();
  });

  test("puts the runs of a dataset in the order of time, an undated one nowhere", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    const [dataset] = await listDatasets(store);
    if (dataset === undefined) throw new Error("No dataset was read.");
    const rule = {
      key: null,
      missing: "zero",
      rule: "recorded",
      tasks: "own",
      coverage: 0,
      runs: "each",
      repeats: "apart",
    } as const;
    const { points } = await readHistory(store, dataset, rule);
    expect(
      points.map(({ row, startMs, change }) => [
        row.runs[0]?.job,
        startMs === null ? null : new Date(startMs).getUTCDate(),
        row.mean.kind === "computed" ? row.mean.mean : null,
        change?.differs.map(({ name }) => name) ?? null,
      ]),
    ).toEqual([
      ["may01", 1, 1, null],
      ["may03", 3, 0.5, ["tasks"]],
      ["may09", 9, 0.6, ["tasks", "agent version"]],
      ["may20", 20, 0, ["agent version"]],
      ["undated", null, 1, null],
    ]);
  });
});
