import { join } from "node:path";

import { beforeAll, describe, expect, test } from "vitest";

import { formatCurvesCsv } from "@/lib/core/charts/curve-csv";
import { listRewardKeys } from "@/lib/core/comparison";
import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { PAGE_ROWS } from "@/lib/core/domain/list-page";
import { computeMeanErrors, computePairedComparison, type Sensitivity } from "@/lib/core/stats";
import { type CompareFilter, parseCompareParams } from "@/lib/pages/compare/address";
import type { OpenIndex } from "@/lib/store/indexer";
import { type GroupPlace, readGroups, readHead, readHeads } from "@/lib/store/tables";
import { makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { getSampleFolder, openSamples, readSamples } from "@/lib/testing/samples.fixture";

import { findGroups, readChosenGroups } from "./groups";
import { compareGroups, type Comparison } from "./page";
import { getComparePicker } from "./picker";

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

const identityOf = (agent: string) => (agent === "orca" ? 1 : agent === "lamp" ? 2 : 3);

function choose(refs: readonly string[]) {
  return findGroups(index.store, refs, identityOf);
}

async function compare(refs: readonly string[], change: Partial<CompareFilter> = {}): Promise<Comparison> {
  const chosen = await readChosenGroups(index.store, (await choose(refs)).chosen);
  return compareGroups(chosen, { ...FILTER, refs, ...change });
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

test("a matrix of many tasks comes in pages that hold every task once, under headings that count them all", async () => {
  const chosen = await readChosenGroups(index.store, (await choose([ORCA, TERN])).chosen);
  const nTasks = 4 * PAGE_ROWS;
  const many = chosen.map((group, side) => ({
    ...group,
    id: `${group.id} with many tasks`,
    trials: Array.from({ length: nTasks }, (_, i) => {
      const trial = group.trials.find(({ state }) => state === "finished");
      if (trial === undefined) throw new Error("no finished trial");
      const passes = (i * (side + 3)) % 4 === 0;
      return {
        ...trial,
        key: `t${i}`,
        taskName: `task-${i}`,
        rewards: new Map([["reward", passes ? 1 : 0]]),
      };
    }),
  }));
  const show = (matrixPage: number) => compareGroups(many, { ...FILTER, hasTies: true, matrixPage }).matrix;
  const pages = [1, 2, 3].map(show);
  const { size } = show(1).page;
  const listed = pages.map(({ parts }) => parts.flatMap(({ rows }) => rows.map(({ task }) => task)));
  expect(listed.map(({ length }) => length)).toEqual([size, size, nTasks - 2 * size]);
  expect(new Set(listed.flat()).size).toBe(nTasks);
  const counts = new Map(pages.flatMap(({ parts }) => parts.map(({ id, nRows }) => [id, nRows] as const)));
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(nTasks);
  expect(pages[2]?.page).toEqual({ nBefore: 2 * size, nMatching: nTasks, size });
  expect(pages[0]?.parts[0]?.rows[0]?.cells.every(({ attempts }) => attempts.length === 1)).toBe(true);
  // A URL beyond the last page opens the last page.
  expect(show(99).page.nBefore).toBe(2 * size);
});

describe("a run set", () => {
  const NEXT = "tb2-orca-next:orca__meridian-5__terminal-mix";

  test("has the attempts of all its runs, with their differences in its name", async () => {
    const { groups, matrix, pairs } = await compare([ORCA, `+${NEXT}`, TERN]);
    expect(groups.map(({ runs }) => runs.length)).toEqual([2, 1]);
    const [set] = groups;
    expect(set?.label).toContain("runs differ");
    expect(set?.runChecks.find(({ name }) => name === "agent and model")?.state).toBe("differs");
    const [ofOne, ofOther] = [readRewards(ORCA), readRewards(NEXT)];
    const tasks = [...ofOne.keys()].filter((task) => readRewards(TERN).has(task));
    for (const { task, cells } of matrix.parts.flatMap(({ rows }) => rows)) {
      if (!tasks.includes(task)) continue;
      const expected = [...(ofOne.get(task) ?? []), ...(ofOther.get(task) ?? [])];
      expect([task, cells[0]?.n]).toEqual([task, expected.length]);
      expect(cells[0]?.mean).toBeCloseTo(mean(expected), 12);
      const elsewhere = cells[0]?.attempts.filter(({ jobKey }) => jobKey !== undefined) ?? [];
      expect(elsewhere.length).toBe((ofOther.get(task) ?? []).length);
    }
    expect(pairs[0]?.words.runInterval).not.toBeNull();
  });

  test("of the same run twice is that run, and one that is not here leaves the others", async () => {
    expect((await compare([ORCA, `+${ORCA}`, TERN])).groups.map(({ runs }) => runs.length)).toEqual([1, 1]);
    const { chosen, unknown } = await choose([ORCA, "+gone:group", TERN]);
    expect(chosen.map(({ runs }) => runs.length)).toEqual([1, 1]);
    expect(unknown).toEqual(["gone:group"]);
  });
});

describe("uncertainty", () => {
  test("each group's row equals the library's figures of the trials' rewards", async () => {
    const { groups } = await compare([ORCA, TERN]);
    expect(groups).toHaveLength(2);
    groups.forEach(({ certainty, cells }, index) => {
      const rewards = readRewards([ORCA, TERN][index] ?? "");
      const tasks = [...rewards].map(([task, values]) => ({ task, values }));
      const errors = computeMeanErrors(tasks, { missing: "zero" });
      if (errors.kind === "unavailable") throw new Error(errors.reason);
      expect(cells.mean.value).toBe(mean([...rewards.values()].flat()).toFixed(3));
      const own = certainty.errors.kind === "computed" ? certainty.errors.effectiveN : Number.NaN;
      expect(own).toBeCloseTo(errors.effectiveN ?? Number.NaN, 9);
      expect(cells.effectiveN).toMatchObject({
        value: String(Math.round(errors.effectiveN ?? Number.NaN)),
        range: `of ${String(errors.n)}`,
      });
      const passes = tasks.map(({ values }) => values.filter((value) => value >= 1).length);
      const split = [
        tasks.filter(({ values }, i) => passes[i] === values.length).length,
        tasks.filter(({ values }, i) => passes[i] !== 0 && passes[i] !== values.length).length,
        tasks.filter((_, i) => passes[i] === 0).length,
      ];
      expect(cells.solveRates.value).toBe(split.join(", "));
      expect(cells.mean.basis).toMatch(/for new tasks like these; \d+ values of \d+ tasks/);
      expect(cells.rerunMean.basis).toContain("for the same tasks run again");
      expect(cells.costPerSolve.basis).toContain("seed");
    });
  });

  test("missing rewards move the mean as far as possible, and are distinguished from zeros", async () => {
    const { groups } = await compare([ORCA, TERN]);
    const readMean = ({ result }: Pick<Sensitivity["readings"]["lowest"], "result">) =>
      result.kind === "computed" ? result.mean : null;
    let nMissingOfAll = 0;
    for (const { id, trials, certainty, cells } of groups) {
      const finished = trials.filter(({ state }) => state === "finished");
      const nMissing = finished.filter(({ rewards }) => !rewards.has("reward")).length;
      const { sensitivity } = certainty;
      if (sensitivity.kind !== "computed") throw new Error(sensitivity.reason);
      expect(sensitivity.nMissing, id).toBe(nMissing);
      const asScored = mean([...readRewards(id).values()].flat());
      if (nMissing === 0) expect(cells.missing).toMatchObject({ value: "0", range: null });
      const { lowest, highest } = sensitivity.readings;
      expect(readMean(lowest)).toBeCloseTo(asScored, 12);
      expect(readMean(highest)).toBeCloseTo(asScored + nMissing / finished.length, 12);
      nMissingOfAll += nMissing;
    }
    expect(nMissingOfAll).toBeGreaterThan(0);
  });

  test("with one attempt per task, figures that require repetition give a reason", async () => {
    const jobs = await readHeads(
      index.store,
      [...snapshot.jobs.keys()].map((id) => id + 1),
    );
    const singles = jobs.flatMap(({ key, groups, attempts }) =>
      attempts?.max === 1 ? groups.map(({ group }) => `${key}:${group.key}`) : [],
    );
    const [first = "", second = ""] = singles;
    const { groups } = await compare([first, second], { tasks: "own" });
    expect(groups[0]?.cells.rerunMean).toMatchObject({ range: null });
    expect(groups[0]?.cells.solveRates).toEqual({
      value: null,
      range: null,
      basis: "Not shown: tasks have too few attempts",
    });
  });
});

describe("choosing", () => {
  test("groups are in the order of the URL; missing ones are named", async () => {
    const { chosen, unknown } = await choose([LAMP, "gone:x__y__z", ORCA]);
    expect(chosen.map(({ label, identity, variant }) => [label, identity, variant])).toEqual([
      ["lamp", 2, 0],
      ["orca", 1, 0],
    ]);
    expect(unknown).toEqual(["gone:x__y__z"]);
  });

  test("`reward` is the first key if present", async () => {
    const chosen = await readChosenGroups(index.store, (await choose([ORCA])).chosen);
    expect(listRewardKeys(chosen)[0]?.key).toBe("reward");
  });
});

describe("two groups", () => {
  test("difference, wins and values follow from the trials", async () => {
    const orca = readRewards(ORCA);
    const lamp = readRewards(LAMP);
    const differences = [...orca].map(([task, values]) => mean(values) - mean(lamp.get(task) ?? []));
    // The first is the baseline.
    const { pairs, nCommon } = await compare([LAMP, ORCA]);
    const paired = pairs[0]?.comparison;
    if (paired?.kind !== "computed") throw new Error("not compared");
    expect(nCommon).toBe(orca.size);
    expect(paired.difference).toBeCloseTo(mean(differences), 12);
    expect([paired.won, paired.tied, paired.lost]).toEqual([
      differences.filter((d) => d > 1e-9).length,
      differences.filter((d) => Math.abs(d) <= 1e-9).length,
      differences.filter((d) => d < -1e-9).length,
    ]);
  });

  test("solving every time and at least once are compared like values of 0 and 1 per task", async () => {
    const [pair] = (await compare([LAMP, ORCA])).pairs;
    const values = [ORCA, LAMP].map(readRewards);
    const k = Math.max(...values.flatMap((own) => [...own.values()].map(({ length }) => length)));
    expect(pair?.solving.map(({ measure }) => measure)).toEqual(["passHatK", "passAtK"]);
    for (const { measure, ...found } of pair?.solving ?? []) {
      const solves = (rewards: readonly number[]) =>
        measure === "passHatK" ? rewards.every((one) => one >= 1) : rewards.some((one) => one >= 1);
      const [own = [], other = []] = values.map((all) =>
        [...all].map(([task, rewards]) => ({
          task,
          values: rewards.length < k ? [] : [Number(solves(rewards))],
        })),
      );
      const expected = computePairedComparison(own, other, { missing: "exclude" });
      if (expected.kind === "unavailable" || expected.bounds.kind === "unavailable")
        throw new Error("no interval");
      const { meanFirst, meanSecond, difference, detectable, nTasks } = expected;
      const point = pair?.difference.kind === "computed" ? pair.difference.points.at(-1) : undefined;
      expect(found).toMatchObject({ k, p: expected.bounds.p });
      expect(found.comparison).toMatchObject({ meanFirst, meanSecond, difference, detectable, nTasks });
      expect(found.comparison.bounds).toEqual(point?.[measure].band);
      expect(point?.[measure].value).toBe(difference);
    }
  });

  test("pass@k equals Harbor's at every recorded k", async () => {
    const { groups } = await compare([ORCA, LAMP]);
    for (const { curve, recorded } of groups) {
      expect(recorded.size).toBeGreaterThan(0);
      if (curve.kind === "unavailable") throw new Error("no curve");
      for (const [k, value] of recorded) {
        const found = curve.points.find((point) => point.k === k)?.passAtK.value ?? Number.NaN;
        expect(found).toBeCloseTo(value, 12);
        // Printed values must not look different either.
        expect(found.toFixed(3)).toBe(value.toFixed(3));
      }
    }
  });

  test("ties are folded into one row of means until they are asked for", async () => {
    const { matrix, pairs } = await compare([ORCA, LAMP]);
    const [orca, lamp] = [readRewards(ORCA), readRewards(LAMP)];
    const tied = [...orca].flatMap(([task, values]) =>
      Math.abs(mean(values) - mean(lamp.get(task) ?? [])) <= 1e-9 ? [mean(values)] : [],
    );
    expect(pairs[0]?.comparison).toMatchObject({ tied: tied.length });
    expect(tied.length).toBeGreaterThan(0);
    expect(matrix.ties?.toSorted()).toEqual(tied.toSorted());
    expect(matrix.parts.map(({ id }) => id)).toEqual(["better", "worse"]);
    const [better, worse] = matrix.parts.map(({ rows }) =>
      rows.map(({ difference }) => Number(difference?.toFixed(9))),
    );
    expect(better).toEqual(better?.toSorted((a, b) => b - a));
    expect(worse).toEqual(worse?.toSorted((a, b) => a - b));
    expect(matrix.places.map(({ nRows }) => nRows)).toEqual([better?.length, worse?.length]);
  });

  test("the matrix has every attempt once, under headings with the verdict's counts", async () => {
    const { matrix, pairs } = await compare([ORCA, LAMP], { hasTies: true });
    const nAttempts = [ORCA, LAMP].reduce(
      (sum, ref) => sum + [...readRewards(ref).values()].flat().length,
      0,
    );
    const paired = pairs[0]?.comparison;
    if (paired?.kind !== "computed") throw new Error("not compared");
    expect(matrix.parts.map(({ id, rows }) => [id, rows.length])).toEqual([
      ["better", paired.won],
      ["worse", paired.lost],
      ["tied", paired.tied],
    ]);
    // Of each group, since trials of several jobs may have the same key.
    const trials = matrix.parts.flatMap(({ rows }) =>
      rows.flatMap(({ cells }) =>
        cells.flatMap(({ attempts }, group) => attempts.map(({ key }) => `${group} ${key}`)),
      ),
    );
    expect(trials).toHaveLength(nAttempts);
    expect(new Set(trials).size).toBe(nAttempts);
  });

  test("filters keep matching rows", async () => {
    const differing = (await compare([ORCA, LAMP], { show: "differ" })).matrix;
    expect(differing.parts.map(({ id }) => id)).not.toContain("tied");
    const flaky = (await compare([ORCA, LAMP], { show: "flaky" })).matrix.parts.flatMap(({ rows }) => rows);
    for (const { cells } of flaky) expect(cells.some(({ c, n }) => c > 0 && c < n)).toBe(true);
    const byName = (await compare([ORCA, LAMP], { sort: "task", descending: false })).matrix.parts;
    expect(byName).toHaveLength(1);
    const names = byName[0]?.rows.map(({ task }) => task) ?? [];
    expect(names).toEqual([...names].sort());
  });

  test("a task differs if any two of several groups differ, even if the first ties with the best", async () => {
    const refs = [ORCA, LAMP, TERN];
    const means = refs.map((ref) => new Map([...readRewards(ref)].map(([task, all]) => [task, mean(all)])));
    const differing = [...(means[0]?.keys() ?? [])].filter((task) => {
      const values = means.map((of) => of.get(task) ?? Number.NaN);
      return Math.max(...values) - Math.min(...values) > 1e-9;
    });
    const { matrix } = await compare(refs, { show: "differ" });
    expect(matrix.counts.differ).toBe(differing.length);
    const shown = matrix.parts.flatMap(({ rows }) => rows);
    expect(shown.map(({ task }) => task).sort()).toEqual(differing.sort());
    expect(shown.some(({ difference }) => difference === 0)).toBe(true);
  });

  test("two charts: each measure with its difference at every k", async () => {
    const { charts, pairs } = await compare([ORCA, LAMP]);
    expect(charts.map(({ id }) => id)).toEqual(["passAtK", "passHatK"]);
    const difference = pairs[0]?.difference;
    if (difference?.kind !== "computed") throw new Error("no difference");
    for (const [at, measure] of (["passAtK", "passHatK"] as const).entries())
      expect(
        charts[at]?.differences.map(({ words }) => Number(words.split(" ")[0]?.replace("−", "-"))),
      ).toEqual(difference.points.map((point) => Number((100 * point[measure].value).toFixed(1))));
    expect(charts[1]?.series.every(({ recorded }) => recorded.length === 0)).toBe(true);
  });

  test("the same agent in another job keeps its colour and changes its form", async () => {
    const next = snapshot.jobs.find((entry) => entry.job.name === "tb2-orca-next");
    const { chosen } = await choose([ORCA, `tb2-orca-next:${next?.report.groups[0]?.key ?? ""}`]);
    expect(chosen.map(({ identity, variant }) => [identity, variant])).toEqual([
      [1, 0],
      [1, 1],
    ]);
    expect(new Set(chosen.map(({ label }) => label)).size).toBe(2);
  });
});

describe("unlike groups", () => {
  test("a threshold above every reward passes nothing and still shows every attempt", async () => {
    const { groups, matrix } = await compare([ORCA, LAMP], { threshold: 1.5 });
    const [first] = groups;
    if (first?.curve.kind !== "computed") throw new Error("no curve");
    expect(first.curve.points.every(({ passAtK }) => passAtK.value === 0)).toBe(true);
    const outcomes = matrix.parts.flatMap(({ rows }) =>
      rows.flatMap(({ cells }) => cells.flatMap(({ attempts }) => attempts)),
    );
    expect(outcomes.some(({ outcome }) => outcome === "passed")).toBe(false);
    expect(outcomes.some(({ outcome }) => outcome === "partial")).toBe(true);
  });

  test("groups without a common task are shown apart and not compared", async () => {
    const other = snapshot.jobs.find((entry) => entry.job.name === "sql-repair-rubric");
    const { pairs, nCommon, checks, groups, matrix } = await compare([
      ORCA,
      `sql-repair-rubric:${other?.report.groups[0]?.key ?? ""}`,
    ]);
    expect(nCommon).toBe(0);
    expect(pairs[0]?.comparison).toEqual({ kind: "unavailable", reason: "no-common-tasks" });
    expect(checks[0]).toMatchObject({ name: "tasks", state: "differs" });
    expect(groups[0]?.curve.kind).toBe("computed");
    expect(matrix.parts.map(({ id }) => id)).toEqual(["apart"]);
  });

  test("with three groups, each is compared with the first, with its own interval and a p-value adjusted for both", async () => {
    const { pairs, charts } = await compare([ORCA, LAMP, TERN]);
    expect(pairs.map(({ first }) => first.label)).toEqual(["lamp", "tern"]);
    expect(charts.map(({ id }) => id)).toEqual(["passAtK", "passHatK"]);
    const alone = await Promise.all([LAMP, TERN].map((ref) => compare([ORCA, ref])));
    const ps = alone.map(({ pairs: [pair] }) =>
      pair?.comparison.kind === "computed" && pair.comparison.bounds.kind === "computed"
        ? pair.comparison.bounds.p
        : Number.NaN,
    );
    pairs.forEach(({ comparison }, index) => {
      const single = alone[index]?.pairs[0]?.comparison;
      if (comparison.kind !== "computed" || comparison.bounds.kind !== "computed")
        throw new Error("no interval");
      if (single?.kind !== "computed" || single.bounds.kind !== "computed") throw new Error("no interval");
      expect(comparison.difference).toBe(single.difference);
      // Holm, of two: the smaller one twice, the other one as it is, never below the first.
      const own = single.bounds.p;
      const other = ps[1 - index] ?? Number.NaN;
      expect(comparison.bounds.p).toBe(Math.min(1, own <= other ? 2 * own : Math.max(own, 2 * other)));
      expect(comparison.bounds).toMatchObject({ low: single.bounds.low, high: single.bounds.high });
    });
  });

  test("a reward key and a k that no group has are named and replaced", async () => {
    const known = await compare([ORCA, LAMP], { k: 1 });
    expect([known.unknown, known.k]).toEqual([[], 1]);
    const { unknown, key, k } = await compare([ORCA, LAMP], { key: "no-such-key", k: 99 });
    expect(unknown).toEqual(["key", "k"]);
    expect([key, k]).toEqual([known.key, known.ks.at(-1)]);
  });

  test("the file of the curves has a row for each group, measure and k", async () => {
    const { groups } = await compare([ORCA, LAMP]);
    const csv = formatCurvesCsv(
      groups.map((group) => ({
        job: "=job",
        group: 'a "b", c',
        versus: null,
        curve: group.curve,
        recorded: group.recorded,
      })),
      { key: "reward", threshold: 1, missing: "zero", rule: "recorded", tasks: "common" },
    );
    const lines = csv.trimEnd().split("\r\n");
    const ks = groups[0]?.curve.kind === "computed" ? groups[0].curve.points.length : 0;
    expect(lines).toHaveLength(1 + 2 * 2 * ks);
    expect(lines[1]?.startsWith(`'=job,"a ""b"", c",,pass@k,1,`)).toBe(true);
  });
});

describe("the picker", () => {
  async function pick(refs: readonly string[], text = "", pickerPage = 1) {
    return getComparePicker(index.store, { refs, text, pickerPage }, identityOf);
  }

  /** References of all groups that pages of the picker list, page after page. */
  async function walk(refs: readonly string[], text = ""): Promise<string[]> {
    const seen: string[] = [];
    for (let number = 1; ; number += 1) {
      const { jobs, page } = await pick(refs, text, number);
      seen.push(...jobs.flatMap(({ rows }) => rows.map(({ ref }) => ref)));
      if (number * page.size >= page.nMatching) return seen;
    }
  }

  const listAllRefs = () =>
    snapshot.jobs.flatMap(({ job, report }) => report.groups.map(({ key }) => `${job.key}:${key}`));

  /** Tasks of a group as the folders have them. */
  function readTasks(ref: string): Set<string> {
    const entry = snapshot.jobs.find(({ job }) => ref.startsWith(`${job.key}:`));
    const tasks = (entry?.trials ?? []).filter(
      ({ agent, model, source }) =>
        ref === `${entry?.job.key ?? ""}:${[agent, model, source ?? "adhoc"].filter(Boolean).join("__")}`,
    );
    return new Set(tasks.map(({ taskName }) => taskName));
  }

  test("lists every group once, newest job first, and the chosen ones apart", async () => {
    expect(await walk([])).toEqual(listAllRefs());
    const { chosen, nGroups, page } = await pick([LAMP, ORCA]);
    expect(chosen.flatMap(({ rows }) => rows.map((row) => [row.ref, row.chosen]))).toEqual([
      [LAMP, true],
      [ORCA, true],
    ]);
    expect(nGroups).toBe(listAllRefs().length);
    expect(page.nMatching).toBe(nGroups - 2);
    expect((await walk([LAMP, ORCA])).toSorted()).toEqual(
      listAllRefs()
        .filter((ref) => ref !== LAMP && ref !== ORCA)
        .toSorted(),
    );
  });

  test("pages of any size show every group once", async () => {
    const selection = { words: [], except: [] };
    const pages: (readonly GroupPlace[])[] = [];
    for (let from = 0, nMatching = 1; from < nMatching; from += 4) {
      const page = await readGroups(index.store, selection, { from, limit: 4 });
      pages.push(page.rows);
      expect(page.nBefore).toBe(from);
      nMatching = page.nMatching;
    }
    expect(pages.length).toBeGreaterThan(2);
    const jobs = await readHeads(index.store, [...new Set(pages.flat().map(({ jobRowId }) => jobRowId))]);
    const keys = new Map(jobs.map(({ rowId, key }) => [rowId, key]));
    expect(pages.flat().map(({ jobRowId, key }) => `${keys.get(jobRowId) ?? ""}:${key}`)).toEqual(
      listAllRefs(),
    );
  });

  test("counts the tasks that a group shares with every chosen one", async () => {
    const orca = readTasks(ORCA);
    const lamp = readTasks(LAMP);
    const { chosen, jobs } = await pick([ORCA, LAMP]);
    const rows = [...chosen, ...jobs].flatMap((job) => job.rows);
    expect(orca.size).toBeGreaterThan(0);
    for (const { ref, nCommon } of rows) {
      const own = [...readTasks(ref)].filter((task) => orca.has(task) && lamp.has(task));
      expect([ref, nCommon]).toEqual([ref, own.length]);
    }
    expect((await pick([])).jobs[0]?.rows[0]?.nCommon).toBeNull();
  });

  test("finds groups by every word in job, agent, model, dataset or task, and leaves the chosen ones", async () => {
    const [task = ""] = readTasks(ORCA);
    const found = await walk([], `LAMP ${task.slice(0, 6).toUpperCase()}`);
    const wanted = listAllRefs().filter(
      (ref) => /lamp/i.test(ref) && [...readTasks(ref)].some((name) => name.includes(task.slice(0, 6))),
    );
    expect(wanted).toContain(LAMP);
    expect(found).toEqual(wanted);
    expect(await walk([], "100%_")).toEqual([]);
    const { chosen, jobs } = await pick([ORCA], "no such group");
    expect([chosen.length, jobs.length]).toEqual([1, 0]);
  });
});

test("a job whose trials are not read yet is counted, and its groups are not offered", async () => {
  const [read, unread] = ["sql-repair-rubric", "legacy-2025"];
  const roots = [read, unread].map((name) => join(getSampleFolder(), name));
  const own = await openHere(roots, makeDataFolder(), { withDerivedDetails: false });
  await own.refresh();
  const job = await readHead(own.store, unread);
  await own.store.db
    .deleteFrom("groups")
    .where("jobRowId", "=", job?.rowId ?? -1)
    .execute();
  await own.store.db.updateTable("sources").set({ state: "listed" }).where("root", "=", 1).execute();
  const { nUnread, nGroups } = await getComparePicker(
    own.store,
    { refs: [], text: "", pickerPage: 1 },
    identityOf,
  );
  expect(nUnread).toBe(1);
  expect(nGroups).toBe(snapshot.jobs.find(({ job: { name } }) => name === read)?.report.groups.length);
});
