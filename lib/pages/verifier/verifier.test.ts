import { describe, expect, test } from "vitest";

import { OUTCOMES } from "@/lib/core/domain/trial";
import { findProblem, nameMember, type ScopeTrial } from "@/lib/people/labels/draws";
import { chooseSample, collectSample, countLeftOut, listLabels, narrow } from "@/lib/people/labels/sample";
import { planRuns } from "@/lib/testing/plan-runs";

import {
  drawnFrom,
  readDraws,
  type ReferenceTrial,
  toDraw,
  toPopulationOf,
  toScopeTrial,
} from "./draws.fixture";
import { correctRuns } from "./groups";
import { drawNextLabels } from "./page";
import reference from "./reference/reference.json";
import { RATE_NAMES, readRate, reviewVerifier } from "./review";

const TRIALS: readonly ReferenceTrial[] = reference.trials;
const POPULATION = toPopulationOf(TRIALS);
const DRAWS = readDraws(TRIALS, POPULATION);
const SAMPLE = collectSample(POPULATION, DRAWS.draws);
const ALL = { jobs: [], agents: [], families: [] };
/** Both sides add the same numbers in other orders. */
const DIGITS = 10;

/** Nothing of it is asked but whether it is stale. */
const STALE = {} as ScopeTrial["labels"][number]["annotation"];

type Rates = Record<(typeof RATE_NAMES)[number], { rate: number; low: number; high: number }>;

describe("against NumPy, SciPy and statsmodels", () => {
  const review = reviewVerifier(SAMPLE);

  test("corrected scores of all and of each agent", () => {
    const expected = [reference.score, reference.agents.lamp, reference.agents.orca];
    const scores = [review.score, ...review.agents.map(({ score }) => score)];
    for (const [at, score] of scores.entries()) expectNumbers(score, expected[at] ?? {});
    expect(scores).toHaveLength(3);
  });

  test("trials that the labels represent", () => {
    if (review.all.accuracy.kind === "unavailable") throw new Error("refused");
    const { bothPassed, onlyVerifierPassed, onlyHumanPassed, bothFailed } = review.all.accuracy;
    expect(bothPassed.weight).toBeCloseTo(reference.weights["pass-pass"], DIGITS);
    expect(onlyVerifierPassed.weight).toBeCloseTo(reference.weights["pass-fail"], DIGITS);
    expect(onlyHumanPassed.weight).toBeCloseTo(reference.weights["fail-pass"], DIGITS);
    expect(bothFailed.weight).toBeCloseTo(reference.weights["fail-fail"], DIGITS);
  });

  test.each(Object.entries(reference.rates as Record<string, Rates>))("rates of %s", (name, expected) => {
    const row =
      name === "all"
        ? review.all
        : [
            ...review.agents.map(({ rates, agent }) => ({ ...rates, id: `agent ${agent}` })),
            ...review.jobs.map((one) => ({ ...one.rate(), id: `job ${one.id}` })),
            ...review.families.map((one) => ({ ...one.rate(), id: `family ${one.id}` })),
          ].find(({ id }) => id === name);
    if (row === undefined) throw new Error(`no row ${name}`);
    for (const rate of RATE_NAMES) expectNumbers(readRate(row, rate), expected[rate]);
  });

  test("the score of a job's group, from its trials in a random sample of all", () => {
    const found = correctRuns(DRAWS, [groupOf(1, "orca")]);
    expect(found).toMatchObject({ kind: "computed", nLabels: reference.group.nLabels });
    expectNumbers(found ?? {}, reference.group);
  });
});

test("the score of runs counted together is that of all their trials", () => {
  for (const agent of ["lamp", "orca"] as const) {
    const jobs = new Set(TRIALS.flatMap((trial) => (trial.agent === agent ? trial.job : [])));
    expect(jobs.size).toBeGreaterThan(1);
    const found = correctRuns(
      DRAWS,
      [...jobs].map((job) => groupOf(job, agent)),
    );
    expect(found).toMatchObject({ kind: "computed" });
    expectNumbers(found ?? {}, reference.agents[agent]);
  }
});

test("deferred trials and labels by hand are left out and counted", () => {
  const { counts, byHand } = countLeftOut(DRAWS, SAMPLE, ALL);
  expect(Object.fromEntries(counts)).toEqual({ "by-hand": 7, deferred: 4 });
  expect(byHand).toHaveLength(7);
  expect(listLabels(SAMPLE)).toHaveLength(reference.score.nLabels);
});

test("a judgment of a trial that changed since is no label until it is confirmed", () => {
  const [label = failure()] = listLabels(SAMPLE);
  const name = nameMember(label.member);
  const draws = DRAWS.draws.map((draw) => ({
    ...draw,
    trials: draw.trials.map((trial) =>
      trial.place !== null && nameMember(trial.place) === name && trial.state === "agreed"
        ? { ...trial, labels: [{ reviewerKey: "ada", annotation: STALE, isStale: true }] }
        : trial,
    ),
  }));
  const sample = collectSample(POPULATION, draws);
  expect(listLabels(sample)).toHaveLength(reference.score.nLabels - 1);
  const { counts } = countLeftOut({ draws, judged: DRAWS.judged }, sample, ALL);
  expect(counts.get("stale")).toBe(1);
});

test("without a draw by chance there is a table of labels, and no rate or score", () => {
  const onlyJudged = { draws: [], judged: DRAWS.judged };
  expect(chooseSample([], [], (list) => list)).toBeNull();
  const { counts } = countLeftOut(onlyJudged, null, ALL);
  expect(counts.get("by-hand")).toBe(reference.score.nLabels + 7);
  expect(correctRuns(onlyJudged, [groupOf(1, "orca")])).toMatchObject({ kind: "left-out" });
  expect(correctRuns({ draws: [], judged: [] }, [groupOf(1, "orca")])).toBeNull();
});

test("a draw from a part of the trials counts for that part and not for all", () => {
  const failed = toPopulationOf(TRIALS.filter(({ passed }) => !passed));
  const unjudged = TRIALS.filter(({ passed, state }) => !passed && state === "undrawn").slice(0, 9);
  const labels = unjudged.map((trial) => toScopeTrial(trial, "fail"));
  const part = toDraw("part", drawnFrom(failed, "random"), failed, labels);
  const draws = [part, ...DRAWS.draws];
  const whole = chooseSample(draws, draws, (list) => list);
  expect(whole?.draw.queue.queueId).toBe("second");
  expect(reviewVerifier(whole?.sample ?? SAMPLE).score).toEqual(reviewVerifier(SAMPLE).score);
  const { counts } = countLeftOut(
    { draws, judged: [...DRAWS.judged, ...labels] },
    whole?.sample ?? null,
    ALL,
  );
  expect(counts.get("other-draw")).toBe(9);
  // Of failed trials alone both lists draw simply at random.
  const both = collectSample(failed, draws);
  const before = collectSample(failed, DRAWS.draws);
  expect(listLabels(both)).toHaveLength(listLabels(before).length + 9);
});

test("a group that is only partly in a list is not corrected", () => {
  const part = toPopulationOf(TRIALS.filter(({ passed }) => !passed));
  const draws = DRAWS.draws.map((draw) => ({ ...draw, population: part }));
  expect(correctRuns({ draws, judged: DRAWS.judged }, [groupOf(1, "orca")])).toMatchObject({
    kind: "left-out",
  });
});

test("filters narrow trials and labels", () => {
  const one = narrow(POPULATION, { agents: ["lamp"], families: ["data"] }, new Set([2]));
  expect(
    [...one.values()].every(
      ({ agent, family, jobRowId }) => agent === "lamp" && family === "data" && jobRowId === 2,
    ),
  ).toBe(true);
  expect(one.size).toBe(20);
});

describe("a sample without information on its list", () => {
  const settings = drawnFrom(POPULATION, "stratified");
  const trials = DRAWS.draws[0]?.trials ?? [];

  test("is one whose list is not known, or is not as it was", () => {
    expect(findProblem({ settings }, trials, POPULATION)).toBeNull();
    expect(findProblem({ settings }, trials, null)).toBe("unknown-list");
    const more = toPopulationOf([...TRIALS, { ...(TRIALS[0] ?? failure()), key: "one more" }]);
    expect(findProblem({ settings }, trials, more)).toBe("changed-list");
    const [first = failure(), ...others] = TRIALS;
    const turned = toPopulationOf([{ ...first, passed: !first.passed }, ...others]);
    expect(findProblem({ settings }, trials, turned)).toBe("changed-list");
    // A draw that did not look at verdicts stays a draw when one changes.
    expect(findProblem({ settings: drawnFrom(POPULATION, "random") }, trials, turned)).toBeNull();
  });

  test("is one in the order of a list while it is not done", () => {
    const inOrder = { settings: { ...settings, order: "list" as const } };
    expect(findProblem(inOrder, trials, POPULATION)).toBeNull();
    const open = TRIALS.slice(0, 1).map((trial) => toScopeTrial(trial, null));
    expect(findProblem(inOrder, [...trials, ...open], POPULATION)).toBe("list-order");
  });
});

describe("the next labels", () => {
  const base = drawnFrom(POPULATION, "stratified");
  const { plan } = reviewVerifier(SAMPLE);

  test("have the planned number per stratum, from trials not judged for a sample", () => {
    const { settings, trials } = drawNextLabels(SAMPLE, base, 5);
    expect(trials).toHaveLength(20);
    expect(settings).toMatchObject({ method: "planned", sourceHref: "/trials", order: "random" });
    const byKey = new Map(
      TRIALS.map((trial) => [nameMember({ jobRowId: trial.job, key: trial.key }), trial]),
    );
    const drawn = trials.map((one) => byKey.get(nameMember(one)));
    expect(drawn.filter((one) => one?.state === "label" || one?.state === "defer")).toEqual([]);
    if (plan.kind === "unavailable") throw new Error("no plan");
    expect(
      ["lamp", "orca"].map((agent) => ({
        nPassed: drawn.filter((one) => one?.agent === agent && one.passed).length,
        nFailed: drawn.filter((one) => one?.agent === agent && !one.passed).length,
      })),
    ).toEqual(plan.next.map(({ nPassed, nFailed }) => ({ nPassed, nFailed })));
    // Every draw is from whole strata, so that it stays one of the same list.
    expect(findProblem({ settings }, [], POPULATION)).toBeNull();
    expect(settings.strata.reduce((sum, { nDrawn }) => sum + nDrawn, 0)).toBe(20);
    expect(settings.strata.reduce((sum, { nTrials }) => sum + nTrials, 0)).toBe(TRIALS.length);
  });

  test("count together with those before", () => {
    const { settings, trials } = drawNextLabels(SAMPLE, base, 5);
    const wanted = new Set(trials.map(nameMember));
    const judged = TRIALS.filter(({ job, key }) => wanted.has(nameMember({ jobRowId: job, key }))).map(
      (trial) => toScopeTrial(trial, trial.human ? "pass" : "fail"),
    );
    const third = toDraw("third", settings, POPULATION, judged);
    const after = reviewVerifier(collectSample(POPULATION, [third, ...DRAWS.draws]));
    expect(after.nLabels).toBe(reference.score.nLabels + 20);
    if (after.score.kind === "unavailable") throw new Error("refused");
    expect(after.score.high - after.score.low).toBeLessThan(reference.score.high - reference.score.low);
  });

  test("are sampled at random: every open trial of a stratum is equally likely", () => {
    const { numRuns: nDraws } = planRuns({ short: 500, long: 20_000 });
    const times = new Map<string, number>();
    for (let seed = 0; seed < nDraws; seed++)
      for (const one of drawNextLabels(SAMPLE, base, seed).trials)
        times.set(nameMember(one), (times.get(nameMember(one)) ?? 0) + 1);
    const strata = Map.groupBy(times, ([name]) => {
      const member = POPULATION.get(name);
      return `${member?.agent ?? ""} ${String(member?.hasPassed)}`;
    });
    for (const own of strata.values()) {
      const counts = own.map(([, count]) => count);
      const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
      const share = mean / nDraws;
      const spread = Math.sqrt(nDraws * share * (1 - share));
      for (const count of counts) expect(Math.abs(count - mean)).toBeLessThan(4.5 * spread);
    }
  });
});

function groupOf(rowId: number, agent: string) {
  const own = TRIALS.filter((trial) => trial.job === rowId && trial.agent === agent);
  const nPassed = own.filter(({ passed }) => passed).length;
  const none = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    (typeof OUTCOMES)[number],
    number
  >;
  return {
    job: { rowId, key: `job-${String(rowId)}` },
    summary: {
      group: { key: agent, agent, model: null } as Parameters<
        typeof correctRuns
      >[1][number]["summary"]["group"],
      counts: { ...none, passed: nPassed, failed: own.length - nPassed },
    },
  };
}

function expectNumbers(found: object, expected: Readonly<Record<string, number>>) {
  const numbers = new Map<string, unknown>(Object.entries(found));
  for (const [name, value] of Object.entries(expected))
    expect(numbers.get(name), name).toBeCloseTo(value, DIGITS);
}

function failure(): never {
  throw new Error("the reference has no trials");
}
