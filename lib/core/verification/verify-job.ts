import { nameNewerHarbor } from "@/lib/core/domain/harbor-era";
import type { JobBundle, JobRecord } from "@/lib/core/domain/job";
import { listUnnamed } from "@/lib/core/domain/lost-work";
import { joinProviders } from "@/lib/core/domain/model-name";
import type { Trial } from "@/lib/core/domain/trial";
import { listExceptions } from "@/lib/core/domain/trial-failure";
import type {
  Figure,
  RecomputedGroup,
  VerificationReport,
  HarborRule,
  Verdict,
} from "@/lib/core/domain/verification";
import {
  computeJobStats,
  type JobStats,
  type Summation,
  deriveOutcome,
  deriveOutcomeFromStats,
  type Outcome,
} from "@/lib/core/scoring";

import { compareNumbers } from "./compare-numbers";
import { explainIncompleteGroup, explainIncompleteJob, sortJobTrials, type JobTrials } from "./completeness";
import { computeCounters, verifyGroupCounters, verifyJobCounters } from "./counter-figures";
import { findExpectedFigures, findLiveFigures } from "./expected-figures";
import {
  allowUnknownRules,
  countVerdicts,
  nameContradictions,
  nameUnnamed,
  summariseVerdict,
  makeSubject,
} from "./figure";
import { verifyGroupNumbers, type GroupContext, explainNoMetrics, type NoMetrics } from "./group-figures";
import { chooseOrder, explainIneligible, isBuiltInMetric, resolveMetricTypes } from "./group-numbers";
import type { TrialOrder } from "./order";
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
export function verifyJob(bundle: JobBundle, summation: Summation = "cpython-3.12"): VerificationReport {
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

function recompute(bundle: JobBundle, summation: Summation): VerificationReport {
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
    ...verifyOutcome(
      job,
      trials,
      outcomes,
      hasScripts ? SCRIPT_REASON : incomplete,
      noMetrics,
      () => deriveOutcomes(job, withMetrics, rebuilt, summation).recomputed,
    ),
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
  };
}

/** Lazy: for a large job a list would take as much memory as its trials. */
function* listStatsTrials(finished: readonly Trial[]) {
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

function verifyGroup(
  job: JobRecord,
  trials: JobTrials,
  stats: JobStats,
  { key, recorded, summation }: Pick<GroupContext, "key" | "recorded" | "summation">,
) {
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
function nameGroup(key: string, trials: readonly Trial[] = []) {
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

/**
 * Derives the outcome of a job from result.json, and from the trials alone. Groups of the trials are in recorded order, then
 * unrecorded ones.
 */
function deriveOutcomes(
  job: JobRecord,
  groups: readonly RecomputedGroup[],
  counters: ReadonlyMap<string, bigint>,
  summation: Summation,
) {
  const stats = {
    nTotalTrials: counters.get("n_total_trials") ?? 0n,
    nCompletedTrials: counters.get("n_completed_trials") ?? 0n,
    nErroredTrials: counters.get("n_errored_trials") ?? 0n,
    metrics: groups.flatMap((group) => group.metrics.flatMap((metric) => metric.value ?? [])),
  };
  return {
    recorded: deriveOutcome(job.resultBytes, summation),
    recomputed: deriveOutcomeFromStats(stats, summation),
  };
}

/**
 * Compares the two outcome lines as a figure; none for trials without a job and for ledgers.
 * @param deriveWithout - gives the outcome without the groups whose metrics Harbor omitted
 */
function verifyOutcome(
  job: JobRecord,
  trials: JobTrials,
  { recorded, recomputed }: ReturnType<typeof deriveOutcomes>,
  incomplete: string | null,
  [noMetrics]: readonly NoMetrics[],
  deriveWithout: () => Outcome,
): Figure[] {
  if (job.kind !== "harbor") return [];
  const subject = makeSubject("outcome", "outcome", null, trials.finished);
  const build = (
    verdict: Verdict,
    reason: string | null,
    { ulps = null, rule = null }: { ulps?: number | null; rule?: HarborRule | null } = {},
  ): Figure => ({
    ...subject,
    recorded: recorded.reasonCode === null ? recorded.line : null,
    recomputed: recomputed.line,
    verdict,
    ulps,
    reason,
    rule,
  });
  const open = explainOpen(job, recorded);
  if (open !== null) return [build(...open)];
  if (recorded.line === recomputed.line) return [build("exact", null)];
  if (noMetrics !== undefined && deriveWithout().line === recorded.line) {
    const { rule, reason } = noMetrics;
    const verdict = rule === null ? "not-recorded" : "explained";
    return [build(verdict, `The score lacks groups without metrics. ${reason}`, { rule })];
  }
  if (incomplete !== null) return [build("incomplete", incomplete)];
  if (isOlderSpelling(job, recorded, recomputed)) {
    return [build("explained", OLDER_REASON, { rule: "older-names" })];
  }
  const { verdict, ulps } = compareNumbers(recorded.score, recomputed.score);
  if (verdict === "ulp" && agreesButScore(recorded, recomputed)) {
    return [build("ulp", "The score is equal up to rounding.", { ulps })];
  }
  return [build("mismatch", explainDifference(recorded, recomputed))];
}

const SCRIPT_REASON = "The score comes from a dataset script, which Assay never runs.";
const OLDER_REASON =
  "An older Harbor used another name for the error count, so the outcome line misses the errored trials.";

function explainOpen(job: JobRecord, { reasonCode }: Outcome): [Verdict, string] | null {
  if (reasonCode !== null && job.lostResult !== null) return ["incomplete", job.lostResult];
  if (reasonCode !== null) {
    const isMissing = reasonCode === "harbor_result_missing";
    const why = isMissing ? "There is no result.json" : "result.json is malformed";
    return ["not-recorded", `${why}, so it gives no outcome.`];
  }
  if (job.recorded?.schemaVersion !== "unreadable") return null;
  return ["unknown-rule", "Unknown rule (schema_version in result.json cannot be read)."];
}

function agreesButScore(a: Outcome, b: Outcome): boolean {
  return a.status === b.status && a.resolved === b.resolved && a.total === b.total;
}

/** Older files spell the counters `n_trials` and `n_errors`, which the reader of outcomes takes for 0. */
function isOlderSpelling(job: JobRecord, recorded: Outcome, recomputed: Outcome): boolean {
  const nErrored = job.recorded?.counters.get("n_errored_trials") ?? 0n;
  const isStatusAlone = agreesButScore({ ...recorded, status: recomputed.status }, recomputed);
  return (
    nErrored > 0n &&
    recorded.status === "completed" &&
    isStatusAlone &&
    Object.is(recorded.score, recomputed.score)
  );
}

function explainDifference(recorded: Outcome, recomputed: Outcome): string {
  const differing = (["status", "score", "resolved", "total"] as const).filter(
    (field) => !Object.is(recorded[field], recomputed[field]),
  );
  const parts = differing.map((field) => `${field} ${recomputed[field]} instead of ${recorded[field]}`);
  return `The trials here give ${parts.join(", ")}.`;
}
