import { beforeAll, expect, test } from "vitest";

import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { type CompareFilter, parseCompareParams } from "@/lib/pages/compare/address";
import type { OpenIndex } from "@/lib/store/indexer";
import { openSamples, readSamples } from "@/lib/testing/samples.fixture";

import { findGroups, readChosenGroups } from "./groups";
import { compareGroups } from "./page";

const FILTER = parseCompareParams({});
const ORCA = "tb2-baseline:orca__meridian-4.5__terminal-mix";
const LAMP = "tb2-baseline:lamp__halyard-2__terminal-mix";
const TERN = "tb2-baseline:tern__kestrel-35b__terminal-mix";

let index: OpenIndex;
/** Content of the folders, read without the index. */
let snapshot: CatalogSnapshot;

beforeAll(async () => {
  snapshot = readSamples();
  index = await openSamples();
});

async function choose(refs: readonly string[]) {
  return readChosenGroups(index.store, (await findGroups(index.store, refs, () => 1)).chosen);
}

async function compare(refs: readonly string[], change: Partial<CompareFilter> = {}) {
  return compareGroups(await choose(refs), { ...FILTER, refs, ...change });
}

/** Rewards straight from the trials, without any of the code under test: task to attempts in order. */
function readRewards(ref: string): Map<string, number[]> {
  const [job, group] = ref.split(":");
  const entry = snapshot.jobs.find((one) => one.job.name === job);
  const keys = new Set(entry?.report.groups.find((one) => one.key === group)?.trialKeys);
  const rewards = new Map<string, number[]>();
  for (const trial of entry?.trials ?? []) {
    if (!keys.has(trial.key) || trial.state !== "finished") continue;
    const value = Number(trial.rewards?.get("reward") ?? 0);
    rewards.set(trial.taskName, [...(rewards.get(trial.taskName) ?? []), value]);
  }
  return rewards;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test("tasks are sorted by the groups' results, under their families", async () => {
  const refs = [ORCA, LAMP, TERN];
  const rewards = refs.map(readRewards);
  const tasks = [...new Set(rewards.flatMap((own) => [...own.keys()]))];
  const meansOf = (task: string) =>
    rewards.flatMap((own) => (own.has(task) ? [mean(own.get(task) ?? [])] : []));
  const figures = {
    difficulty: (task: string) => 1 - mean(meansOf(task)),
    disagreement: (task: string) =>
      meansOf(task).length < 2 ? Number.NaN : Math.max(...meansOf(task)) - Math.min(...meansOf(task)),
  };
  for (const sort of ["difficulty", "disagreement"] as const) {
    const { matrix } = await compare(refs, { sort, descending: true });
    const rows = matrix.parts.flatMap((part) => part.rows.map(({ task }) => task));
    expect(new Set(rows)).toEqual(new Set(tasks));
    const values = rows.map(figures[sort]).filter((value) => !Number.isNaN(value));
    values.slice(1).forEach((value, at) => expect(value).toBeLessThanOrEqual((values[at] ?? 0) + 1e-9));
  }
  const byCost = (await compare(refs, { sort: "cost", descending: true })).matrix;
  const costs = byCost.parts.flatMap(({ rows }) =>
    rows.flatMap(({ cells }) => {
      const known = cells.flatMap(({ costUsd }) => costUsd ?? []);
      return known.length === 0 ? [] : [mean(known)];
    }),
  );
  expect(costs.length).toBeGreaterThan(1);
  costs.slice(1).forEach((value, at) => expect(value).toBeLessThanOrEqual((costs[at] ?? 0) + 1e-12));
  const byFamily = (await compare(refs, { by: "family" })).matrix;
  expect(byFamily.parts.map(({ family }) => family)).toEqual(
    [...new Set(byFamily.parts.map(({ family }) => family))].toSorted(),
  );
  for (const { family, rows } of byFamily.parts)
    for (const { task } of rows) expect(task.startsWith(family ?? "-")).toBe(true);
});

test("marks are coloured by the spending of attempts, and unknown ones have no step", async () => {
  const refs = [ORCA, LAMP];
  const chosen = await choose(refs);
  // The first attempt of each group loses its cost.
  const known = chosen.map((group) => ({
    ...group,
    id: `${group.id} without one cost`,
    trials: group.trials.map((trial, at) => (at === 0 ? { ...trial, tokens: { costUsd: null } } : trial)),
  }));
  const lost = new Set(known.map(({ trials }) => trials[0]?.key));
  const { matrix } = compareGroups(known, { ...FILTER, refs, hasTies: true, colour: "cost" });
  const { scale } = matrix.colours;
  const trials = new Map(
    snapshot.jobs
      .filter(({ job }) => job.name === "tb2-baseline")
      .flatMap((job) => job.trials.map((trial) => [trial.key, trial] as const)),
  );
  const readCost = (key: string | null) =>
    key === null || lost.has(key) ? null : (trials.get(key)?.tokens.costUsd ?? null);
  const attempts = matrix.parts.flatMap(({ rows }) =>
    rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.attempts)),
  );
  expect(attempts.length).toBeGreaterThan(20);
  for (const { key, level, detail } of attempts) {
    const cost = readCost(key);
    if (cost === null) {
      expect(level).toBeNull();
      expect(detail).toContain("cost unknown");
    } else {
      expect(level).toBe(scale?.edges.filter((edge) => cost > edge).length);
      expect(Number(/\$(?<text>[\d.]+)/u.exec(detail ?? "")?.groups?.["text"])).toBeCloseTo(cost, 2);
    }
  }
  const nUnknown = attempts.filter(({ key }) => readCost(key) === null).length;
  expect(nUnknown).toBeGreaterThan(1);
  expect(scale).toMatchObject({ nUnknown, nKnown: attempts.length - nUnknown });
  for (const { cells } of matrix.parts.flatMap(({ rows }) => rows))
    for (const { spent, attempts: own } of cells) {
      const costs = own.flatMap(({ key }) => readCost(key) ?? []);
      if (costs.length === 0) expect(spent).toBeNull();
      else expect(Number(spent?.replace("$", ""))).toBeCloseTo(mean(costs), 2);
    }
  const plain = compareGroups(known, { ...FILTER, refs }).matrix;
  expect(plain.colours).toMatchObject({
    scale: null,
    options: ["outcome", "reward", "cost", "time", "tokens"],
  });
  expect(plain.parts[0]?.rows[0]?.cells[0]?.attempts[0]).not.toHaveProperty("level");
});

test("with many attempts, a page has fewer rows but all their attempts", async () => {
  const chosen = await choose([ORCA, TERN]);
  const many = chosen.map((group) => ({
    ...group,
    id: `${group.id} with many attempts`,
    trials: Array.from({ length: 100 * 20 }, (_, i) => {
      const [trial] = group.trials;
      if (trial === undefined) throw new Error("no trial");
      return {
        ...trial,
        key: `task-${i % 100}__${i}`,
        taskName: `task-${i % 100}`,
        attempt: Math.floor(i / 100) + 1,
      };
    }),
  }));
  const { matrix } = compareGroups(many, { ...FILTER, hasTies: true });
  expect(matrix.page.size).toBeGreaterThan(10);
  expect(matrix.page.size).toBeLessThan(80);
  const rows = matrix.parts.flatMap((part) => part.rows);
  expect(rows).toHaveLength(matrix.page.size);
  for (const { cells } of rows) expect(cells.map(({ attempts }) => attempts.length)).toEqual([20, 20]);
});

test("changed tasks are counted like the pair, and each count shows its tasks", async () => {
  const refs = [ORCA, TERN, LAMP];
  const rewards = refs.map(readRewards);
  const change = async (filter: Partial<CompareFilter>) => compare(refs, filter);
  for (const versus of [2, 3]) {
    const { matrix, pairs, groups } = await change({ versus });
    const { counts, nApart } = matrix.changes;
    const [own, other] = [rewards[0], rewards[versus - 1]];
    const common = [...(own ?? [])].flatMap(([task, values]) => {
      const others = other?.get(task);
      return others === undefined ? [] : [{ task, difference: mean(others) - mean(values) }];
    });
    const named = (sign: number) =>
      common
        .filter(({ difference }) => Math.sign(Number(difference.toFixed(9))) === sign)
        .map(({ task }) => task);
    const total = (standing: keyof typeof counts) =>
      Object.values(counts[standing]).reduce((sum, count) => sum + count, 0);
    expect([total("ahead"), total("level"), total("behind")]).toEqual(
      [1, 0, -1].map((sign) => named(sign).length),
    );
    expect(total("ahead") + total("level") + total("behind") + nApart).toBe(matrix.counts.all);
    const pair = pairs.find((one) => one.first.id === groups[versus - 1]?.id)?.comparison;
    expect(pair).toMatchObject({ won: total("ahead"), tied: total("level"), lost: total("behind") });
    for (const [standing, sign] of [
      ["ahead", 1],
      ["behind", -1],
    ] as const) {
      const rows = (await change({ versus, change: standing })).matrix.parts.flatMap((part) => part.rows);
      expect(rows.map(({ task }) => task).toSorted()).toEqual(named(sign).toSorted());
      const dear = (await change({ versus, change: `${standing}-more` })).matrix.parts.flatMap(
        (part) => part.rows,
      );
      expect(dear).toHaveLength(counts[standing].more);
      for (const { cells } of dear)
        expect(cells[versus - 1]?.costUsd ?? 0).toBeGreaterThan(cells[0]?.costUsd ?? Infinity);
    }
  }
  expect((await change({ versus: 99 })).matrix.changes.versus).toBeGreaterThan(0);
});
