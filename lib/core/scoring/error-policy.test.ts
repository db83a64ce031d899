import { expect, it } from "vitest";

import { findErrorPolicy, isRewardValid } from "./error-policy";
import { computeJobStats, type JobStatsTrial } from "./job-stats";

const ONE = new Map([["reward", 1n]]);

function trial(name: string, over: Partial<JobStatsTrial> = {}): JobStatsTrial {
  return {
    trialName: name,
    agent: "a",
    model: "m",
    source: "d",
    rewards: ONE,
    exceptionType: null,
    usage: null,
    ...over,
  };
}

// The flags were read from harbor 0.26.0, `ERROR_POLICIES`: one type of each of its five groups, and one of none.
it.each([
  ["HealthcheckError", true, false, false],
  ["ApiRateLimitError", true, true, false],
  ["VerifierTimeoutError", false, true, false],
  ["CancelledError", false, false, false],
  ["AgentTimeoutError", false, true, true],
  ["RuntimeError", true, true, true],
])("knows the policy of %s", (type, shouldRetry, shouldGrade, hasValidReward) => {
  expect(findErrorPolicy({ type })).toEqual({ shouldRetry, shouldGrade, hasValidReward });
});

it("lets a job override single flags", () => {
  const policyOverride = { hasValidReward: true };
  expect(findErrorPolicy({ type: "ApiRateLimitError", policyOverride })).toEqual({
    shouldRetry: true,
    shouldGrade: true,
    hasValidReward: true,
  });
});

it("needs a reward and no exception that disqualifies it", () => {
  expect(isRewardValid(ONE, [])).toBe(true);
  expect(isRewardValid(null, [])).toBe(false);
  expect(isRewardValid(new Map(), [])).toBe(false);
  expect(isRewardValid(ONE, [{ type: "AgentTimeoutError" }, { type: "ApiError" }])).toBe(false);
});

it("leaves invalid rewards out of the counts and counts errors of steps once a type since 0.26", () => {
  const trials = [
    trial("plain"),
    trial("limited", { exceptionType: "ApiError" }),
    trial("empty", { rewards: new Map() }),
    trial("steps", {
      exceptions: [{ type: "CancelledError" }, { type: "AgentTimeoutError" }, { type: "AgentTimeoutError" }],
    }),
  ];
  const [before, since] = (["harbor-0.25", "harbor-0.26"] as const).map((rule) => {
    const stats = computeJobStats(trials, () => "group", rule);
    const group = stats.evals.get("group");
    return {
      errored: stats.nErroredTrials,
      cancelled: stats.nCancelledTrials,
      trials: group?.nTrials,
      rewarded: group?.rewardStats.get("reward")?.get("1"),
      types: [...(group?.exceptionStats.keys() ?? [])],
    };
  });
  expect(before).toEqual({
    errored: 1,
    cancelled: 0,
    trials: 4,
    rewarded: ["plain", "limited", "steps"],
    types: ["ApiError"],
  });
  expect(since).toEqual({
    errored: 2,
    cancelled: 1,
    trials: 1,
    rewarded: ["plain"],
    types: ["ApiError", "AgentTimeoutError", "CancelledError"],
  });
});
