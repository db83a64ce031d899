import { REMEDY_OF, type TaskProblem, type TaskRemedy } from "@/lib/core/domain/task-health";
import {
  computeDistribution,
  computePairConsistency,
  type ItemRest,
  type RateInterval,
  type Unavailable,
} from "@/lib/core/stats";
import { namePlace, type DatasetTrial, type TrialDoubt } from "@/lib/store/tables";

import { computeRate, findReference, hasEnded, isOfVersion, nameAgent, type Reference } from "./counted";

export type EvidenceTrial = Pick<
  DatasetTrial,
  "jobKey" | "key" | "attempt" | "agent" | "outcome" | "exceptionType"
>;

export interface Evidence {
  readonly problem: TaskProblem;
  /** Cases that show it, and cases that could. */
  readonly n: number;
  readonly of: number;
  /** The first trials that show it; empty if all attempts do. */
  readonly trials: readonly EvidenceTrial[];
  readonly exceptions: readonly string[];
  /** Flaky: chance that two attempts end alike. Costly: median in US dollars. Crashes: how many of `n` have a reward. Else null. */
  readonly value: number | null;
  /** Flaky only: true if cases are runs with several attempts, else agents with several runs. */
  readonly isOfRuns?: boolean;
}

export type TaskHealth = ReturnType<typeof findProblems>;

interface TaskFacts {
  readonly taskName: string;
  readonly trials: readonly DatasetTrial[];
  readonly version: string | null;
  readonly doubts: readonly TrialDoubt[];
  readonly itemRest: ItemRest;
}

const MAX_MARKS = 10;
/** With fewer runs, a correlation says too little to list a task. */
export const LEAST_RUNS = 10;
/** Lower correlations with the other tasks are listed. */
const LOW_ITEM_REST = 0.1;
/** Lower chances that two attempts end alike are listed. A coin toss gives 0.5. */
const LOW_CONSISTENCY = 0.6;
const LEAST_REPEATED = 5;
/** A weaker correlation of results with run scores may be chance. */
const UNRELATED = 0.3;
/** Minimum share of attempts with a crashed verifier. Fewer are no sign of a task problem. */
const LEAST_CRASHES = 0.05;
/** Minimum ratio to the median task cost, in addition to the fence. */
const LEAST_COST_RATIO = 2;

/** @param costs - median of all tasks and the lower limit of high costs; null if unknown */
export function findProblems(
  facts: TaskFacts,
  costs: { readonly median: number; readonly fence: number } | null,
) {
  const { trials, version, itemRest } = facts;
  const own = trials.filter((trial) => isOfVersion(trial, version));
  const solvers = own.filter((trial) => findReference(trial.agent) === null && hasEnded(trial));
  const of = (reference: Reference) => listReferenceRuns(own, reference);
  const rate = computeRate(solvers);
  const cost = findMedianCost(solvers);
  const shared = findShared(facts.doubts, new Set(own.map(namePlace)));
  const evidence = [
    findReferenceRuns("failed-by-oracle", of("oracle"), (hasPassed) => !hasPassed),
    findReferenceRuns("solved-by-nop", of("nop"), (hasPassed) => hasPassed),
    findNondeterminism(shared, own),
    findCrashes(own, facts.doubts),
    findLowItemRest(itemRest),
    findTimeouts(solvers),
    findFlaky(solvers, itemRest),
    findCost(cost, costs, solvers.length),
    findSameResult(rate),
  ].filter((found) => found !== null);
  const [worst] = evidence;
  const remedy: TaskRemedy | null = worst === undefined ? null : REMEDY_OF[worst.problem];
  return {
    taskName: facts.taskName,
    version,
    /** At the counted version, without `oracle` and `nop`. */
    rate,
    itemRest,
    /** Median in US dollars over its ended attempts; null if none reports one. */
    medianCostUsd: cost,
    nOtherVersion: trials.length - own.length,
    evidence,
    remedy,
    /** True if such an agent ran, so that the absence of the problem is known. */
    hasOracle: of("oracle").length > 0,
    hasNop: of("nop").length > 0,
    /** True if two trials left the same output, so that verifier differences could show. */
    hasSharedOutput: shared.length > 0,
  };
}

/** Returns the median cost in US dollars; null if no attempt reports one. */
function findMedianCost(trials: readonly DatasetTrial[]): number | null {
  const cost = computeDistribution(trials.map(({ costUsd }) => costUsd));
  return cost.kind === "computed" ? cost.median : null;
}

/** Uses attempts at the counted version by agents that count. */
export function findTaskCost({ trials, version }: Pick<TaskFacts, "trials" | "version">): number | null {
  return findMedianCost(
    trials.filter(
      (trial) => isOfVersion(trial, version) && findReference(trial.agent) === null && hasEnded(trial),
    ),
  );
}

/** Lists `oracle` or `nop` attempts that are evidence about the task. @param own - attempts at the counted version */
export function listReferenceRuns(
  own: readonly DatasetTrial[],
  reference: Reference,
): readonly DatasetTrial[] {
  return own.filter((trial) => findReference(trial.agent) === reference && hasVerdict(trial));
}

/** True if an attempt is evidence about the verifier or the time limit. An error of the machine is not. */
function hasVerdict({ outcome }: DatasetTrial): boolean {
  return outcome === "passed" || outcome === "partial" || outcome === "failed" || outcome === "timeout";
}

function show(
  problem: TaskProblem,
  found: readonly DatasetTrial[],
  of: number,
  value: number | null = null,
): Evidence {
  return {
    problem,
    n: found.length,
    of,
    trials: found.slice(0, MAX_MARKS).map(pickEvidence),
    exceptions: listVerifierExceptions(found).slice(0, 3),
    value,
  };
}

/** Other exceptions, such as an agent's timeout, are no evidence about a verifier. */
function listVerifierExceptions(trials: readonly DatasetTrial[]): readonly string[] {
  const own = trials.filter(({ exceptionCause }) => exceptionCause === "verifier");
  return [...new Set(own.flatMap(({ exceptionType }) => exceptionType ?? []))];
}

function pickEvidence(trial: DatasetTrial): EvidenceTrial {
  const { jobKey, key, attempt, agent, outcome, exceptionType } = trial;
  return { jobKey, key, attempt, agent, outcome, exceptionType };
}

function findReferenceRuns(
  problem: TaskProblem,
  runs: readonly DatasetTrial[],
  isFound: (hasPassed: boolean) => boolean,
): Evidence | null {
  const found = runs.filter(({ outcome }) => isFound(outcome === "passed"));
  return found.length === 0 ? null : show(problem, found, runs.length);
}

/** Evidence in figures alone, over all attempts or runs. */
function measure(problem: TaskProblem, n: number, of: number, value: number | null): Evidence {
  return { problem, n, of, trials: [], exceptions: [], value };
}

function findShared(doubts: readonly TrialDoubt[], own: ReadonlySet<string>) {
  const compared = doubts.filter(({ compareKey }) => compareKey !== null);
  return [...Map.groupBy(compared, ({ compareKey }) => compareKey).values()].filter(
    (same) => same.length > 1 && same.some((doubt) => own.has(namePlace(doubt))),
  );
}

function findNondeterminism(
  shared: readonly (readonly TrialDoubt[])[],
  own: readonly DatasetTrial[],
): Evidence | null {
  const differing = shared.filter((same) => new Set(same.map(({ rewardsKey }) => rewardsKey)).size > 1);
  const [most] = differing.toSorted((a, b) => b.length - a.length);
  if (most === undefined) return null;
  const places = new Set(most.map(namePlace));
  const trials = own.filter((trial) => places.has(namePlace(trial)));
  const passed = trials.filter(({ outcome }) => outcome === "passed");
  const ordered = [...passed, ...trials.filter(({ outcome }) => outcome !== "passed")];
  return { ...show("nondeterministic", ordered, most.length), n: passed.length };
}

function findCrashes(own: readonly DatasetTrial[], doubts: readonly TrialDoubt[]): Evidence | null {
  const suspects = new Set(doubts.filter(({ hasTraceback }) => hasTraceback).map(namePlace));
  const ended = own.filter(hasEnded);
  const crashed = ended.filter(
    (trial) => trial.exceptionCause === "verifier" || suspects.has(namePlace(trial)),
  );
  const isSign = crashed.length > 0 && crashed.length >= ended.length * LEAST_CRASHES;
  const nRewarded = crashed.filter(({ reward }) => reward !== null).length;
  return isSign ? show("verifier-crashes", crashed, ended.length, nRewarded) : null;
}

function findLowItemRest({ r, n }: ItemRest): Evidence | null {
  if (r === null || n < LEAST_RUNS || r >= LOW_ITEM_REST) return null;
  return measure("low-item-rest", n, n, r);
}

function findTimeouts(solvers: readonly DatasetTrial[]): Evidence | null {
  const areAll = solvers.length > 1 && solvers.every(({ outcome }) => outcome === "timeout");
  return areAll ? { ...show("timeouts-only", solvers, solvers.length), trials: [] } : null;
}

/**
 * Attempts of one run have the same settings, so differences among them are chance. Without such runs, runs of one agent count
 * instead, unless their results follow their scores elsewhere: the agent may have changed between them.
 */
function findFlaky(solvers: readonly DatasetTrial[], { r }: ItemRest): Evidence | null {
  const byRun = countRows(solvers, ({ jobRowId, groupKey }) => `${jobRowId} ${groupKey}`);
  const isOfRuns = byRun.length > 0;
  if (!isOfRuns && (r === null || Math.abs(r) >= UNRELATED)) return null;
  const rows = isOfRuns ? byRun : countRows(solvers, nameAgent);
  const consistency = computePairConsistency(rows);
  const nRepeated = rows.reduce((sum, { n }) => sum + n, 0);
  if (consistency === null || nRepeated < LEAST_REPEATED || consistency.value >= LOW_CONSISTENCY) return null;
  const sometimes = rows.filter(({ n, c }) => c > 0 && c < n).length;
  return { ...measure("flaky", sometimes, rows.length, consistency.value), isOfRuns };
}

/** Counts attempts and passes of each name with several attempts. */
function countRows(solvers: readonly DatasetTrial[], nameOf: (trial: DatasetTrial) => string) {
  return Array.from(Map.groupBy(solvers, nameOf).values(), (own) => ({
    n: own.length,
    c: own.filter(({ outcome }) => outcome === "passed").length,
  })).filter(({ n }) => n > 1);
}

function findCost(
  cost: number | null,
  costs: { readonly median: number; readonly fence: number } | null,
  of: number,
): Evidence | null {
  if (cost === null || costs === null) return null;
  if (cost <= costs.fence || cost < costs.median * LEAST_COST_RATIO) return null;
  return measure("costly", of, of, cost);
}

function findSameResult(rate: RateInterval | Unavailable): Evidence | null {
  if (rate.kind === "unavailable" || (rate.rate > 0 && rate.rate < 1)) return null;
  return measure(rate.rate === 0 ? "never-solved" : "always-solved", rate.count, rate.n, null);
}
