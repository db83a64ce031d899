import "server-only";
import { findLevel, formatAmount, type MarkMeasure, prepareMarkScale } from "@/lib/core/charts/mark-scale";
import { type ComparedTrial, readRewardAt } from "@/lib/core/comparison";
import { MARK_COLOURS, type MarkColour } from "@/lib/core/domain/compare-filter";
import { computeDistribution } from "@/lib/core/stats";

import type { ChosenGroup } from "./groups";

export type MarkColouring = ReturnType<typeof createColouring>;

export function createColouring(groups: readonly ChosenGroup[], key: string, colour: MarkColour) {
  const isStated = (one: MarkColour) =>
    one === "outcome" ||
    one === colour ||
    groups.some(({ trials }) => trials.some((trial) => readAmount(trial, key, one) !== null));
  const measure = colour === "outcome" ? null : colour;
  const read = (trial: ComparedTrial) => measure && readAmount(trial, key, measure);
  /** Over all attempts, including those of tasks not shown; null if marks show outcomes. */
  const scale =
    measure &&
    prepareMarkScale(
      groups.flatMap(({ trials }) => trials.map(read)),
      measure,
    );
  return {
    colours: { options: MARK_COLOURS.filter(isStated), scale },
    /** The amount is null if it adds nothing to the attempt's title. */
    describe: (trial: ComparedTrial): { readonly level?: number | null; readonly amount: string | null } => {
      if (measure === null || scale === null) return { amount: null };
      const amount = readAmount(trial, key, measure);
      return { level: findLevel(scale, amount), amount: nameAmount(amount, measure) };
    },
    describeCell: (trials: readonly ComparedTrial[]): { readonly spent?: string | null } => {
      if (measure === null || measure === "reward") return {};
      const mean = computeMeanAmount(trials, key, measure);
      return { spent: mean === null ? null : formatAmount(mean, measure) };
    },
  };
}

/** Computes the mean of the attempts that state an amount: a reward, US dollars, milliseconds or tokens. Null if none does. */
export function computeMeanAmount(
  trials: readonly ComparedTrial[],
  key: string,
  measure: MarkMeasure,
): number | null {
  const spread = computeDistribution(trials.map((trial) => readAmount(trial, key, measure)));
  return spread.kind === "computed" ? spread.mean : null;
}

function readAmount(trial: ComparedTrial, key: string, measure: MarkMeasure): number | null {
  switch (measure) {
    case "reward":
      return readRewardAt(trial, key);
    case "cost":
      return trial.tokens.costUsd;
    case "time":
      return trial.durationMs;
    case "tokens":
      return trial.nTokens;
  }
}

const UNKNOWN: Readonly<Record<MarkMeasure, string>> = {
  reward: "no reward",
  cost: "cost unknown",
  time: "time unknown",
  tokens: "tokens unknown",
};

/** Titles already show a known reward. */
function nameAmount(amount: number | null, measure: MarkMeasure): string | null {
  if (amount === null) return UNKNOWN[measure];
  if (measure === "reward") return null;
  return measure === "tokens" ? `${formatAmount(amount, measure)} tokens` : formatAmount(amount, measure);
}
