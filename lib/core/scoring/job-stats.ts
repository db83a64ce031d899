import { isRewardValid, type RecordedException, type ScoringRule } from "./error-policy";
import { evalsKey, type EvalsGroup } from "./evals-key";
import { pythonRepr } from "./python/repr";
import { compareCodePoints } from "./python/value";
import type { PyNumber } from "./python/value";

/** Null where the agent did not report the figure. */
export interface AgentUsage {
  /** Includes cached ones. */
  readonly inputTokens: number | null;
  readonly cacheTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

export interface JobStatsTrial extends EvalsGroup {
  readonly trialName: string;
  /** Null when the trial has no verifier result, or one without rewards. */
  readonly rewards: ReadonlyMap<string, PyNumber> | null;
  readonly exceptionType: string | null;
  /** Every recorded exception, the trial's before its steps'; used since Harbor 0.26. Default: the trial's alone. */
  readonly exceptions?: readonly RecordedException[];
  /** Usage on the trial itself; null for multi-step trials, which record it per step. */
  readonly usage: AgentUsage | null;
  /** Used only when `usage` is null. */
  readonly stepUsages?: readonly (AgentUsage | null)[];
}

export interface EvalsStats {
  /** Trials that have rewards; since 0.26 valid ones. */
  readonly nTrials: number;
  /** Trials that have an exception, since 0.26 on any step too. A trial can count in both. */
  readonly nErrors: number;
  /** Reward key -> value as Python writes it -> names of the trials, all in trial order. */
  readonly rewardStats: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Exception class -> names of the trials, in trial order. */
  readonly exceptionStats: ReadonlyMap<string, readonly string[]>;
}

export interface JobStats extends AgentUsage {
  /** Trials that have a result, errored ones included. */
  readonly nCompletedTrials: number;
  readonly nErroredTrials: number;
  /** Trials ended by CancelledError; also counted as errored. */
  readonly nCancelledTrials: number;
  /** Evals key -> statistics, in first-seen order. */
  readonly evals: ReadonlyMap<string, EvalsStats>;
}

const CANCELLED = "CancelledError";

const USAGE_FIELDS = ["inputTokens", "cacheTokens", "outputTokens", "costUsd"] as const;

type MutableUsage = { -readonly [Field in keyof AgentUsage]: AgentUsage[Field] };

/**
 * Computes a job's counters, groups and totals from its trials with a result, in trial order, as Harbor does.
 * @param keyOf - how this Harbor spelled evals keys
 * @param rule - which rewards and exceptions count
 * @returns a total is null when no trial reports it, else a plain left-to-right sum
 * @remarks Values that Python considers equal (1, 1.0, True) share one entry, named after the first. NaN equals nothing, so Harbor
 * writes the key `nan` once per trial; here its trials share one entry.
 * @see harbor 0.13.1 and 0.26.0 src/harbor/models/job/result.py, `JobStats.from_trial_results`
 */
export function computeJobStats<Trial extends JobStatsTrial>(
  trials: Iterable<Trial>,
  keyOf: (trial: Trial) => string = evalsKey,
  rule: ScoringRule = "harbor-0.25",
): JobStats {
  const evals = new Map<string, EvalsCounter>();
  const totals = emptyUsage();
  let nCompletedTrials = 0;
  let nErroredTrials = 0;
  let nCancelledTrials = 0;
  for (const trial of trials) {
    nCompletedTrials++;
    const key = keyOf(trial);
    const counter = evals.get(key) ?? new EvalsCounter();
    evals.set(key, counter);
    const exceptionTypes = listExceptionTypes(trial, rule);
    counter.add(trial, rule, exceptionTypes);
    if (exceptionTypes.length > 0) nErroredTrials++;
    if (exceptionTypes.includes(CANCELLED)) nCancelledTrials++;
    addUsage(totals, computeTrialUsage(trial));
  }
  return { nCompletedTrials, nErroredTrials, nCancelledTrials, evals, ...totals };
}

/** Returns the exception types that count for a trial, each once. */
function listExceptionTypes(trial: JobStatsTrial, rule: ScoringRule): string[] {
  const types = listExceptions(trial, rule).map(({ type }) => type);
  return [...new Set(types)].sort(compareCodePoints);
}

function listExceptions(
  { exceptionType, exceptions }: JobStatsTrial,
  rule: ScoringRule,
): readonly RecordedException[] {
  if (rule === "harbor-0.26" && exceptions !== undefined) return exceptions;
  return exceptionType === null ? [] : [{ type: exceptionType }];
}

/** Returns the rewards that count in the figures of the trial's group; null for none. */
function selectCounted(trial: JobStatsTrial, rule: ScoringRule): JobStatsTrial["rewards"] {
  const { rewards } = trial;
  return rule === "harbor-0.25" || isRewardValid(rewards, listExceptions(trial, rule)) ? rewards : null;
}

/**
 * Returns tokens and cost of one trial: its own, else the sum over its steps; null for a figure that neither reports.
 * @see harbor 0.13.1 src/harbor/models/trial/result.py, `compute_token_cost_totals`
 */
export function computeTrialUsage(trial: Pick<JobStatsTrial, "usage" | "stepUsages">): AgentUsage {
  const totals = emptyUsage();
  for (const usage of trial.usage === null ? (trial.stepUsages ?? []) : [trial.usage]) {
    if (usage !== null) addUsage(totals, usage);
  }
  return totals;
}

function emptyUsage(): MutableUsage {
  return { inputTokens: null, cacheTokens: null, outputTokens: null, costUsd: null };
}

function addUsage(totals: MutableUsage, usage: AgentUsage): void {
  for (const field of USAGE_FIELDS) {
    const value = usage[field];
    // Starting at 0 turns a lone negative zero positive, like Harbor's `(total or 0) + value`.
    if (value !== null) totals[field] = (totals[field] ?? 0) + value;
  }
}

class EvalsCounter implements EvalsStats {
  nTrials = 0;
  nErrors = 0;
  readonly rewardStats = new Map<string, Map<string, string[]>>();
  readonly exceptionStats = new Map<string, string[]>();

  /** Per reward key: entry name by what Python's dict considers equal. */
  private readonly names = new Map<string, Map<string, string>>();

  add(trial: JobStatsTrial, rule: ScoringRule, exceptionTypes: readonly string[]): void {
    const rewards = selectCounted(trial, rule);
    if (rewards !== null) {
      this.nTrials++;
      for (const [key, value] of rewards) this.addReward(key, value, trial.trialName);
    }
    if (exceptionTypes.length > 0) this.nErrors++;
    for (const type of exceptionTypes) append(this.exceptionStats, type, trial.trialName);
  }

  private addReward(key: string, value: PyNumber, trialName: string): void {
    const byValue = this.rewardStats.get(key) ?? new Map<string, string[]>();
    const names = this.names.get(key) ?? new Map<string, string>();
    this.rewardStats.set(key, byValue);
    this.names.set(key, names);
    const identity = identify(value);
    const name = names.get(identity) ?? pythonRepr(value);
    names.set(identity, name);
    append(byValue, name, trialName);
  }
}

function append(lists: Map<string, string[]>, key: string, item: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Returns the same text for numbers of any type that Python considers equal. */
function identify(value: PyNumber): string {
  if (typeof value !== "number") return String(BigInt(value));
  return Number.isInteger(value) ? String(BigInt(value)) : pythonRepr(value);
}
