import "server-only";
import {
  findLevel,
  formatAmount,
  type MarkMeasure,
  type MarkScale,
  prepareMarkScale,
} from "@/lib/core/charts/mark-scale";
import { type ComparedTrial, readRewardAt } from "@/lib/core/comparison";
import { MARK_COLOURS, type MarkColour } from "@/lib/core/domain/compare-filter";
import { computeDistribution } from "@/lib/core/stats";

import type { ChosenGroup } from "./groups";

export interface MarkColouring {
  readonly colours: {
    readonly options: readonly MarkColour[];
    /** Over all attempts, including those of tasks not shown; null if marks show outcomes. */
    readonly scale: MarkScale | null;
  };
  /** Null if colours add nothing to the attempt's title. */
  readonly describe: (trial: ComparedTrial) => {
    readonly level?: number | null;
    readonly amount: string | null;
  };
  readonly describeCell: (trials: readonly ComparedTrial[]) => { readonly spent?: string | null };
}

export function createColouring(
  groups: readonly ChosenGroup[],
  key: string,
  colour: MarkColour,
): MarkColouring {
  const isStated = (one: MarkColour) =>
    one === "outcome" ||
    one === colour ||
    groups.some(({ trials }) => trials.some((trial) => readAmount(trial, key, one) !== null));
  const options = MARK_COLOURS.filter(isStated);
  if (colour === "outcome")
    return {
      colours: { options, scale: null },
      describe: () => ({ amount: null }),
      describeCell: () => ({}),
    };
  const amounts = groups.flatMap(({ trials }) => trials.map((trial) => readAmount(trial, key, colour)));
  const scale = prepareMarkScale(amounts, colour);
  return {
    colours: { options, scale },
    describe: (trial) => {
      const amount = readAmount(trial, key, colour);
      return { level: findLevel(scale, amount), amount: nameAmount(amount, colour) };
    },
    describeCell: (trials) => {
      if (colour === "reward") return {};
      const mean = computeMeanAmount(trials, key, colour);
      return { spent: mean === null ? null : formatAmount(mean, colour) };
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
