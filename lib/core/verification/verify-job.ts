import { nameNewerHarbor } from "@/lib/core/domain/harbor-era";
import type { JobBundle, JobRecord } from "@/lib/core/domain/job";
import { listUnnamed } from "@/lib/core/domain/lost-work";
import { joinProviders } from "@/lib/core/domain/model-name";
import type { ScoredTrial } from "@/lib/core/domain/trial";
import { listExceptions } from "@/lib/core/domain/trial-failure";
import type { Figure, RecomputedGroup, VerificationReport } from "@/lib/core/domain/verification";
import { computeJobStats, type JobStats, type Summation } from "@/lib/core/scoring";

import { explainIncompleteGroup, explainIncompleteJob, sortJobTrials, type JobTrials } from "./completeness";
import { computeCounters, verifyGroupCounters, verifyJobCounters } from "./counter-figures";
import { findExpectedFigures, findLiveFigures } from "./expected-figures";
import {
  allowUnknownRules,
  countVerdicts,
  nameContradictions,
  nameUnnamed,
  summariseVerdict,
} from "./figure";
import { verifyGroupNumbers, type GroupContext, explainNoMetrics, type NoMetrics } from "./group-figures";
import { explainIneligible, isBuiltInMetric, resolveMetricTypes } from "./group-numbers";
import { chooseOrder } from "./group-order";
import type { TrialOrder } from "./order";
import { deriveOutcomes, verifyOutcome } from "./outcome-figure";
import { countRebuilt, verifyRetries } from "./retry-figure";
import { verifyRewardFiles } from "./reward-file-figures";
import { verifyNameLists } from "./stats-figures";
import { verifyTotals } from "./total-figures";
import { verifyValidity } from "./validity-figures";

/**
 * Recomputes every recorded figure of a job from its trials and compares it bit for bit.
 * @param summation - which Python's `sum` is expected to have written the figures
 * @returns figures of the job first, then of each group, recorded ones in their order first, then reward files in trial order
 * @remarks Group figures use the rewards in the trials' result.json, as Harbor's do; the reward files are compared with those.
 * Linear in the number of trials.
 */
export function verifyJob(
  bundle: JobBundle<ScoredTrial>,
  summation: Summation = "cpython-3.12",
): VerificationReport {
  const report = recompute(bundle, summation);
  const unnamed = listUnnamed(bundle.job, bundle.trials);
  if (unnamed.length === 0 || report.counts.mismatch < 2) return report;
  const left = new Set(unnamed);
  const trials = bundle.trials.filter((trial) => !left.has(trial));
  return {
    ...report,
    figures: nameUnnamed(report.figures, recompute({ ...bundle, trials }, summation), unnamed),
  };
}

function recompute(bundle: JobBundle<ScoredTrial>, summation: Summation): VerificationReport {
  const { job } = bundle;
  const trials = sortJobTrials(bundle);
  const rule = job.scoringRule;
  const stats = computeJobStats(listStatsTrials(trials.finished), ({ groupKey }) => groupKey, rule);
  const recorded = new Map(job.recorded?.groups.map((group) => [group.key, group]));
  const keys = [...new Set([...recorded.keys(), ...trials.ownByGroup.keys()])];
  const parts = keys.map((key) =>
    verifyGroup(job, trials, stats, { key, recorded: recorded.get(key) ?? null, summation }),
  );
  const newer = nameNewerHarbor(job.harborVersion, job.recorded);
  const rewardFigures = allowUnknownRules(
    [...verifyRewardFiles(trials.finished), ...verifyValidity(job, trials.finished)],
    newer,
  );
  const rewardsByGroup = Map.groupBy(rewardFigures, (figure) => figure.group);
  const isInterim = job.state === "running";
  const groups = parts.map(({ group, figures }) => ({
    ...group,
    verdict: summariseVerdict([...figures, ...(rewardsByGroup.get(group.key) ?? [])], isInterim),
  }));
  const counters = computeCounters(job, trials, stats);
  const incomplete = explainIncompleteJob(job, trials);
  const outcomes = deriveOutcomes(job, groups, counters, summation);
  const noMetrics = parts.flatMap((part) => part.noMetrics ?? []);
  const withMetrics = groups.filter((_, index) => parts[index]?.noMetrics === null);
  const rebuilt = new Map([...counters, ...countRebuilt(job, counters)]);
  const hasScripts = groups.some((group) => group.metrics.some((metric) => !isBuiltInMetric(metric.type)));
  const judged = [
    ...verifyOutcome(job, trials, outcomes, {
      incomplete,
      hasScripts,
      explained:
        noMetrics.length === 0
          ? null
          : { outcome: deriveOutcomes(job, withMetrics, rebuilt, summation).recomputed, noMetrics },
    }),
    ...verifyJobCounters(job, trials, counters, incomplete),
    ...verifyRetries(job, Math.max(trials.own.length, job.planned?.count ?? 0)),
    ...verifyTotals(job, trials, incomplete),
    ...parts.flatMap((part) => part.figures),
    ...rewardFigures,
  ];
  const figures = allowUnknownRules(nameContradictions(judged, trials.own), newer);
  return {
    verdict: summariseVerdict(figures, isInterim),
    counts: countVerdicts(figures),
    figures,
    groups,
    order: chooseCommonOrder(parts.map((part) => part.order)),
    outcome: { recorded: outcomes.recorded.line, recomputed: outcomes.recomputed.line },
    recomputedCounters: counters,
  };
}

/** Lazy: for a large job a list would take as much memory as its trials. */
function* listStatsTrials(finished: readonly ScoredTrial[]) {
  for (const trial of finished)
    yield {
      trialName: trial.trialName,
      agent: trial.agent,
      model: trial.model,
      source: trial.source,
      rewards: trial.rewards,
      exceptionType: trial.exception?.type ?? null,
      exceptions: listExceptions(trial),
      usage: null,
      groupKey: trial.groupKey,
    };
}

interface GroupPart {
  readonly group: Omit<RecomputedGroup, "verdict">;
  readonly figures: readonly Figure[];
  readonly order: TrialOrder;
  readonly noMetrics: NoMetrics | null;
}

function verifyGroup(
  job: JobRecord,
  trials: JobTrials,
  stats: JobStats,
  { key, recorded, summation }: Pick<GroupContext, "key" | "recorded" | "summation">,
): GroupPart {
  const members = trials.byGroup.get(key) ?? [];
  const incomplete = recorded === null ? null : explainIncompleteGroup(job, trials, recorded, members);
  const metricTypes = resolveMetricTypes(job, recorded, members, summation);
  const context: GroupContext = { job, key, recorded, members, incomplete, summation, metricTypes };
  const types = metricTypes.map(({ type }) => type);
  const chosen = chooseOrder(job, members, recorded, types, summation);
  const groupStats = stats.evals.get(key) ?? null;
  const numbers = verifyGroupNumbers(context, chosen);
  const { finishedByName } = trials;
  const findFigures = recorded === null ? findExpectedFigures : findLiveFigures;
  const isExpected = members.length > 0 && findFigures(job) !== null;
  const stated = recorded ?? (isExpected ? { ...NO_GROUP, key } : null);
  const counts =
    stated === null
      ? []
      : [
          ...verifyGroupCounters(job.scoringRule, stated, groupStats, members, incomplete, isExpected),
          ...verifyNameLists({
            ...{ job, key, recorded: stated, stats: groupStats },
            ...{ finishedByName, incomplete, isExpected },
          }),
        ];
  const group = {
    key,
    ...nameGroup(key, trials.ownByGroup.get(key)),
    trialKeys: chosen.trials.map((trial) => trial.key),
    metrics: chosen.numbers.metrics,
    passAtK: chosen.numbers.passAtK,
    passAtKIneligible: chosen.numbers.passAtK.size > 0 ? null : explainIneligible(members, job.scoringRule),
  };
  const noMetrics = explainNoMetrics(job, recorded, members);
  const figures = allowUnknownRules(
    [...numbers, ...counts],
    nameNewerHarbor(job.harborVersion, job.recorded),
  );
  return { group, figures, order: chosen.order, noMetrics };
}

const NO_GROUP = {
  nTrials: null,
  nErrors: null,
  metrics: [],
  passAtK: null,
  rewardStats: null,
  exceptionStats: null,
};

/** A group without trials keeps its whole key as its name, since a key cannot be split. */
function nameGroup(key: string, trials: readonly ScoredTrial[] = []) {
  const [first] = trials;
  if (first === undefined) return { agent: key, model: null, provider: null, source: null };
  const models = new Set(trials.flatMap(({ model }) => model ?? []));
  return {
    agent: first.agent,
    model: models.size === 0 ? null : [...models].join(", "),
    provider: joinProviders(trials),
    source: first.source,
  };
}

/** Returns the most common order of the groups; the first of equals. */
function chooseCommonOrder(orders: readonly TrialOrder[]): TrialOrder {
  const groups = [...Map.groupBy(orders, (order) => order)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? "directory";
}
