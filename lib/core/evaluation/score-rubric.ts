import { parsePydanticFloat, pythonRoundTo, pythonSum } from "@/lib/core/scoring";

import { readObject, readObjects, setField } from "./json-input";
import type { DimensionScore } from "./rubric-models";
import type { JsonObject, JsonValue } from "./types";

/** One dimension as it entered the reward, with the score's own maximum instead of the rubric's. */
export interface ScoredDimension extends Readonly<DimensionScore> {
  /** `score / max_score` clipped to 0 and 1; NaN stays NaN, a maximum of 0 or less gives 0. */
  readonly normalised: number;
  /** Weight used: of two dimensions with the same id, the last one's. */
  readonly weight: number;
}

export interface ScoredRubric {
  /** Rounded to four decimals and not clipped; NaN where a score or weight is not a number. */
  readonly reward: number;
  /** In the rubric's order. */
  readonly dimensions: readonly ScoredDimension[];
}

/** The fields of a {@link Rubric} that the scorer reads. */
export interface RubricToScore {
  readonly dimensions: readonly {
    readonly id: string;
    readonly weight: number;
    readonly max_score: number;
    readonly eval_method?: string | undefined;
  }[];
  readonly rollup_strategy?: string | undefined;
}

/** The fields of a {@link DimensionScore} that the scorer reads. */
export interface ScoreToRoll {
  readonly dimension_id: string;
  readonly score: number;
  readonly max_score: number;
  readonly evidence?: string | undefined;
  readonly eval_method_used?: string | undefined;
  readonly satisfied?: readonly string[] | undefined;
  readonly unsatisfied?: readonly string[] | undefined;
}

/** Rounding of a rubric's reward. */
export const DECIMALS = 4;

/**
 * Computes the reward of a rubric, bit-identical to the reference on Python 3.12: the smallest normalised dimension for `min`,
 * else the weighted mean; 0.0 without dimensions. Never throws: a non-list counts as empty, a non-number as NaN.
 * @param scores - the last counts for each dimension; unknown ones are ignored, and a dimension without a score counts 0
 */
export function scoreRubric(rubric: RubricToScore, scores: readonly ScoreToRoll[]): ScoredRubric {
  const { dimensions, rollup_strategy: strategy } = readObject(rubric);
  const rows = readObjects(dimensions);
  const scoreById = new Map(readObjects(scores).map((score) => [toText(score["dimension_id"]), score]));
  const weightById = new Map(rows.map((row) => [toText(row["id"]), toNumber(row["weight"])]));
  const scored = rows.map((row) => {
    const id = toText(row["id"]);
    return normalise(scoreById.get(id) ?? makeZero(row), id, weightById.get(id) ?? NaN);
  });
  return { reward: rollUp(scored, strategy), dimensions: scored };
}

/** Returns what a verifier writes into details.json for a scored rubric: the reward and one row per dimension. */
export function toRubricDetails(result: ScoredRubric): JsonObject {
  const details: JsonObject = { reward: result.reward };
  for (const row of result.dimensions) {
    setField<JsonValue>(details, row.dimension_id, {
      score: row.score,
      max_score: row.max_score,
      evidence: row.evidence,
      eval_method: row.eval_method_used,
      satisfied: [...row.satisfied],
      unsatisfied: [...row.unsatisfied],
    });
  }
  return details;
}

/** Returns the reward of normalised dimensions, rounded to four decimals; 0.0 without any. */
export function rollUp(
  scored: readonly Pick<ScoredDimension, "normalised" | "weight">[],
  strategy: JsonValue | undefined,
): number {
  return pythonRoundTo(strategy === "min" ? findLeast(scored) : computeWeightedMean(scored), DECIMALS);
}

/** Python's min keeps its value unless the next is smaller, so a NaN counts only when it comes first. */
function findLeast([first, ...others]: readonly Pick<ScoredDimension, "normalised">[]): number {
  if (first === undefined) return 0;
  return others.reduce((least, row) => (row.normalised < least ? row.normalised : least), first.normalised);
}

function computeWeightedMean(scored: readonly Pick<ScoredDimension, "normalised" | "weight">[]): number {
  if (scored.length === 0) return 0;
  const total = Number(pythonSum(scored.map((row) => row.weight)));
  if (total === 0) return 0;
  return Number(pythonSum(scored.map((row) => row.normalised * row.weight))) / total;
}

function normalise(score: JsonObject, id: string, weight: number): ScoredDimension {
  const value = toNumber(score["score"]);
  const maxScore = toNumber(score["max_score"]);
  const share = maxScore > 0 ? value / maxScore : 0;
  // max(share, 0.0), then min(..., 1.0), in Python's order of comparison: NaN and -0.0 pass.
  const atLeastZero = 0 > share ? 0 : share;
  return {
    dimension_id: id,
    score: value,
    max_score: maxScore,
    evidence: toText(score["evidence"]),
    eval_method_used: toText(score["eval_method_used"]),
    satisfied: toTexts(score["satisfied"]),
    unsatisfied: toTexts(score["unsatisfied"]),
    normalised: 1 < atLeastZero ? 1 : atLeastZero,
    weight,
  };
}

function makeZero(dimension: JsonObject): JsonObject {
  return {
    score: 0,
    max_score: dimension["max_score"] ?? null,
    evidence: "No score provided",
    eval_method_used: dimension["eval_method"] ?? "",
  };
}

function toNumber(value: JsonValue | undefined): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "string" ? (parsePydanticFloat(value) ?? NaN) : NaN;
}

function toText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function toTexts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
