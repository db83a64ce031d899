import type { StepRecord, TrialRecord } from "@/lib/domain/trial";
import { selectHeadlineReward } from "@/lib/domain/trial";
import { selectFailure } from "@/lib/domain/trial-failure";

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

/** One of {@link FACTS}. */
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
  const { state, agent, rewards, phases } = trial;
  const facts: Fact[] = [];
  if (state === "missing" || state === "unreadable") facts.push(state);
  if (agent === "oracle" || agent === "nop") facts.push(agent);
  if (selectFailure(trial) !== null) facts.push("exception", ...locate(phases, rewards !== null));
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

/** An agent's exception is verified all the same; one of the verifier leaves no reward. */
function locate(phases: TrialRecord["phases"], isRewarded: boolean): readonly Fact[] {
  if (phases.verifier !== null && !isRewarded) return ["in-verifier"];
  if (phases.agentExecution !== null) return ["in-agent"];
  if (phases.agentSetup !== null) return ["in-setup"];
  return phases.environmentSetup === null ? [] : ["in-environment"];
}
