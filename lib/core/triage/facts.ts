import type { StepRecord, TrialException, Trial } from "@/lib/core/domain/trial";
import { selectHeadlineReward } from "@/lib/core/domain/trial";
import { isRaisedInVerifier, selectFailure } from "@/lib/core/domain/trial-failure";

import type { Signal } from "./signals";

/**
 * Facts about a trial that rules can require, from its result or files. An unknown fact does not hold, and neither does its
 * opposite: `agent-ended` is not the opposite of `exception`.
 */
export const FACTS = [
  /** No result, and the job is over. */
  "missing",
  "unreadable",
  "exception",
  /** The last phase that had begun when the exception was raised. None holds if no phase is recorded. */
  "in-environment",
  "in-setup",
  "in-agent",
  "in-verifier",
  "agent-ended",
  /** The verifier gave a reward, and the headline is 0 or less, or between 0 and 1. */
  "rewarded",
  "reward-zero",
  "reward-partial",
  /** Harbor's `oracle` runs the task's own solution, `nop` does nothing. */
  "oracle",
  "nop",
  "tests-failed",
  "tests-passed",
  /** A verifier's log ends with the summary of a test run with failed tests. */
  "log-summary",
  "log-failure",
  /** Every failed test in a verifier's log reports something missing. */
  "answer-absent",
  /** `trial.log` reports a cancellation while the verifier ran. */
  "verifier-cancelled",
  "verifier-died",
  /** A verifier's log ends with a traceback from the agent's files, or with a missing file of the answer. */
  "answer-raised",
  "answer-not-found",
  "has-steps",
  "no-agent-steps",
  /** The agent called a tool at least once; its last step did; its last step has a message. */
  "has-calls",
  "ends-in-call",
  "has-end",
  /** Only the result and the plan were kept. */
  "result-only",
  /** A file for the agent's output exists and is empty; a call of the agent names such a file. */
  "output-empty",
  "output-named",
] as const;

export type Fact = (typeof FACTS)[number];

export interface FailureFacts {
  readonly facts: ReadonlySet<Fact>;
  readonly signals: readonly Signal[];
}

type Described = Pick<Trial, "state" | "agent" | "rewards" | "exception" | "steps" | "phases" | "ledger">;

export function listResultFacts(trial: Described): readonly Fact[] {
  const { state, agent, rewards } = trial;
  const facts: Fact[] = [];
  if (state === "missing" || state === "unreadable") facts.push(state);
  if (agent === "oracle" || agent === "nop") facts.push(agent);
  const failure = selectFailure(trial);
  if (failure !== null) facts.push("exception", ...locate(trial, failure.exception));
  else if (hasAgentEnded(trial)) facts.push("agent-ended");
  return rewards === null ? facts : [...facts, "rewarded", ...judgeReward(rewards)];
}

function judgeReward(rewards: NonNullable<Trial["rewards"]>): readonly Fact[] {
  const headline = selectHeadlineReward(rewards);
  const reward = headline === null ? Number.NaN : Number(headline.value);
  if (reward <= 0) return ["reward-zero"];
  return reward < 1 ? ["reward-partial"] : [];
}

/** A ledger's record has no phases; one that was evaluated and did not fail has ended. */
function hasAgentEnded({ phases, steps, ledger, rewards }: Described): boolean {
  return hasEnded(phases) || steps?.every(hasEnded) === true || (ledger !== null && rewards !== null);
}

function hasEnded({ agentExecution }: Pick<StepRecord, "agentExecution">): boolean {
  return (agentExecution?.finishedAt ?? null) !== null;
}

/** In a multi-step trial only its steps record when agent and verifier ran. */
function locate(
  { phases, steps, rewards }: Described,
  exception: Pick<TrialException, "occurredAt">,
): readonly Fact[] {
  const step = steps?.find((one) => one.exception === exception) ?? steps?.at(-1);
  const { agentExecution, verifier, hasVerifierResult } = step ?? {
    ...phases,
    hasVerifierResult: rewards !== null,
  };
  if (isRaisedInVerifier(exception, { verifier, hasVerifierResult })) return ["in-verifier"];
  if (agentExecution !== null) return ["in-agent"];
  if (phases.agentSetup !== null) return ["in-setup"];
  return phases.environmentSetup === null ? [] : ["in-environment"];
}
