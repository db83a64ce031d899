import { describe, expect, test } from "vitest";

import { type JobBundle, NO_STATS, type RecordedGroup } from "@/lib/core/domain/job";
import type { Figure, VerificationReport } from "@/lib/core/domain/verification";
import type { PyValue } from "@/lib/core/scoring";
import {
  atSecond,
  buildBundle,
  buildException,
  buildGroup,
  buildStep,
  buildTrial,
  rewards,
} from "@/lib/testing/job-bundle.fixture";

import { summariseVerdict, verifyJob } from "./index";

function meanOf(value: PyValue): PyValue[] {
  return [new Map([["mean", value]])];
}

function findFigure(report: VerificationReport, pathEnd: string): Figure {
  const figure = report.figures.find(({ path }) => path.endsWith(pathEnd));
  if (figure === undefined) throw new Error(`no figure ends with ${pathEnd}`);
  return figure;
}

function namesOf(names: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(names));
}

/** Trials t0, t1, ... with these rewards, as one attempt of one task each unless `task` says otherwise. */
function buildTrials(values: readonly (number | bigint | null)[], task = (index: number) => `task-${index}`) {
  return values.map((value, index) => buildTrial(`t${index}`, value, { taskName: task(index) }));
}

describe("metrics", () => {
  test("the mean of CPython 3.12 is exact, and lists the trials behind it", () => {
    const report = verifyJob(
      buildBundle(buildTrials([0.1, 0.2, 0.3]), [buildGroup({ metrics: meanOf(0.19999999999999998) })]),
    );
    expect(findFigure(report, "metrics[0].mean")).toEqual({
      kind: "metric",
      path: "stats.evals.orca__m1__d1.metrics[0].mean",
      group: "orca__m1__d1",
      recorded: "0.19999999999999998",
      recomputed: "0.19999999999999998",
      verdict: "exact",
      ulps: null,
      reason: null,
      rule: null,
      trialKeys: ["key-t0", "key-t1", "key-t2"],
    });
    expect(report.verdict).toBe("exact");
  });

  test("the mean of an older Python is named as such, and stays ulp", () => {
    const bundle = buildBundle(buildTrials([0.1, 0.2, 0.3]), [
      buildGroup({ metrics: meanOf(0.20000000000000004) }),
    ]);
    const figure = findFigure(verifyJob(bundle), "mean");
    expect(figure).toMatchObject({ verdict: "ulp", ulps: 2 });
    expect(figure.reason).toBe("Recorded by plain left-to-right addition (Python 3.11 or older).");
    expect(findFigure(verifyJob(bundle, "sequential"), "mean").verdict).toBe("exact");
  });

  test("an unrecoverable order is ulp with its distance", () => {
    const bundle = buildBundle(buildTrials([0.1, 0.2, 0.3]), [
      buildGroup({ metrics: meanOf(0.20000000000000012) }),
    ]);
    expect(findFigure(verifyJob(bundle), "mean")).toMatchObject({ verdict: "ulp", ulps: 5 });
  });

  test.each([0.21, 0.2000000000000005, "0.2", null])("another value, %s, is a mismatch", (value) => {
    const report = verifyJob(
      buildBundle(buildTrials([0.1, 0.2, 0.3]), [buildGroup({ metrics: meanOf(value) })]),
    );
    expect(findFigure(report, "mean").verdict).toBe("mismatch");
    expect(report.verdict).toBe("mismatch");
  });

  test("an errored trial without rewards counts 0 in the mean", () => {
    const trials = [
      ...buildTrials([1, 1]),
      buildTrial("t2", null, { exception: buildException("RuntimeError") }),
    ];
    const report = verifyJob(buildBundle(trials, [buildGroup({ metrics: meanOf(0.6666666666666666) })]));
    expect(findFigure(report, "mean").verdict).toBe("exact");
  });

  test("several reward keys: one figure per key, the metric's type from the config", () => {
    const trials = [
      buildTrial("a", null, { rewards: rewards({ style: 0.5, tests: 3n }) }),
      buildTrial("b", null, { rewards: rewards({ tests: 4n }) }),
    ];
    const recorded = buildGroup({
      metrics: [
        new Map<string, PyValue>([
          ["style", 0.5],
          ["tests", 5n],
        ]),
      ],
    });
    const report = verifyJob(buildBundle(trials, [recorded], { metricTypes: ["max"] }));
    expect(findFigure(report, "metrics[0].style").verdict).toBe("exact");
    expect(findFigure(report, "metrics[0].tests")).toMatchObject({
      verdict: "mismatch",
      recorded: "5",
      recomputed: "4",
    });
  });

  test("a metric that the dataset brings is recognised by its name", () => {
    const recorded = buildGroup({ metrics: [new Map([["max", 0.3]])] });
    expect(findFigure(verifyJob(buildBundle(buildTrials([0.1, 0.3]), [recorded])), "max").verdict).toBe(
      "exact",
    );
  });

  test("a script metric cannot be checked", () => {
    const bundle = buildBundle(buildTrials([1]), [buildGroup({ metrics: meanOf(0.4) })], {
      metricTypes: ["uv-script"],
    });
    const figure = findFigure(verifyJob(bundle), "mean");
    expect(figure.verdict).toBe("incomplete");
    expect(figure.reason).toContain("script");
  });
});

describe("order of operands", () => {
  // int, float, float, int, int: CPython compensates floats only, so the order decides the last bit.
  const values = [0n, 0.8, 0.1, 1n, 1n];
  const forward = 0.58;
  const backward = 0.5800000000000001;
  const plan = [4, 3, 2, 1, 0].map((index) => ({ taskName: `task-${index}`, agent: "orca", model: "m1" }));
  const group = (mean: number, over: Partial<RecordedGroup> = {}) =>
    buildGroup({ metrics: meanOf(mean), ...over });

  test("directory order", () => {
    const report = verifyJob(buildBundle(buildTrials(values), [group(forward)]));
    expect([report.verdict, report.order]).toEqual(["exact", "directory"]);
  });

  test("the plan of lock.json", () => {
    const report = verifyJob(buildBundle(buildTrials(values), [group(backward)], { plan }));
    expect([report.verdict, report.order]).toEqual(["exact", "lock"]);
    expect(report.groups[0]?.trialKeys).toEqual(["key-t4", "key-t3", "key-t2", "key-t1", "key-t0"]);
  });

  test("the lists of reward_stats, first trials of each value in file order", () => {
    const stats = new Map([
      ["reward", namesOf({ "1": ["t4", "t3"], "0.1": ["t2"], "0.8": ["t1"], "0": ["t0"] })],
    ]);
    const report = verifyJob(buildBundle(buildTrials(values), [group(backward, { rewardStats: stats })]));
    expect([report.verdict, report.order]).toEqual(["exact", "stats"]);
  });

  test.each(["startedAt", "finishedAt"] as const)("%s", (side) => {
    const trials = buildTrials(values).map((trial, index) => ({
      ...trial,
      time: { startedAt: null, finishedAt: null, [side]: atSecond(10 - index) },
    }));
    const report = verifyJob(buildBundle(trials, [group(backward)]));
    expect([report.verdict, report.order]).toEqual(["exact", side === "startedAt" ? "started" : "finished"]);
  });
});

describe("pass@k", () => {
  const fiveAttempts = (nPassed: number) =>
    buildTrials(
      [0, 1, 2, 3, 4].map((i) => (i < nPassed ? 1 : 0)),
      () => "one",
    );

  test("exact to the last bit, one figure per k", () => {
    const passAtK = new Map<string, PyValue>([
      ["2", 0.3999999999999999],
      ["4", 0.79],
      ["5", 1],
    ]);
    const report = verifyJob(buildBundle(fiveAttempts(1), [buildGroup({ passAtK })]));
    const figures = report.figures.filter((figure) => figure.kind === "pass-at-k");
    expect(figures.map(({ path, verdict }) => [path.split(".").at(-1), verdict])).toEqual([
      ["2", "exact"],
      ["4", "mismatch"],
      ["5", "exact"],
    ]);
    expect(figures[1]?.recomputed).toBe("0.8");
  });

  test("older Harbor recorded none: not recorded, and no verdict on the job", () => {
    const report = verifyJob(
      buildBundle(fiveAttempts(1), [buildGroup({ passAtK: null, metrics: meanOf(0.2) })]),
    );
    expect(findFigure(report, "pass_at_k.2")).toMatchObject({ verdict: "not-recorded", recorded: null });
    expect(report.verdict).toBe("exact");
  });

  test("recorded although a fraction makes the group ineligible: mismatch", () => {
    const trials = buildTrials([0.5, 1], () => "one");
    const report = verifyJob(buildBundle(trials, [buildGroup({ passAtK: new Map([["2", 1]]) })]));
    expect(findFigure(report, "pass_at_k.2").verdict).toBe("mismatch");
    expect(report.groups[0]?.passAtKIneligible).toBe("reward-not-0-or-1");
  });

  test.each([
    ["one-attempt", buildTrials([1, 0])],
    ["several-reward-keys", [buildTrial("a", null, { rewards: rewards({ x: 1, y: 0 }) })]],
    ["no-trials", []],
  ] as const)("says why a group has none: %s", (why, trials) => {
    expect(verifyJob(buildBundle(trials, [buildGroup()])).groups[0]?.passAtKIneligible).toBe(why);
  });
});

describe("trials that are not all here", () => {
  const stats = { rewardStats: new Map([["reward", namesOf({ "1.0": ["t0", "gone"], "0.0": ["t1"] })]]) };

  test("a listed trial without a folder: incomplete data, and the sentence names it", () => {
    const group = buildGroup({ nTrials: 3n, metrics: meanOf(0.6666666666666666), ...stats });
    const report = verifyJob(buildBundle(buildTrials([1, 0]), [group]));
    expect(findFigure(report, "mean").verdict).toBe("incomplete");
    expect(findFigure(report, "mean").reason).toContain("gone");
    expect(findFigure(report, "reward_stats.reward.1.0")).toMatchObject({
      verdict: "incomplete",
      recorded: "2",
    });
    expect(findFigure(report, "reward_stats.reward.0.0").verdict).toBe("exact");
    expect(report.verdict).toBe("incomplete");
  });

  test("a complete group next to an incomplete one is still judged", () => {
    const other = buildTrial("u0", 1, { agent: "lamp" });
    const groups = [
      buildGroup({ nTrials: 3n, metrics: meanOf(0.5), ...stats }),
      buildGroup({ key: "lamp__m1__d1", metrics: meanOf(0.25) }),
    ];
    const report = verifyJob(buildBundle([...buildTrials([1, 0]), other], groups));
    expect(report.figures.filter(({ kind }) => kind === "metric").map(({ verdict }) => verdict)).toEqual([
      "exact",
      "mismatch",
    ]);
  });

  test("more completed trials counted than are here", () => {
    const counters = new Map([["n_completed_trials", 89n] as const]);
    const bundle = buildBundle([], [buildGroup({ metrics: meanOf(0.4) })], {
      recorded: { ...NO_STATS, nTotalTrials: 89n, counters, groups: [buildGroup({ metrics: meanOf(0.4) })] },
    });
    const report = verifyJob(bundle);
    expect(report.figures.map(({ verdict }) => verdict)).not.toContain("mismatch");
    expect(findFigure(report, "n_completed_trials").verdict).toBe("incomplete");
  });

  test("an unreadable result is never a wrong mean", () => {
    const trials = [...buildTrials([1]), buildTrial("t1", null, { state: "unreadable" })];
    const group = buildGroup({
      metrics: meanOf(0.5),
      rewardStats: new Map([["reward", namesOf({ "1.0": ["t0"], "0.0": ["t1"] })]]),
    });
    expect(findFigure(verifyJob(buildBundle(trials, [group])), "mean").verdict).toBe("incomplete");
  });

  test("a value of a trial that is here is a mismatch even when others are gone", () => {
    const group = buildGroup({
      rewardStats: new Map([["reward", namesOf({ "1.0": ["t0", "t1", "gone"] })]]),
    });
    const report = verifyJob(buildBundle(buildTrials([1, 0]), [group]));
    expect(findFigure(report, "reward_stats.reward.1.0").verdict).toBe("mismatch");
    expect(findFigure(report, "reward_stats.reward.1.0").reason).toContain("t1");
  });

  test("a running job is interim and its moving figures are no mismatch", () => {
    const report = verifyJob(
      buildBundle(buildTrials([1, 0]), [buildGroup({ metrics: meanOf(1) })], { state: "running" }),
    );
    expect(report.verdict).toBe("interim");
    expect(findFigure(report, "mean").verdict).toBe("incomplete");
  });

  test("trials of another job in the same folder are left out", () => {
    const foreign = buildTrial("f0", 0, { jobUuid: "job-2" });
    const report = verifyJob(
      buildBundle([...buildTrials([1]), foreign], [buildGroup({ metrics: meanOf(1) })]),
    );
    expect(findFigure(report, "mean")).toMatchObject({ verdict: "exact", trialKeys: ["key-t0"] });
  });
});

describe("counters and lists", () => {
  test("counters of the job and of the group", () => {
    const trials = [
      ...buildTrials([1, 0]),
      buildTrial("t2", null, { exception: buildException("CancelledError") }),
    ];
    const group = buildGroup({
      nTrials: 2n,
      nErrors: 1n,
      exceptionStats: namesOf({ CancelledError: ["t2"] }),
    });
    const counters = new Map([
      ["n_completed_trials", 3n],
      ["n_errored_trials", 1n],
      ["n_cancelled_trials", 2n],
      ["n_retries", 4n],
    ] as const);
    const report = verifyJob(
      buildBundle(trials, [], { recorded: { ...NO_STATS, nTotalTrials: 3n, counters, groups: [group] } }),
    );
    const verdicts = Object.fromEntries(report.figures.map(({ path, verdict }) => [path, verdict]));
    expect(verdicts).toMatchObject({
      n_total_trials: "exact",
      "stats.n_completed_trials": "exact",
      "stats.n_errored_trials": "exact",
      "stats.n_cancelled_trials": "incomplete",
      "stats.evals.orca__m1__d1.n_trials": "exact",
      "stats.evals.orca__m1__d1.n_errors": "exact",
      "stats.evals.orca__m1__d1.exception_stats.CancelledError": "exact",
    });
    expect(verdicts["stats.n_retries"]).toBe("incomplete");
    expect(findFigure(report, "n_cancelled_trials").trialKeys).toEqual(["key-t2"]);
  });

  test("value keys are compared as numbers, whichever way a writer spells them", () => {
    const trials = [buildTrial("a", 1), buildTrial("b", 1n), buildTrial("c", 1e-7)];
    const group = buildGroup({
      rewardStats: new Map([["reward", namesOf({ "1": ["a", "b"], "1e-7": ["c"] })]]),
    });
    expect(verifyJob(buildBundle(trials, [group])).verdict).toBe("exact");
  });
});

describe("reward files", () => {
  const verifyOne = (over: Parameters<typeof buildTrial>[2], reward: number | null = 1) =>
    verifyJob(buildBundle([buildTrial("t0", reward, over)], [])).figures.filter(
      ({ kind }) => kind === "reward-file",
    );

  test("another value is a mismatch that names key, file and both numbers", () => {
    const [figure] = verifyOne({
      rewardFile: { kind: "read", file: "reward.txt", rewards: rewards({ reward: 0 }) },
    });
    expect(figure).toMatchObject({
      verdict: "mismatch",
      recorded: '{"reward": 1.0}',
      recomputed: '{"reward": 0.0}',
    });
    expect(figure?.reason).toBe('For "reward", reward.txt has 0.0 and result.json 1.0.');
  });

  test("a reward that an exception kept out of result.json is not recorded", () => {
    const rewardFile = { kind: "read", file: "reward.txt", rewards: rewards({ reward: 1 }) } as const;
    const [figure] = verifyOne({ rewardFile, exception: buildException("CancelledError") }, null);
    expect(figure?.verdict).toBe("not-recorded");
    expect(figure?.reason).toContain("CancelledError");
  });

  test("an absent file is not recorded, a broken one cannot be checked, neither is nothing at all", () => {
    expect(verifyOne({ rewardFile: { kind: "absent" } })[0]?.verdict).toBe("not-recorded");
    const broken = {
      kind: "error",
      file: "reward.txt",
      reasonCode: "harbor_reward_empty",
      message: "",
    } as const;
    expect(verifyOne({ rewardFile: broken })[0]?.verdict).toBe("incomplete");
    expect(verifyOne({ rewardFile: broken }, null)[0]?.verdict).toBe("not-recorded");
    expect(verifyOne({ rewardFile: { kind: "absent" } }, null)).toEqual([]);
  });

  test.each([
    ["mean", { reward: 0.5 }, "exact"],
    ["final", { reward: 0 }, "exact"],
    ["neither", { reward: 0.75 }, "mismatch"],
  ] as const)("multi-step rewards that are the %s of the steps", (_how, total, verdict) => {
    const steps = [
      buildStep("build", rewards({ reward: 1 })),
      buildStep("skipped", null),
      buildStep("ship", rewards({ reward: 0 })),
    ];
    const figures = verifyOne({ rewards: rewards(total), rewardFile: { kind: "absent" }, steps });
    expect(figures.map(({ path }) => path)).toEqual([
      "key-t0/steps/build",
      "key-t0/steps/ship",
      "key-t0/steps",
    ]);
    expect(figures.map((figure) => figure.verdict)).toEqual(["exact", "exact", verdict]);
  });
});

describe("outcome", () => {
  function buildOutcomeBundle(stats: string, reward = 1): JobBundle {
    const text = `{"n_total_trials": 1, "stats": ${stats}}`;
    return buildBundle([buildTrial("t0", reward)], [buildGroup({ metrics: meanOf(1) })], {
      resultBytes: new TextEncoder().encode(text),
    });
  }
  const stats =
    '{"n_completed_trials": 1, "n_errored_trials": 0, "evals": {"orca__m1__d1": {"metrics": [{"mean": 1.0}]}}}';

  test("the same line from result.json and from the trials", () => {
    const report = verifyJob(buildOutcomeBundle(stats));
    expect(findFigure(report, "outcome").verdict).toBe("exact");
    expect(report.outcome.recomputed).toBe(
      'BASE_BENCHMARK_RESULT={"reason_code": null, "resolved": 1, "score": 1.0, "status": "completed", "total": 1}',
    );
  });

  test("trials that give another score", () => {
    const figure = findFigure(verifyJob(buildOutcomeBundle(stats, 0)), "outcome");
    expect(figure).toMatchObject({
      verdict: "mismatch",
    });
  });

  test("without a readable result.json there is nothing to compare with", () => {
    expect(findFigure(verifyJob(buildOutcomeBundle("[]")), "outcome").verdict).toBe("not-recorded");
  });
});

test("the verdict is the worst verdict that compared anything", () => {
  const verdict = (...verdicts: Figure["verdict"][]) =>
    summariseVerdict(
      verdicts.map((verdict) => ({ verdict })),
      false,
    );
  expect(verdict()).toBe("not-recorded");
  expect(verdict("not-recorded", "exact")).toBe("exact");
  expect(verdict("exact", "ulp")).toBe("ulp");
  expect(verdict("ulp", "incomplete", "exact")).toBe("incomplete");
  expect(verdict("incomplete", "mismatch", "exact")).toBe("mismatch");
  expect(summariseVerdict([{ verdict: "mismatch" }], true)).toBe("interim");
});

describe("trials that result.json leaves out", () => {
  const recorded = buildGroup({
    nTrials: 2n,
    metrics: meanOf(1),
    rewardStats: new Map([["reward", namesOf({ "1": ["t0", "t1"] })]]),
  });

  test("are one reason for every figure that matches without them", () => {
    const report = verifyJob(buildBundle(buildTrials([1n, 1n, 0n]), [recorded]));
    const mismatches = report.figures.filter(({ verdict }) => verdict === "mismatch");
    expect(mismatches.length).toBeGreaterThan(2);
    expect(new Set(mismatches.map(({ reason }) => reason)).size).toBe(1);
    expect(mismatches[0]?.reason).toContain("t2");
    for (const { trialKeys } of mismatches) expect(trialKeys).toEqual(["key-t2"]);
  });

  test("are no reason for a figure that is wrong without them too", () => {
    const changed = { ...recorded, metrics: meanOf(0.75) };
    const report = verifyJob(buildBundle(buildTrials([1n, 1n, 0n]), [changed]));
    const reasons = new Set(
      report.figures.flatMap(({ verdict, reason }) => (verdict === "mismatch" ? reason : [])),
    );
    expect(findFigure(report, "metrics[0].mean").verdict).toBe("mismatch");
    expect(reasons.size).toBe(2);
  });
});
