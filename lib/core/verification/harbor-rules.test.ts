import { describe, expect, test } from "vitest";

import {
  NO_STATS,
  type JobRecord,
  type RebuiltJob,
  type RecordedStats,
  type TotalName,
} from "@/lib/core/domain/job";
import type { Trial } from "@/lib/core/domain/trial";
import type { PyValue } from "@/lib/core/scoring";
import {
  buildBundle,
  buildException,
  buildGroup,
  buildTrial,
  rewards,
} from "@/lib/testing/job-bundle.fixture";

import { verifyJob } from "./index";

const TRIALS = [buildTrial("a", 1), buildTrial("b", 0, { taskName: "other" })];

/** The figure that ends with `path`, of a job with these stats and facts. */
function judge(
  path: string,
  stats: Partial<RecordedStats>,
  over: Partial<JobRecord> = {},
  trials: readonly Trial[] = TRIALS,
) {
  const recorded = { ...NO_STATS, ...stats };
  const report = verifyJob(buildBundle(trials, recorded.groups, { recorded, ...over }));
  const figure = report.figures.find((one) => one.path.endsWith(path));
  return figure === undefined ? null : { verdict: figure.verdict, rule: figure.rule };
}

const counted = (name: "n_retries" | "n_cancelled_trials" | "n_errored_trials", count: bigint) => ({
  counters: new Map([[name, count]]),
});

describe("n_retries", () => {
  const logged = (nRetries: number): Partial<JobRecord> => ({
    maxRetries: 2,
    log: { nRetries, cancelled: new Set() },
  });

  test.each<[string, bigint, Partial<JobRecord>, unknown]>([
    ["is 0 where config.json allows none", 0n, { maxRetries: 0 }, { verdict: "exact", rule: null }],
    ["is wrong where config.json allows none", 57n, { maxRetries: 0 }, { verdict: "mismatch", rule: null }],
    ["follows from job.log", 1n, logged(1), { verdict: "explained", rule: "retry" }],
    ["is wrong where job.log has another number", 2n, logged(1), { verdict: "mismatch", rule: null }],
    ["is 0 where job.log has none", 0n, logged(0), { verdict: "exact", rule: null }],
    ["cannot be more than is allowed", 5n, { maxRetries: 2 }, { verdict: "mismatch", rule: null }],
    ["needs job.log", 1n, { maxRetries: 2 }, { verdict: "incomplete", rule: "retry" }],
    ["of 0 without job.log is no figure", 0n, { maxRetries: 2 }, null],
    [
      "of a job that was cut off may lack the last one",
      1n,
      { ...logged(2), state: "interrupted" },
      { verdict: "incomplete", rule: "retry" },
    ],
  ])("%s", (_, count, over, expected) => {
    expect(judge("n_retries", counted("n_retries", count), over)).toEqual(expected);
  });
});

describe("n_cancelled_trials", () => {
  const timedOut = [
    buildTrial("a", 1),
    buildTrial("b", 0, { exception: buildException("AgentTimeoutError") }),
  ];
  const log = { nRetries: 0, cancelled: new Set(["b", "of-another-job"]) };

  test.each<[string, bigint, JobRecord["log"], unknown]>([
    [
      "counts a trial that ended in another way after it",
      1n,
      log,
      { verdict: "explained", rule: "cancellation" },
    ],
    ["is wrong where job.log names fewer", 2n, log, { verdict: "mismatch", rule: null }],
    ["needs job.log", 1n, null, { verdict: "incomplete", rule: null }],
    ["cannot be more than there are trials", 3n, null, { verdict: "mismatch", rule: null }],
  ])("%s", (_, count, jobLog, expected) => {
    const stats = counted("n_cancelled_trials", count);
    expect(judge("n_cancelled_trials", stats, { log: jobLog }, timedOut)).toEqual(expected);
  });
});

describe("totals of tokens and cost", () => {
  const usage = (inputTokens: number | null, costUsd: number | null) => ({
    tokens: { inputTokens, cacheTokens: null, outputTokens: null, costUsd },
  });
  const trials = [
    buildTrial("a", 1, usage(10, 0.1)),
    buildTrial("b", 1, usage(null, 0.2)),
    buildTrial("c", 1, usage(5, 0.3)),
  ];

  test("add plainly, unknown ones left out", () => {
    // Python: 0.0 + 0.1 + 0.2 + 0.3, added one by one.
    const totals = new Map<TotalName, PyValue>([
      ["n_input_tokens", 15n],
      ["cost_usd", 0.6000000000000001],
    ]);
    expect(judge("n_input_tokens", { totals }, {}, trials)?.verdict).toBe("exact");
    expect(judge("cost_usd", { totals }, {}, trials)?.verdict).toBe("exact");
  });

  test.each([
    ["n_input_tokens", 16n],
    ["n_input_tokens", null],
    ["n_cache_tokens", 1n],
    ["cost_usd", 999],
  ] as const)("a %s of %s is a mismatch", (name, value) => {
    expect(judge(name, { totals: new Map([[name, value]]) }, {}, trials)?.verdict).toBe("mismatch");
  });

  test("that no trial reports are not a figure", () => {
    expect(judge("n_cache_tokens", { totals: new Map([["n_cache_tokens", null]]) }, {}, trials)).toBeNull();
  });
});

describe("a job rebuilt from trial archives", () => {
  const rebuilt: RebuiltJob = {
    nPlanned: 6,
    nRows: 5,
    nRunning: 0,
    nPending: 1,
    nMissing: 2,
    nMissingFailed: 1,
    nMissingCanceled: 0,
  };
  const group = buildGroup({ metrics: [] });
  const over = { rebuilt, state: "finished" } as const;

  test("counts trials that it has no folder for", () => {
    expect(judge("n_errored_trials", { ...counted("n_errored_trials", 1n), groups: [group] }, over)).toEqual({
      verdict: "explained",
      rule: "rebuilt-job",
    });
  });

  test("is wrong where its manifest does not account for the number", () => {
    expect(
      judge("n_errored_trials", { ...counted("n_errored_trials", 2n), groups: [group] }, over)?.verdict,
    ).toBe("mismatch");
    expect(judge("n_total_trials", { nTotalTrials: 7n, groups: [group] }, over)?.verdict).toBe("mismatch");
  });

  test("has no metrics, which is said", () => {
    expect(judge("metrics[0].mean", { groups: [group] }, over)).toEqual({
      verdict: "not-recorded",
      rule: "rebuilt-job",
    });
  });
});

describe("metrics that config.json does not name", () => {
  const trials = [
    buildTrial("a", null, { rewards: rewards({ x: 0.25, y: 1n }) }),
    buildTrial("b", null, { rewards: rewards({ x: 0.5, y: 0n }) }),
  ];
  const entry = (x: number, y: number | bigint) =>
    new Map([
      ["x", x],
      ["y", y],
    ]);
  const over = { mayBringMetrics: true };

  test("are found by the one type that gives every value", () => {
    const groups = [buildGroup({ metrics: [entry(0.5, 1n)] })];
    expect(judge("metrics[0].x", { groups }, over, trials)).toEqual({
      verdict: "exact",
      rule: "dataset-metric",
    });
  });

  test("come before those of config.json", () => {
    const groups = [buildGroup({ metrics: [entry(0.75, 1n), entry(0.375, 0.5)] })];
    const stated = { ...over, metricTypes: ["mean"] };
    expect(judge("metrics[0].x", { groups }, stated, trials)?.rule).toBe("dataset-metric");
    expect(judge("metrics[1].x", { groups }, stated, trials)).toEqual({ verdict: "exact", rule: null });
  });

  test("are incomplete data where no type gives them", () => {
    const groups = [buildGroup({ metrics: [entry(0.3, 1n)] })];
    expect(judge("metrics[0].x", { groups }, over, trials)?.verdict).toBe("incomplete");
  });

  test("cannot be another type where no dataset can have brought one", () => {
    const groups = [buildGroup({ metrics: [entry(0.5, 1n)] })];
    expect(judge("metrics[0].x", { groups }, {}, trials)?.verdict).toBe("mismatch");
  });
});

test("a dataset whose name holds __ loses its metrics at the end, and the outcome with them", () => {
  const trials = [buildTrial("a", 1, { source: "org__set" })];
  const key = "orca__m1__org__set";
  const stats = '{"n_completed_trials": 1, "evals": {"orca__m1__org__set": {"metrics": []}}}';
  const resultBytes = new TextEncoder().encode(`{"n_total_trials": 1, "stats": ${stats}}`);
  const groups = [buildGroup({ key, metrics: [] })];
  expect(judge("metrics[0].mean", { groups }, { resultBytes }, trials)).toEqual({
    verdict: "not-recorded",
    rule: "dataset-lookup",
  });
  expect(judge("outcome", { groups }, { resultBytes }, trials)).toEqual({
    verdict: "explained",
    rule: "dataset-lookup",
  });
});

test("a mismatch over many trials names those that contradict it by themselves", () => {
  const wrong = buildTrial("b", 1, {
    taskName: "other",
    rewardFile: { kind: "read", file: "reward.json", rewards: rewards({ reward: 0 }) },
  });
  const groups = [buildGroup({ metrics: [new Map([["mean", 0.5]])] })];
  const bundle = buildBundle([buildTrial("a", 1), wrong], groups);
  const mean = verifyJob(bundle).figures.find(({ path }) => path.endsWith("mean"));
  expect(mean).toMatchObject({ verdict: "mismatch", trialKeys: ["key-b"] });
});

describe("a figure that result.json does not state", () => {
  const groups = [buildGroup()];
  const of = (harborVersion: string | null): Partial<JobRecord> => ({ harborVersion });

  test.each<[string, string, string | null]>([
    ["a counter of the job", "n_pending_trials", "0.6.4"],
    ["the number of trials", "n_total_trials", "0.1.45"],
    ["the number of retries", "n_retries", "0.24.0"],
    ["a total", "n_input_tokens", "0.6.0"],
    ["a counter of a group", "m1__d1.n_trials", "0.1.45"],
    ["a metric", "metrics[0].mean", "0.1.45"],
    ["a list of trials", "reward_stats.reward.1.0", "0.1.45"],
  ])("is a mismatch for %s, which that Harbor always records", (_, path, version) => {
    expect(judge(path, { groups }, of(version))?.verdict).toBe("mismatch");
  });

  test.each<[string, string, string | null]>([
    ["a counter that is newer", "n_pending_trials", "0.6.1"],
    ["a total before there were any", "n_input_tokens", "0.5.0"],
    ["a counter of an unknown Harbor", "n_retries", null],
  ])("is none for %s", (_, path, version) => {
    expect(judge(path, { groups }, of(version))).toBeNull();
  });

  test("is not recorded for a metric of an unknown Harbor", () => {
    expect(judge("metrics[0].mean", { groups })?.verdict).toBe("not-recorded");
  });

  test.each([
    ["0.3.0", "not-recorded"],
    ["0.4.0", "mismatch"],
  ])("is judged for pass@k by version %s: %s", (version, verdict) => {
    const trials = [buildTrial("a", 1), buildTrial("b", 0)];
    expect(judge("pass_at_k.2", { groups }, of(version), trials)?.verdict).toBe(verdict);
  });

  test("is expected of a group that is missing as a whole", () => {
    expect(judge("m1__d1.n_errors", { groups: [] }, of("0.24.0"))?.verdict).toBe("mismatch");
  });

  test("is not expected of a job that did not end", () => {
    expect(judge("n_retries", { groups }, { ...of("0.24.0"), state: "interrupted" })).toBeNull();
  });
});

describe("a Harbor newer than Assay knows", () => {
  const groups = [buildGroup({ nTrials: 2n, metrics: [new Map([["mean", 0.75]])] })];

  test.each<[string, Partial<JobRecord>, Partial<RecordedStats>]>([
    ["by its version", { harborVersion: "9.0.0" }, {}],
    ["by the schema of result.json", { harborVersion: "0.26.0" }, { schemaVersion: 9n }],
  ])("gives figures that differ an unknown rule, %s", (_, over, stats) => {
    expect(judge("metrics[0].mean", { groups, ...stats }, over)?.verdict).toBe("unknown-rule");
    expect(judge("m1__d1.n_trials", { groups, ...stats }, over)?.verdict).toBe("exact");
    const recorded = { ...NO_STATS, groups, ...stats };
    const report = verifyJob(buildBundle(TRIALS, groups, { recorded, ...over }));
    expect(report.groups[0]?.verdict).toBe("unknown-rule");
  });

  test("is not the newest one that is known", () => {
    expect(judge("metrics[0].mean", { groups }, { harborVersion: "0.26.0" })?.verdict).toBe("mismatch");
  });
});
