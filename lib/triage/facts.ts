import type { StepRecord, TrialException, TrialRecord } from "@/lib/domain/trial";
import { selectHeadlineReward } from "@/lib/domain/trial";
import { isRaisedInVerifier, selectFailure } from "@/lib/domain/trial-failure";

import type { Signal } from "./signals";

/**
 * What rules ask of a trial beside texts. Each is stated by its result or its files; one that is not known does not hold, and
 * neither does its opposite: `agent-ended` is not the opposite of `exception`.
 */
export const FACTS = [
  /** No result was written and its job is over. */
  "missing",
  /** There is a result that cannot be read. */
  "unreadable",
  /** Harbor recorded an exception, of the trial or of one of its steps. */
  "exception",
  /** Where it was raised: the last phase that had begun. None holds where no phase is recorded. */
  "in-environment",
  "in-setup",
  "in-agent",
  "in-verifier",
  /** The agent's phase has an end and nothing was raised. */
  "agent-ended",
  /** The verifier gave a reward, and the headline is 0 or less, or between 0 and 1. */
  "rewarded",
  "reward-zero",
  "reward-partial",
  /** The agent is Harbor's `oracle`, which runs the task's own solution, or `nop`, which does nothing. */
  "oracle",
  "nop",
  /** Reports of the verifier's tests say that some failed, or that some passed. */
  "tests-failed",
  "tests-passed",
  /** A log of the verifier ends with the summary of a test run, and says that tests failed. */
  "log-summary",
  "log-failure",
  /** Every failed test that a log of the verifier shows says that something was not there. */
  "answer-absent",
  /** `trial.log` says that the trial was cancelled while the verifier ran. */
  "verifier-cancelled",
  /** A log of the verifier ends with a traceback of the verifier itself. */
  "verifier-died",
  /** It ends with a traceback that the agent's files raised, or with a file of the answer that is not there. */
  "answer-raised",
  "answer-not-found",
  /** A trajectory was read that has steps of the agent, or that has none. */
  "has-steps",
  "no-agent-steps",
  /** The agent called a tool at least once; its last step did; its last step says something. */
  "has-calls",
  "ends-in-call",
  "has-end",
  /** No file of the trial was kept but its result and what was planned. */
  "result-only",
  /** There is a file for the agent's output, and nothing in it; a call of the agent names such a file. */
  "output-empty",
  "output-named",
] as const;

export type Fact = (typeof FACTS)[number];

/** What is known of a trial that did not pass. */
export interface FailureFacts {
  readonly facts: ReadonlySet<Fact>;
  readonly signals: readonly Signal[];
}

type Described = Pick<
  TrialRecord,
  "state" | "agent" | "rewards" | "exception" | "steps" | "phases" | "ledger"
>;

/** Returns the facts that a trial's result alone tells. */
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

function judgeReward(rewards: NonNullable<TrialRecord["rewards"]>): readonly Fact[] {
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
