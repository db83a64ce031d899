import type { JobRecord, RecordedGroup } from "@/lib/core/domain/job";
import type { Trial } from "@/lib/core/domain/trial";
import type { Figure, HarborRule } from "@/lib/core/domain/verification";
import { ADHOC_DATASET, type Summation } from "@/lib/core/scoring";

import { countTrials } from "./completeness";
import { findExpectedFigures, judgeMissing } from "./expected-figures";
import { buildFigure, type FigureSubject, judgeNumber } from "./figure";
import {
  type ChosenOrder,
  isBuiltInMetric,
  type MetricType,
  type NumberPair,
  pairNumbers,
} from "./group-numbers";

export interface GroupContext {
  readonly job: JobRecord;
  readonly key: string;
  readonly recorded: RecordedGroup | null;
  readonly members: readonly Trial[];
  readonly incomplete: string | null;
  readonly summation: Summation;
  readonly metricTypes: readonly MetricType[];
}

export function verifyGroupNumbers(context: GroupContext, chosen: ChosenOrder): Figure[] {
  const trialKeys = chosen.trials.map((trial) => trial.key);
  return pairNumbers(context.recorded, chosen.numbers).map((pair) => {
    const isMetric = pair.path.startsWith("metrics");
    const kind = isMetric ? "metric" : "pass-at-k";
    const path = `stats.evals.${context.key}.${pair.path}`;
    const subject: FigureSubject = { kind, path, group: context.key, trialKeys };
    const compared = { context, chosen, subject, pair };
    return isMetric ? judgeMetric(compared) : judgePassAtK(compared);
  });
}

interface ComparedNumber {
  readonly context: GroupContext;
  readonly chosen: ChosenOrder;
  readonly subject: FigureSubject;
  readonly pair: NumberPair;
}

function judgeMetric(compared: ComparedNumber): Figure {
  const { context, chosen, subject, pair } = compared;
  const index = Number(pair.path.slice("metrics[".length, pair.path.indexOf("]")));
  const metric = chosen.numbers.metrics[index];
  if (metric !== undefined && !isBuiltInMetric(metric.type)) {
    const reason = explainScript(metric.type, context);
    return buildFigure(subject, "incomplete", { recorded: pair.recorded }, reason);
  }
  if (pair.recorded === undefined) return judgeNoMetric(context, subject, pair);
  const difference = explainMetric(metric?.error ?? null, pair, context);
  const figure = judgePair(compared, difference);
  const isFound = metric !== undefined && context.metricTypes[index]?.isFound === true;
  if (!isFound || figure.verdict !== "exact") return figure;
  const reason = `config.json does not name this metric; Harbor's ${metric.type} gives its value.`;
  return { ...figure, reason, rule: "dataset-metric" };
}

function judgeNoMetric(context: GroupContext, subject: FigureSubject, { recomputed }: NumberPair): Figure {
  const rule = explainNoMetrics(context.job, context.recorded, context.members);
  if (rule === null && isExpected(context)) return judgeMissing(subject, recomputed);
  const reason = rule?.reason ?? explainNoMetric(context);
  return {
    ...buildFigure(subject, isLost(context) ? "incomplete" : "not-recorded", { recomputed }, reason),
    rule: rule?.rule ?? null,
  };
}

/** True if the job's Harbor always records a number that all trials of the group give. */
function isExpected({ job, incomplete }: GroupContext): boolean {
  return incomplete === null && findExpectedFigures(job) !== null;
}

function isLost({ job }: GroupContext): boolean {
  return job.lostResult !== null;
}

function explainScript(type: string, { incomplete }: GroupContext): string {
  if (type !== "unknown") return `The metric "${type}" is a dataset script, which Assay never runs.`;
  return (
    incomplete ??
    "No file here names this metric, and no metric of Harbor gives its values. It may be a dataset script."
  );
}

function explainNoMetric({ job, recorded }: GroupContext): string {
  if (job.recorded === null) return job.lostResult ?? "There is no result.json with statistics to compare.";
  return recorded === null ? "result.json has no such group." : "result.json records no such metric.";
}

function explainMetric(error: string | null, pair: NumberPair, { members }: GroupContext): string {
  const trials = countTrials(members.length);
  if (error !== null) return `Harbor's own metric raises ${error} over the ${trials} here.`;
  if (pair.recomputed === undefined) return "The trials here give no figure with this name.";
  return `${describeDistance(pair)} than the ${trials} here give, in every order tried.`;
}

function describeDistance({ recorded, recomputed }: NumberPair): string {
  const difference = Number(recorded) - Number(recomputed);
  if (Number.isNaN(difference)) return "result.json records another value";
  const amount = String(Number(Math.abs(difference).toPrecision(4)));
  return `result.json records ${amount} ${difference > 0 ? "more" : "less"}`;
}

function judgePassAtK(compared: ComparedNumber): Figure {
  const { context, subject, pair } = compared;
  if (pair.recorded === undefined) {
    if (context.job.rebuilt === null && isExpected(context) && findExpectedFigures(context.job)?.hasPassAtK)
      return judgeMissing(subject, pair.recomputed);
    const reason = explainNoPassAtK(context);
    const verdict = isLost(context) ? "incomplete" : "not-recorded";
    const figure = buildFigure(subject, verdict, { recomputed: pair.recomputed }, reason);
    return { ...figure, rule: context.job.rebuilt === null ? null : "rebuilt-job" };
  }
  const reason =
    pair.recomputed === undefined
      ? "The rewards of the trials here give no pass@k for this k."
      : `${describeDistance(pair)} than the passes and attempts of the ${countTrials(context.members.length)} here give.`;
  return judgePair(compared, reason);
}

function explainNoPassAtK({ job, recorded }: GroupContext): string {
  if (job.lostResult !== null) return job.lostResult;
  if (job.rebuilt !== null)
    return "Harbor computes no pass@k for a job that it rebuilds from trial archives.";
  if (recorded === null || recorded.passAtK === null)
    return "The Harbor that wrote result.json recorded no pass@k.";
  if (job.state !== "finished") return "Harbor writes pass@k only when a job ends.";
  return "result.json records no pass@k for this k, though the trials here give one.";
}

function judgePair({ context, chosen, subject, pair }: ComparedNumber, mismatchReason: string): Figure {
  const figure = judgeNumber(subject, pair.recorded, pair.recomputed, {
    incomplete: context.incomplete,
    mismatchReason,
    ulpReason: "Equal up to rounding: the files here do not record the order of addition.",
  });
  if (figure.verdict === "exact" || !chosen.exactOtherwise.has(pair.path)) return figure;
  const reason =
    context.summation === "sequential"
      ? "Recorded by compensated addition (Python 3.12 or newer)."
      : "Recorded by plain left-to-right addition (Python 3.11 or older).";
  return { ...figure, verdict: "ulp", reason };
}

export interface NoMetrics {
  /** Null where the Harbor version of result.json is unknown, so that metrics may be absent. */
  readonly rule: HarborRule | null;
  readonly reason: string;
}

/**
 * Returns why a recorded group has no metrics; null when it has some, and when no rule of Harbor explains it.
 * @see harbor 0.24.0 src/harbor/job.py, `run`: `evals_key.split("__")[-1]`
 */
export function explainNoMetrics(
  job: JobRecord,
  recorded: RecordedGroup | null,
  members: readonly Trial[],
): NoMetrics | null {
  const [first] = members;
  if (recorded === null || recorded.metrics.length > 0 || first === undefined) return null;
  if (job.rebuilt !== null) {
    return {
      rule: "rebuilt-job",
      reason: "Harbor computes neither metrics nor pass@k for a job that it rebuilds from trial archives.",
    };
  }
  const dataset = first.source === null || first.source === "" ? ADHOC_DATASET : first.source;
  const lookup = recorded.key.slice(recorded.key.lastIndexOf("__") + 2);
  if (job.state !== "finished") return null;
  if (lookup === dataset) {
    const reason = "result.json records no metrics, and no file names the Harbor version that wrote it.";
    return findExpectedFigures(job) === null ? { rule: null, reason } : null;
  }
  const reason = `At the end, Harbor looked up the metrics of "${lookup}", the text after the last "__" of the group's key; the dataset is "${dataset}".`;
  return { rule: "dataset-lookup", reason };
}
