import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import type { ErrorsFilter } from "@/lib/pages/errors/address";
import type { OpenIndex } from "@/lib/store/indexer";
import { getSampleFolder, openSamples } from "@/lib/testing/samples.fixture";

import { groupErrorsByAgent, readScoreEffects, getErrorDetail, readErrorsPage } from "./page";
import { type ErrorsBase, type ErrorsScope, nameAgent, readErrorsBase, selectErrorsScope } from "./scope";

const NONE: ErrorsFilter = { jobs: [], agents: [], causes: [], text: "" };
const JOB = "tb2-baseline";

/** The parts of Harbor's result.json that this page counts, read without any of the code under test. */
const resultSchema = z.object({
  agent_info: z.object({ name: z.string() }),
  exception_info: z.object({ exception_type: z.string(), exception_message: z.string() }).nullish(),
  verifier_result: z.object({ rewards: z.record(z.string(), z.number()).nullish() }).nullish(),
});

let index: OpenIndex;
let base: ErrorsBase;
let results: z.output<typeof resultSchema>[] = [];

beforeAll(async () => {
  index = await openSamples();
  base = await readErrorsBase(index.store);
  const job = join(getSampleFolder(), JOB);
  results = readdirSync(job)
    .map((name) => join(job, name, "result.json"))
    .filter((path) => existsSync(path))
    .map((path) => resultSchema.parse(JSON.parse(readFileSync(path, "utf8"))));
  // The samples have thousands of files, which are slow to write on a busy machine.
});

function scopeOf(change: Partial<ErrorsFilter>): ErrorsScope {
  return selectErrorsScope(base, { ...NONE, ...change }, () => 1);
}

function pageOf(change: Partial<ErrorsFilter>) {
  return readErrorsPage(index.store, base, scopeOf(change), { ...NONE, ...change });
}

const failed = () => results.filter((result) => result.exception_info != null);
const typeOf = (result: (typeof results)[number]) => result.exception_info?.exception_type ?? "";
const rewardOf = (result: (typeof results)[number]) => result.verifier_result?.rewards?.["reward"] ?? null;

describe("exceptions", () => {
  test("include trials of oracle and nop, and count them, because triage excludes them", () => {
    const { nTrials, nReference } = scopeOf({});
    expect(nReference).toBeGreaterThan(0);
    expect(nTrials - nReference).toBe(783);
  });

  test("are counted by type and agent as the result files have them", async () => {
    const page = await pageOf({ jobs: [JOB] });
    expect(page.nErrors).toBe(failed().length);
    expect(page.scope.nTrials).toBe(results.length);
    const references = results.filter(({ agent_info: { name } }) => name === "oracle" || name === "nop");
    expect(page.scope.nReference).toBe(references.length);
    const types = [...new Set(failed().map(typeOf))].sort();
    expect(page.rows.map(({ type }) => type).sort()).toEqual(types);
    for (const row of page.rows) {
      const own = failed().filter((result) => typeOf(result) === row.type);
      expect([row.type, row.nTrials]).toEqual([row.type, own.length]);
      const byAgent = page.agents.map(({ name, agent }) => [agent, row.byAgent.get(name) ?? 0]);
      const expected = page.agents.map(({ agent }) => [
        agent,
        own.filter(({ agent_info }) => agent_info.name === agent).length,
      ]);
      expect(byAgent).toEqual(expected);
      expect(row.rates.map(({ rate }) => rate.kind === "computed" && rate.count)).toEqual(
        page.agents.flatMap(({ name }) => row.byAgent.get(name) ?? []),
      );
    }
  });

  test("show the reward recorded with them, and distinguish a missing one from 0", async () => {
    const page = await pageOf({ jobs: [JOB] });
    for (const row of page.rows) {
      const rewards = failed()
        .filter((result) => typeOf(result) === row.type)
        .map(rewardOf);
      expect([row.type, row.rewards]).toEqual([
        row.type,
        {
          none: rewards.filter((reward) => reward === null).length,
          zero: rewards.filter((reward) => reward === 0).length,
          partial: rewards.filter((reward) => reward !== null && reward > 0 && reward < 1).length,
          one: rewards.filter((reward) => reward === 1).length,
        },
      ]);
    }
    expect(page.nPassed).toBe(failed().filter((result) => rewardOf(result) === 1).length);
    expect(page.nPassed).toBeGreaterThan(0);
  });

  test("carry a rate out of the finished trials with Wilson's interval", async () => {
    const timeouts = (await pageOf({ jobs: [JOB] })).rows.find(({ type }) => type === "AgentTimeoutError");
    // The two q with |18/360 - q| = z sqrt(q (1 - q) / 360), found by bisection in Python.
    expect(timeouts?.rate).toMatchObject({ count: 18, n: 360 });
    if (timeouts?.rate.kind === "computed") {
      expect(timeouts.rate.low).toBeCloseTo(0.0318583, 6);
      expect(timeouts.rate.high).toBeCloseTo(0.0776439, 6);
    }
  });

  test("of a filter keep their rates, since only the list is filtered by cause and text", async () => {
    const page = await pageOf({ jobs: [JOB], causes: ["limit"], text: "timed out" });
    expect(page.rows.map(({ type }) => type)).toEqual(["AgentTimeoutError"]);
    expect(page.scope.nTrials).toBe(results.length);
    expect((await pageOf({ jobs: [JOB], text: "no such words" })).rows).toEqual([]);
  });

  test("of other jobs count as elsewhere", async () => {
    const all = await pageOf({});
    const one = await pageOf({ jobs: [JOB] });
    expect(one.scope.nElsewhere).toBe(all.nErrors - one.nErrors);
    expect(one.scope.nOtherJobs).toBe(base.jobs.length - 1);
    expect(all.scope.nOtherJobs).toBe(0);
  });
});

describe("an unfolded type", () => {
  test("shows its most frequent message and its first trials", async () => {
    const scope = scopeOf({ jobs: [JOB] });
    for (const { type } of (await pageOf({ jobs: [JOB] })).rows) {
      const own = failed().filter((result) => typeOf(result) === type);
      const messages = own.flatMap((result) => result.exception_info?.exception_message.trim() || []);
      const detail = await getErrorDetail(index.store, scope, { text: "" }, type);
      expect([type, detail.nMessages]).toEqual([type, new Set(messages).size]);
      const count = (message: string | null) => messages.filter((one) => one === message).length;
      expect(count(detail.message)).toBe(Math.max(0, ...messages.map(count)));
      expect(detail.trials).toHaveLength(Math.min(12, own.length));
      for (const trial of detail.trials) {
        const file = readFileSync(join(getSampleFolder(), JOB, trial.key, "result.json"), "utf8");
        expect(resultSchema.parse(JSON.parse(file)).exception_info?.exception_type).toBe(type);
      }
    }
  });

  test("of one agent lists that agent's trials alone", async () => {
    const [agentModel] = scopeOf({ jobs: [JOB] }).agentModels;
    const scope = scopeOf({ jobs: [JOB], agents: [agentModel?.name ?? ""] });
    const { trials } = await getErrorDetail(index.store, scope, { text: "" }, "AgentTimeoutError");
    expect(new Set(trials.map((trial) => trial.agentModel?.name))).toEqual(new Set([agentModel?.name]));
  });
});

test("a job that is not read yet is counted apart, and nothing of it is in a rate", () => {
  const jobs = base.jobs.map((job) => (job.key === JOB ? { ...job, isRead: false } : job));
  const without = ({ jobRowId }: { readonly jobRowId: number }) =>
    base.jobs.find(({ id }) => id === jobRowId)?.key !== JOB;
  const unread = { jobs, totals: base.totals.filter(without), tallies: base.tallies.filter(without) };
  const scope = selectErrorsScope(unread, NONE, () => 1);
  expect(scope.nUnread).toBe(1);
  expect(scope.jobs).toHaveLength(base.jobs.length - 1);
  expect(scope.nTrials).toBe(scopeOf({}).nTrials - results.length);
});

describe("agents", () => {
  test("have one row each, with or without exceptions, and the causes add up", () => {
    const agents = groupErrorsByAgent(scopeOf({ jobs: [JOB] }));
    expect(agents).toHaveLength(3);
    for (const { agentModel, rate, causes } of agents) {
      const own = failed().filter(({ agent_info }) => agent_info.name === agentModel.agent);
      expect(rate).toMatchObject({ count: own.length, n: 120 });
      expect([...causes.values()].reduce((sum, count) => sum + count, 0)).toBe(own.length);
    }
  });

  test("show the sensitivity of their scores", async () => {
    const effects = await readScoreEffects(index.store, scopeOf({ jobs: [JOB] }));
    // Every agent failed at something, and nothing is classified in this index.
    const agents = new Set(results.map(({ agent_info }) => agent_info.name));
    expect(new Set(effects.map(({ agentModel }) => agentModel.agent))).toEqual(agents);
    for (const { agentModel, line } of effects) {
      const own = results.filter(({ agent_info }) => agent_info.name === agentModel.agent);
      const rewards = own.map(rewardOf);
      const known = rewards.filter((reward) => reward !== null);
      const sum = known.reduce((total, reward) => total + reward, 0);
      const nMissing = rewards.length - known.length;
      const write = (mean: number) => mean.toFixed(3);
      expect(line.recorded.value).toBe(write(sum / rewards.length));
      expect(line.cells["without-missing"]).toEqual({ value: write(sum / known.length), nMoved: nMissing });
      const ends = [sum / rewards.length, (sum + nMissing) / rewards.length].map(write);
      expect(line.bounds).toEqual({ value: ends.join(" to "), nMoved: nMissing });
      const isAsked = (result: (typeof results)[number]) => rewardOf(result) !== 1 || typeOf(result) !== "";
      expect(line.nUnknown).toBe(own.filter(isAsked).length);
      expect(line.cells["without-timeouts"]).toEqual({ value: "—", nMoved: null });
    }
  });
});

test("agents whose names and models read alike in a row are two", () => {
  const [first] = base.jobs;
  if (first === undefined) throw new Error("the samples have jobs");
  const group = { jobRowId: first.id, source: null, nFinished: 3 };
  const totals = [
    { ...group, groupKey: "one", agent: "lux agent", model: "m1" },
    { ...group, groupKey: "two", agent: "lux", model: "agent m1" },
    { ...group, groupKey: "three", agent: "lux\\", model: "agent m1" },
  ];
  const select = (agents: readonly string[]) =>
    selectErrorsScope({ ...base, totals, tallies: [] }, { ...NONE, agents }, () => 1);
  const names = select([]).agentModels.map(({ name }) => name);
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(select([name]).nTrials).toBe(3);
});

test("an agent is named with its model", () => {
  expect([nameAgent({ agent: "orca", model: "m" }), nameAgent({ agent: "oracle", model: null })]).toEqual([
    "orca m",
    "oracle",
  ]);
});
