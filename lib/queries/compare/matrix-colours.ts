import "server-only";

import {
  findLevel,
  formatAmount,
  type MarkMeasure,
  type MarkScale,
  prepareMarkScale,
} from "@/lib/charts/mark-scale";
import { type ComparedTrial, readRewardAt } from "@/lib/comparison";
import { MARK_COLOURS, type MarkColour } from "@/lib/domain/compare-filter";
import { computeDistribution } from "@/lib/stats";

import type { ChosenGroup } from "./groups";

/** What the marks of the matrix are coloured by. */
export interface MatrixColours {
  /** Those of which some attempt states an amount, and the one that is chosen, in their order. */
  readonly options: readonly MarkColour[];
  /** Over every attempt of the groups, whichever tasks are shown; null where marks are coloured by their outcome. */
  readonly scale: MarkScale | null;
}

/** What attempts and cells of the matrix say of the amount that marks are coloured by. */
export interface MarkColouring {
  readonly colours: MatrixColours;
  /** `amount` is null where the attempt says no more than it does without colours. */
  readonly describe: (trial: ComparedTrial) => {
    readonly level?: number | null;
    readonly amount: string | null;
  };
  /** The mean over those that state what they spent. */
  readonly describeCell: (trials: readonly ComparedTrial[]) => { readonly spent?: string | null };
}

/** Prepares the colours of the marks of some groups. */
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

/** Mean amount of the attempts that state one; null where none does. */
export function computeMeanAmount(
  trials: readonly ComparedTrial[],
  key: string,
  measure: MarkMeasure,
): number | null {
  const spread = computeDistribution(trials.map((trial) => readAmount(trial, key, measure)));
  return spread.kind === "computed" ? spread.mean : null;
}

/** What an attempt spent, or its reward; null where nothing states it. */
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

/** A reward that is there stands in every title. */
function nameAmount(amount: number | null, measure: MarkMeasure): string | null {
  if (amount === null) return UNKNOWN[measure];
  if (measure === "reward") return null;
  return measure === "tokens" ? `${formatAmount(amount, measure)} tokens` : formatAmount(amount, measure);
}
