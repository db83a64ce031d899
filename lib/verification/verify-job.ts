import type { JobBundle, JobRecord, RecordedGroup } from "@/lib/domain/job";
import type { TrialRecord } from "@/lib/domain/trial";
import type { Figure, RecomputedGroup, VerificationReport } from "@/lib/domain/verification";
import { computeJobStats } from "@/lib/scoring";
import type { EvalsGroup, EvalsStats, JobStats, Summation } from "@/lib/scoring";

import { explainIncompleteGroup, explainIncompleteJob } from "./completeness";
import { computeCounters, verifyGroupCounters, verifyJobCounters } from "./counter-figures";
import { resolveMetricTypes, verifyGroupNumbers, type GroupContext } from "./group-figures";
import { explainIneligible, isBuiltInMetric } from "./group-numbers";
import { chooseOrder } from "./group-order";
import { sortJobTrials, type JobTrials } from "./job-trials";
import type { TrialOrder } from "./order";
import { deriveOutcomes, verifyOutcome } from "./outcome-figure";
import { verifyRewardFiles } from "./reward-file-figures";
import { countVerdicts, summariseSeal } from "./seal";
import { verifyNameLists } from "./stats-figures";

/** How to verify. */
export interface VerifyOptions {
  /** Which Python's `sum` is expected to have written the figures; default `cpython-3.12`. */
  readonly summation?: Summation;
}

/**
 * Recomputes every recorded figure of a job from its trials and compares it bit for bit.
 *
 * @returns figures of the job first, then of each group, then reward files in trial order. The groups are the recorded ones
 *   in recorded order, then those that only the trials here make up, unfinished ones included.
 * @remarks Group figures come from the rewards in the trials' result.json, as Harbor's do; the reward files are compared
 *   with those. `n_retries` is left out: Harbor deletes the folder of a retried attempt. Linear in the number of trials,
 *   a few times over when an order of operands has to be searched.
 */
export function verifyJob(bundle: JobBundle, options: VerifyOptions = {}): VerificationReport {
  const { job } = bundle;
  const summation = options.summation ?? "cpython-3.12";
  const trials = sortJobTrials(bundle);
  const stats = computeStats(trials.finished);
  const parts = listGroupKeys(job, trials).map((key) => verifyGroup(job, trials, stats, key, summation));
  const rewardFigures = verifyRewardFiles(trials.finished);
  const rewardsByGroup = Map.groupBy(rewardFigures, (figure) => figure.group);
  const isInterim = job.state === "running";
  const groups = parts.map(({ group, figures }) => {
    return {
      ...group,
      seal: summariseSeal([...figures, ...(rewardsByGroup.get(group.key) ?? [])], isInterim),
    };
  });
  const counters = computeCounters(job, trials, stats);
  const incomplete = explainIncompleteJob(job, trials);
  const outcomes = deriveOutcomes(job, groups, counters, summation);
  const hasScripts = groups.some((group) => group.metrics.some((metric) => !isBuiltInMetric(metric.type)));
  const figures = [
    ...verifyOutcome(job, trials, outcomes, incomplete, hasScripts),
    ...verifyJobCounters(job, trials, counters, incomplete),
    ...parts.flatMap((part) => part.figures),
    ...rewardFigures,
  ];
  return {
    seal: summariseSeal(figures, isInterim),
    counts: countVerdicts(figures),
    figures,
    groups,
    order: chooseCommonOrder(parts.map((part) => part.order)),
    outcome: { recorded: outcomes.recorded.line, recomputed: outcomes.recomputed.line },
    recomputedCounters: counters,
  };
}

function computeStats(finished: readonly TrialRecord[]): JobStats {
  return computeJobStats(
    finished.map((trial) => ({
      trialName: trial.trialName,
      agent: trial.agent,
      model: trial.model,
      source: trial.source,
      rewards: trial.rewards,
      exceptionType: trial.exception?.type ?? null,
      usage: null,
    })),
  );
}

function listGroupKeys(job: JobRecord, trials: JobTrials): string[] {
  const recorded = (job.recorded?.groups ?? []).map((group) => group.key);
  return [...new Set([...recorded, ...trials.ownByGroup.keys()])];
}

/** A group, its figures but for the reward files, and the order its operands were found in. */
interface GroupPart {
  readonly group: Omit<RecomputedGroup, "seal">;
  readonly figures: readonly Figure[];
  readonly order: TrialOrder;
}

function verifyGroup(
  job: JobRecord,
  trials: JobTrials,
  stats: JobStats,
  key: string,
  summation: Summation,
): GroupPart {
  const recorded = job.recorded?.groups.find((group) => group.key === key) ?? null;
  const members = trials.byGroup.get(key) ?? [];
  const incomplete = recorded === null ? null : explainIncompleteGroup(job, trials, recorded, members);
  const context: GroupContext = { job, key, recorded, members, incomplete, summation };
  const chosen = chooseOrder(job, members, recorded, resolveMetricTypes(job, recorded), summation);
  const groupStats = stats.evals.get(key) ?? null;
  const numbers = verifyGroupNumbers(context, chosen);
  const counts =
    recorded === null
      ? []
      : [
          ...verifyGroupCounters(recorded, groupStats, members, incomplete),
          ...verifyLists(context, recorded, trials, groupStats),
        ];
  const group = {
    key,
    ...nameGroup(key, trials.ownByGroup.get(key)?.[0]),
    trialKeys: chosen.trials.map((trial) => trial.key),
    metrics: chosen.numbers.metrics,
    passAtK: chosen.numbers.passAtK,
    passAtKIneligible: chosen.numbers.passAtK.size > 0 ? null : explainIneligible(members),
  };
  return { group, figures: [...numbers, ...counts], order: chosen.order };
}

/** A group without trials keeps its whole key for a name, since a key can never be taken apart. */
function nameGroup(key: string, trial: TrialRecord | undefined): EvalsGroup {
  return trial === undefined ? { agent: key, model: null, source: null } : pickGroup(trial);
}

function pickGroup({ agent, model, source }: TrialRecord): EvalsGroup {
  return { agent, model, source };
}

function verifyLists(
  { job, key, incomplete }: GroupContext,
  recorded: RecordedGroup,
  { finishedByName }: JobTrials,
  stats: EvalsStats | null,
): Figure[] {
  return verifyNameLists({ job, key, recorded, stats, finishedByName, incomplete });
}

/** The order that most groups were found in; the first of equals. */
function chooseCommonOrder(orders: readonly TrialOrder[]): TrialOrder {
  const counts = new Map<TrialOrder, number>();
  for (const order of orders) counts.set(order, (counts.get(order) ?? 0) + 1);
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  return best?.[0] ?? "directory";
}
