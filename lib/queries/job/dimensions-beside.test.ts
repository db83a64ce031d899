import { expect, it } from "vitest";

import { describeEngines } from "@/lib/database/postgres.fixture";
import { readHead } from "@/lib/store";
import { jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { listDatasets } from "../datasets/list";
import { readDimensionsBeside } from "./dimensions-beside";

type Shares = Readonly<Record<string, number>>;

interface Attempt {
  readonly job: string;
  readonly task: string;
  readonly agent?: string;
  readonly source?: string;
  readonly shares: Shares;
}

function listFiles(attempts: readonly Attempt[]): Record<string, unknown> {
  const files: Record<string, unknown> = {};
  for (const [at, { job, task, agent = "orca", source = "bench", shares }] of attempts.entries()) {
    const name = `${task}__aaaa${String(at).padStart(3, "0")}`;
    files[`${job}/result.json`] = jobResult({ x__aaaaaaa: 1 });
    files[`${job}/${name}/result.json`] = trialResult(name, 0.5, {
      id: `id-${job}-${name}`,
      task_name: task,
      source,
      agent_info: { name: agent, version: "1.0", model_info: { name: "m1", provider: "lab" } },
    });
    files[`${job}/${name}/verifier/details.json`] = Object.fromEntries(
      Object.entries(shares).map(([dimension, score]) => [dimension, { score, max_score: 1 }]),
    );
  }
  return files;
}

const TASKS = ["alpha", "beta", "gamma", "delta", "eps", "zeta", "eta", "theta"];
const BEFORE = [0.9, 0.8, 1, 0.7, 0.9, 0.8, 1, 0.7];
const AFTER = [0.5, 0.3, 0.7, 0.3, 0.4, 0.4, 0.5, 0.2];
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** `depth` falls on every task, `style` rises a little, `polish` is of one common task, and each job has one of its own. */
const ATTEMPTS: readonly Attempt[] = TASKS.flatMap((task, at) => [
  {
    job: "old",
    task,
    shares: { depth: BEFORE[at] ?? 0, style: 0.5, ...(at < 1 ? { polish: 1, gone: 1 } : {}) },
  },
  {
    job: "new",
    task,
    shares: { depth: AFTER[at] ?? 0, style: 0.6, ...(at < 1 ? { polish: 0.25, fresh: 1 } : {}) },
  },
]);

describeEngines("dimensions of two jobs", (engine) => {
  async function open(attempts: readonly Attempt[]) {
    const { store } = await indexFolders(engine, [makeFolder(listFiles(attempts))]);
    const datasets = await listDatasets(store);
    return async (jobKey: string, withJob: string | null) => {
      const job = await readHead(store, jobKey);
      if (job === null) throw new Error("no job");
      return readDimensionsBeside(store, job, { groups: [], withJob }, datasets);
    };
  }

  it("has the worst change first, over common tasks, with what one job alone states named", async () => {
    const { beside, choices } = await (await open(ATTEMPTS))("new", "old");
    expect(choices).toEqual([{ key: "old", name: "old" }]);
    if (beside === null || beside === "unknown") throw new Error("nothing beside");
    expect(beside.rows.map(({ name }) => name)).toEqual(["depth", "style"]);
    const [depth, style] = beside.rows;
    expect(depth?.comparison.meanFirst).toBeCloseTo(mean(AFTER), 12);
    expect(depth?.comparison.meanSecond).toBeCloseTo(mean(BEFORE), 12);
    expect(depth?.comparison.difference).toBeCloseTo(mean(AFTER) - mean(BEFORE), 12);
    // All eight tasks fell: by chance one of 128 times, which is less than 0.05 also for two dimensions together.
    expect([depth?.comparison.verdict, depth?.comparison.nTasks]).toEqual(["second-better", 8]);
    expect(style?.comparison.difference).toBeCloseTo(0.1, 12);
    expect(beside.single.map(({ name, task, comparison }) => [name, task, comparison.difference])).toEqual([
      ["polish", "alpha", -0.75],
    ]);
    expect([beside.onlyHere, beside.onlyThere]).toEqual([["fresh"], ["gone"]]);
  });

  it("turns round with the jobs", async () => {
    const find = await open(ATTEMPTS);
    const { beside } = await find("old", "new");
    if (beside === null || beside === "unknown") throw new Error("nothing beside");
    expect(beside.rows.map(({ name }) => name)).toEqual(["style", "depth"]);
    expect(beside.rows[1]?.comparison.difference).toBeCloseTo(mean(BEFORE) - mean(AFTER), 12);
  });

  it("compares agents that both jobs have, where there are any", async () => {
    const others = TASKS.map((task) => ({ job: "new", task, agent: "lamp", shares: { depth: 0 } }));
    const { beside } = await (await open([...ATTEMPTS, ...others]))("new", "old");
    if (beside === null || beside === "unknown") throw new Error("nothing beside");
    expect(beside.agents).toEqual([[{ agent: "orca", model: "m1" }], [{ agent: "orca", model: "m1" }]]);
    expect(beside.rows[0]?.comparison.meanFirst).toBeCloseTo(mean(AFTER), 12);
  });

  it("offers no job of another dataset, and knows it when the address asks for one", async () => {
    const foreign = { job: "foreign", task: "alpha", source: "elsewhere", shares: { depth: 1 } };
    const find = await open([...ATTEMPTS, foreign]);
    expect((await find("new", null)).choices.map(({ key }) => key)).toEqual(["old"]);
    expect((await find("new", "foreign")).beside).toBe("unknown");
    expect((await find("new", "new")).beside).toBe("unknown");
    expect((await find("new", null)).beside).toBeNull();
  });
});
