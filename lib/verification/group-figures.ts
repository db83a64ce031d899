import type { JobRecord, RecordedGroup } from "@/lib/domain/job";
import type { TrialRecord } from "@/lib/domain/trial";
import type { Figure } from "@/lib/domain/verification";
import type { PyValue, Summation } from "@/lib/scoring";

import { countTrials } from "./completeness";
import { buildFigure, judgeNumber, type FigureSubject } from "./figure";
import { isBuiltInMetric } from "./group-numbers";
import { pairNumbers, type ChosenOrder, type NumberPair } from "./group-order";

/** What the figures of one group are made from. */
export interface GroupContext {
  readonly job: JobRecord;
  readonly key: string;
  readonly recorded: RecordedGroup | null;
  readonly members: readonly TrialRecord[];
  readonly incomplete: string | null;
  readonly summation: Summation;
}

/**
 * The types of a group's metrics. A recorded single entry named after a built-in metric says its type, because a
 * dataset can bring metrics of its own; otherwise the job's config does.
 *
 * @returns one per recorded entry, or the config's when nothing is recorded
 */
export function resolveMetricTypes(job: JobRecord, recorded: RecordedGroup | null): string[] {
  if (recorded === null || recorded.metrics.length === 0) return [...job.metricTypes];
  return recorded.metrics.map((entry, index) => {
    const configured = job.metricTypes[index] ?? "unknown";
    const isScript = index < job.metricTypes.length && !isBuiltInMetric(configured);
    const [name] = entry instanceof Map && entry.size === 1 ? entry.keys() : [];
    return !isScript && name !== undefined && isBuiltInMetric(name) ? name : configured;
  });
}

/** Every metric entry and every pass@k of one group beside the recomputed one. */
export function verifyGroupNumbers(context: GroupContext, chosen: ChosenOrder): Figure[] {
  const trialKeys = chosen.trials.map((trial) => trial.key);
  return pairNumbers(context.recorded, chosen.numbers).map((pair) => {
    const isMetric = pair.path.startsWith("metrics");
    const subject: FigureSubject = {
      kind: isMetric ? "metric" : "pass-at-k",
      path: `stats.evals.${context.key}.${pair.path}`,
      group: context.key,
      trialKeys,
    };
    return isMetric
      ? judgeMetric(context, chosen, subject, pair)
      : judgePassAtK(context, chosen, subject, pair);
  });
}

function judgeMetric(
  context: GroupContext,
  chosen: ChosenOrder,
  subject: FigureSubject,
  pair: NumberPair,
): Figure {
  const metric = chosen.numbers.metrics[readMetricIndex(pair.path)];
  if (metric !== undefined && !isBuiltInMetric(metric.type)) {
    const reason = `The metric "${metric.type}" is a script of the dataset, which is never run here.`;
    return buildFigure(subject, "unverifiable", keepRecorded(pair), reason);
  }
  if (pair.recorded === undefined) {
    return buildFigure(subject, "not-recorded", keepRecomputed(pair), explainNoMetric(context));
  }
  return judgePair(context, chosen, subject, pair, explainMetric(metric?.error ?? null, pair, context));
}

function explainNoMetric({ job, recorded }: GroupContext): string {
  if (job.recorded === null) return "There is no result.json with statistics to compare with.";
  return recorded === null ? "result.json knows no such group." : "result.json states no such metric.";
}

function readMetricIndex(path: string): number {
  return Number(path.slice("metrics[".length, path.indexOf("]")));
}

function explainMetric(error: string | null, pair: NumberPair, { members }: GroupContext): string {
  if (error !== null)
    return `Harbor's own metric raises ${error} over the ${countTrials(members.length)} here.`;
  if (pair.recomputed === undefined) return "The trials here give no figure of this name.";
  return `The ${countTrials(members.length)} here give another value in every order tried.`;
}

function judgePassAtK(
  context: GroupContext,
  chosen: ChosenOrder,
  subject: FigureSubject,
  pair: NumberPair,
): Figure {
  if (pair.recorded === undefined) {
    return buildFigure(subject, "not-recorded", keepRecomputed(pair), explainNoPassAtK(context));
  }
  const reason =
    pair.recomputed === undefined
      ? "The rewards of the trials here give no pass@k of this k."
      : "The passes and attempts of the trials here give another value.";
  return judgePair(context, chosen, subject, pair, reason);
}

function explainNoPassAtK({ job, recorded }: GroupContext): string {
  if (recorded === null || recorded.passAtK === null)
    return "The Harbor that wrote result.json recorded no pass@k.";
  if (job.state !== "finished") return "Harbor writes pass@k only when a job ends.";
  return "result.json states no pass@k for this k, though the trials here give one.";
}

function judgePair(
  context: GroupContext,
  chosen: ChosenOrder,
  subject: FigureSubject,
  pair: NumberPair,
  mismatchReason: string,
): Figure {
  const figure = judgeNumber(subject, pair.recorded, pair.recomputed, {
    incomplete: context.incomplete,
    mismatchReason,
    ulpReason: "Equal up to rounding: the numbers were added in an order that the files here do not tell.",
  });
  if (figure.verdict === "exact" || !chosen.exactOtherwise.has(pair.path)) return figure;
  return { ...figure, verdict: "ulp", reason: explainOtherSummation(context.summation) };
}

function explainOtherSummation(summation: Summation): string {
  return summation === "sequential"
    ? "Recorded by compensated addition (Python 3.12 or newer)."
    : "Recorded by plain left-to-right addition (Python 3.11 or older).";
}

function keepRecorded({ recorded }: NumberPair): { recorded?: PyValue } {
  return recorded === undefined ? {} : { recorded };
}

function keepRecomputed({ recomputed }: NumberPair): { recomputed?: PyValue } {
  return recomputed === undefined ? {} : { recomputed };
}
