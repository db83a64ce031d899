import { expect, it } from "vitest";

import type { ClockTime } from "./clock-time";
import { NO_POLICY, type StepRecord, type TrialException } from "./trial";
import { selectFailure } from "./trial-failure";

const at = (text: string): ClockTime => ({ text, epochMs: Date.parse(text), zoned: true });

function raise(type: string, occurredAt: ClockTime | null = null): TrialException {
  return { type, message: "", traceback: null, occurredAt, ...NO_POLICY };
}

function step(stepName: string, over: Partial<StepRecord> = {}): StepRecord {
  return {
    stepName,
    hasVerifierResult: true,
    rewards: new Map([["reward", 1n]]),
    rewardFile: { kind: "absent" },
    otherRewardFile: null,
    exception: null,
    agentExecution: null,
    verifier: null,
    tokens: { inputTokens: null, cacheTokens: null, outputTokens: null, costUsd: null },
    ...over,
  };
}

it("a trial's own exception is its failure, not those of its steps", () => {
  const steps = [step("build", { exception: raise("AgentTimeoutError") })];
  expect(selectFailure({ exception: raise("CancelledError"), steps })).toMatchObject({
    exception: { type: "CancelledError" },
    stepName: null,
    cause: "cancelled",
  });
});

it("of several failed steps, the one that ended the trial represents it", () => {
  const steps = [
    step("plan", { exception: raise("AgentTimeoutError") }),
    step("build", { exception: raise("HealthcheckError"), hasVerifierResult: false, rewards: null }),
  ];
  expect(selectFailure({ exception: null, steps })).toMatchObject({
    stepName: "build",
    cause: "infrastructure",
  });
  expect(selectFailure({ exception: null, steps: steps.slice(0, 1) })).toMatchObject({ stepName: "plan" });
});

it("no exception anywhere is no failure", () => {
  expect(selectFailure({ exception: null, steps: [step("plan")] })).toBeNull();
  expect(selectFailure({ exception: null, steps: null })).toBeNull();
});

it("a step's plain TimeoutError is the verifier's when its verifier had started and left no result", () => {
  const verifier = { startedAt: at("2026-05-01T10:00:00Z"), finishedAt: at("2026-05-01T10:10:00Z") };
  const timeout = raise("TimeoutError", at("2026-05-01T10:10:00Z"));
  const open = { hasVerifierResult: false, rewards: null };
  const causeOf = (over: Partial<StepRecord>) =>
    selectFailure({ exception: null, steps: [step("check", { ...open, exception: timeout, ...over })] })
      ?.cause;
  expect(causeOf({ verifier })).toBe("verifier");
  expect(causeOf({ verifier: null })).toBe("other");
  // The agent raised it before the verifier began.
  expect(causeOf({ verifier, exception: raise("TimeoutError", at("2026-05-01T09:59:00Z")) })).toBe("other");
});
