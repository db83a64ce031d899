import { expect, it } from "vitest";

import { openViewStore, saveRunSet } from "@/lib/people/views";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readHead } from "@/lib/store/tables";
import { jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { listDatasets } from "../datasets/list";
import { getDimensionOverview } from "./dimension-overview";
import { readDimensionSides } from "./dimension-sides";
import { readDimensionsBeside } from "./dimensions-beside";

type Shares = Readonly<Record<string, number>>;

interface Attempt {
  readonly job: string;
  readonly task: string;
  readonly agent?: string;
  readonly source?: string;
  readonly shares: Shares;
  /** Its id, which copies of one rollout have in common; one of its own when absent. */
  readonly id?: string;
  readonly version?: string;
}

function listFiles(attempts: readonly Attempt[]): Record<string, unknown> {
  const files: Record<string, unknown> = {};
  for (const [at, attempt] of attempts.entries()) {
    const { job, task, agent = "orca", source = "bench", shares, version = "1.0" } = attempt;
    const name = `${task}__aaaa${String(at).padStart(3, "0")}`;
    files[`${job}/result.json`] = jobResult({ x__aaaaaaa: 1 }, { id: toUuid(job) });
    files[`${job}/${name}/result.json`] = trialResult(name, 0.5, {
      id: attempt.id ?? `id-${job}-${name}`,
      task_name: task,
      source,
      agent_info: { name: agent, version, model_info: { name: "m1", provider: "lab" } },
    });
    files[`${job}/${name}/verifier/details.json`] = Object.fromEntries(
      Object.entries(shares).map(([dimension, score]) => [dimension, { score, max_score: 1 }]),
    );
  }
  return files;
}

function toUuid(job: string): string {
  return `11111111-1111-4111-8111-${Buffer.from(job).toString("hex").padStart(12, "0").slice(-12)}`;
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

type Asked = Partial<Parameters<typeof readDimensionSides>[2]>;

describeQueries("dimensions side by side", (engine) => {
  async function open(attempts: readonly Attempt[]) {
    const { store } = await indexFolders(engine, [makeFolder(listFiles(attempts))]);
    const datasets = await listDatasets(store);
    const views = openViewStore(await engine.freshTarget());
    const find = async (jobKey: string, asked: Asked, identity = 0) => {
      const job = await readHead(store, jobKey);
      if (job === null) throw new Error("no job");
      const request = { beside: [], pooled: [], ...asked };
      const sources = { store, datasets, views, identityOf: () => identity };
      const sides = await readDimensionSides(sources, job, request);
      return { job, sides };
    };
    const compare = async (jobKey: string, asked: Asked) => {
      const { job, sides } = await find(jobKey, asked);
      const { pooled, other } = sides;
      if (pooled === "unknown" || other === null || other === "unknown") throw new Error("nothing beside");
      const request = { job, pooled, other, groups: [], state: "complete" } as const;
      const beside = await readDimensionsBeside(store, request, datasets);
      const overview = await getDimensionOverview(store, job, { groups: [] }, pooled);
      return { ...sides, pooled, other, beside, overview };
    };
    return { find, compare, views };
  }

  it("has the worst change first, over common tasks, and names dimensions of one job only", async () => {
    const { beside } = await (await open(ATTEMPTS)).compare("new", { beside: ["old"] });
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
    const { beside } = await (await open(ATTEMPTS)).compare("old", { beside: ["new"] });
    expect(beside.rows.map(({ name }) => name)).toEqual(["style", "depth"]);
    expect(beside.rows[1]?.comparison.difference).toBeCloseTo(mean(BEFORE) - mean(AFTER), 12);
  });

  it("compares common agents, if there are any", async () => {
    const others = TASKS.map((task) => ({ job: "new", task, agent: "lamp", shares: { depth: 0 } }));
    const { beside } = await (await open([...ATTEMPTS, ...others])).compare("new", { beside: ["old"] });
    expect(beside.agents).toEqual([[{ agent: "orca", model: "m1" }], [{ agent: "orca", model: "m1" }]]);
    expect(beside.rows[0]?.comparison.meanFirst).toBeCloseTo(mean(AFTER), 12);
  });

  it("offers no job of another dataset, and knows it when the address asks for one", async () => {
    const foreign = { job: "foreign", task: "alpha", source: "elsewhere", shares: { depth: 1 } };
    const { find } = await open([...ATTEMPTS, foreign]);
    const { sides } = await find("new", {});
    expect([sides.besideChoices.map(({ refs }) => refs), sides.other]).toEqual([[["old"]], null]);
    for (const one of ["foreign", "new", `foreign:orca__m1__elsewhere`, "set:00000000"])
      expect((await find("new", { beside: [one] })).sides.other).toBe("unknown");
    expect((await find("new", { pooled: ["old:orca__m1__bench"] })).sides.pooled).toBe("unknown");
  });

  /** `base-2` is another run, except that its `alpha` is a copy of the rollout of `base-1` with another verdict. */
  const REPEATS: readonly Attempt[] = TASKS.flatMap((task, at) => [
    { job: "base-1", task, shares: { depth: BEFORE[at] ?? 0 }, id: `one-${task}` },
    {
      job: "base-2",
      task,
      shares: { depth: at === 0 ? 0 : 0.5 },
      id: at === 0 ? `one-${task}` : `two-${task}`,
      version: "2.0",
    },
    { job: "fixed", task, shares: { depth: AFTER[at] ?? 0 } },
  ]);
  const POOLED = mean(BEFORE.map((share, at) => (at === 0 ? share : (share + 0.5) / 2)));
  /** Of an overview, in which each trial weighs the same. */
  const OF_TRIALS = mean([...BEFORE, ...TASKS.slice(1).map(() => 0.5)]);
  const refs = (...jobs: readonly string[]) =>
    jobs.map((job, at) => `${at === 0 ? "" : "+"}${job}:orca__m1__bench`);

  it("counts the rollouts of a run set once, on either side, and reports that its runs differ", async () => {
    const { compare } = await open(REPEATS);
    const asked = { beside: refs("base-1", "base-2") };
    const { beside, besideChoices, other } = await compare("fixed", asked);
    expect(besideChoices[0]).toEqual({ refs: asked.beside, name: "base ×2" });
    expect(beside.rows[0]?.comparison.meanSecond).toBeCloseTo(POOLED, 12);
    expect(beside.other.name).toBe("base ×2 (runs differ)");
    if (!("runs" in other)) throw new Error("no run set");
    expect([other.nKnown, other.checks[0]]).toEqual([1, expect.objectContaining({ name: "agent version" })]);

    const turned = await compare("base-1", { pooled: asked.beside, beside: ["fixed"] });
    expect(turned.beside.rows[0]?.comparison.difference).toBeCloseTo(POOLED - mean(AFTER), 12);
    expect(turned.overview.rows.map(({ name, cells, n }) => [name, cells[0]?.mean, n])).toEqual([
      ["depth", expect.closeTo(OF_TRIALS, 12), 15],
    ]);
    expect(turned.beside.onBothSides).toEqual([]);
    const own = await compare("base-1", { pooled: asked.beside, beside: ["base-2"] });
    expect(own.beside.onBothSides).toEqual(["base-2"]);
  });

  it("offers runs that look like repeats by agent if their jobs have several", async () => {
    const others = ["base-1", "base-2"].map((job) => ({
      job,
      task: "alpha",
      agent: "lamp",
      shares: { depth: 1 },
    }));
    const { find, compare } = await open([...REPEATS, ...others]);
    const { sides } = await find("fixed", {});
    const names = sides.besideChoices.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["base ×2 orca", "base ×2 lamp"]));
    expect(new Set(names).size).toBe(names.length);
    // Agents of the same jobs have no trial in common.
    const lamps = ["base-1:lamp__m1__bench", "+base-2:lamp__m1__bench"];
    const agents = await compare("base-1", { pooled: refs("base-1", "base-2"), beside: lamps });
    expect(agents.beside.agents.flat().map(({ agent }) => agent)).toEqual(["orca", "lamp"]);
    expect(agents.beside.onBothSides).toEqual([]);
    const own = await compare("base-1", { pooled: lamps, beside: ["base-2"] });
    expect(own.beside.onBothSides).toEqual(["base-2"]);
  });

  it("has a run set under its agent's identity, which a new agent of another job may change", async () => {
    const { find } = await open(REPEATS);
    const asked = { pooled: refs("base-1", "base-2") };
    for (const identity of [3, 4])
      expect((await find("base-1", asked, identity)).sides.pooled).toMatchObject({ identity });
  });

  it("accepts a saved run set by name, for its own jobs only", async () => {
    const { compare, find, views } = await open(REPEATS);
    const members = ["base-1", "base-2"].map((job) => ({
      ...{ job: toUuid(job), jobKey: job, jobName: job },
      group: "orca__m1__bench",
    }));
    const { id } = await saveRunSet(views, { name: "before", members, createdBy: null });
    const { beside } = await compare("fixed", { beside: [`set:${id}`] });
    expect(beside.other).toMatchObject({ name: "before (runs differ)", refs: [`set:${id}`], jobKey: null });
    expect(beside.rows[0]?.comparison.meanSecond).toBeCloseTo(POOLED, 12);
    const choices = async (job: string) => (await find(job, {})).sides.poolChoices.map(({ name }) => name);
    expect([await choices("base-2"), await choices("fixed")]).toEqual([["before"], []]);
  });
});
