import { describe, expect, it } from "vitest";

import { computeJobStats, computeTrialUsage, type AgentUsage, type JobStatsTrial } from "./job-stats";
import type { PyNumber } from "./python/value";

function trial(
  trialName: string,
  reward: PyNumber | null,
  exceptionType: string | null = null,
): JobStatsTrial {
  const rewards = reward === null ? null : new Map([["reward", reward]]);
  return { trialName, agent: "codex", model: null, source: "bench", rewards, exceptionType, usage: null };
}

const usage = (inputTokens: number | null, costUsd: number | null): AgentUsage => ({
  inputTokens,
  cacheTokens: null,
  outputTokens: null,
  costUsd,
});

describe("computeJobStats", () => {
  it("counts a trial with reward and exception on both sides", () => {
    const stats = computeJobStats([
      trial("a", 1n, "AgentTimeoutError"),
      trial("b", null, "CancelledError"),
      trial("c", 0),
    ]);
    expect(stats).toMatchObject({
      nCompletedTrials: 3,
      nErroredTrials: 2,
      nCancelledTrials: 1,
      inputTokens: null,
    });
    const group = stats.evals.get("codex__bench");
    expect(group).toMatchObject({ nTrials: 2, nErrors: 2 });
    expect(group?.exceptionStats).toEqual(
      new Map([
        ["AgentTimeoutError", ["a"]],
        ["CancelledError", ["b"]],
      ]),
    );
    expect(group?.rewardStats.get("reward")).toEqual(
      new Map([
        ["1", ["a"]],
        ["0.0", ["c"]],
      ]),
    );
  });

  it("joins values that Python holds equal under the name of the first", () => {
    const values = [1, 1n, true, 0.5, 0.5, NaN, NaN, Infinity, -0, 0, 2n ** 60n, 2 ** 60];
    const stats = computeJobStats(values.map((value, index) => trial(String(index), value)));
    expect([...(stats.evals.get("codex__bench")?.rewardStats.get("reward") ?? [])]).toEqual([
      ["1.0", ["0", "1", "2"]],
      ["0.5", ["3", "4"]],
      ["nan", ["5", "6"]],
      ["inf", ["7"]],
      ["-0.0", ["8", "9"]],
      ["1152921504606846976", ["10", "11"]],
    ]);
  });

  it("adds up usage in order and leaves unreported figures null", () => {
    const trials = [usage(1, 0.1), usage(null, 0.2), usage(2, 0.3)].map((item, index) => ({
      ...trial(String(index), null),
      usage: item,
    }));
    expect(computeJobStats(trials)).toMatchObject({
      inputTokens: 3,
      cacheTokens: null,
      costUsd: 0.1 + 0.2 + 0.3,
    });
    expect(computeJobStats([]).evals.size).toBe(0);
  });
});

describe("computeTrialUsage", () => {
  it("looks at steps only without usage of its own", () => {
    const stepUsages = [usage(1, null), null, usage(2, -0)];
    expect(computeTrialUsage({ usage: null, stepUsages })).toEqual(usage(3, 0));
    expect(computeTrialUsage({ usage: usage(7, 1), stepUsages })).toEqual(usage(7, 1));
    expect(computeTrialUsage({ usage: null })).toEqual(usage(null, null));
  });
});
