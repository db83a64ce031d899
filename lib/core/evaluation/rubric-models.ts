import type { z } from "zod";

import { fieldOf, listOf, modelOf, required, withDefault, type Field } from "./fields";
import { readMeasure, readText } from "./read-scalar";
import type { Leniency } from "./strictness";

const DEFAULT_STRATEGY = "weighted_mean";
const text = fieldOf(readText);
const texts = withDefault(listOf(text, "tuple_type"), []);
const textOrEmpty = withDefault(text, "");
const strategy = withDefault(text, DEFAULT_STRATEGY);
const criterion = modelOf({ text: required(text), category: required(text) });

export type RubricCriterion = z.output<typeof criterion>;

function measure(leniency: Leniency): Field<number> {
  return required(fieldOf((value) => readMeasure(value, leniency)));
}

/** Weights and scores have no limits. */
export type RubricDimension = z.output<ReturnType<typeof buildRubricDimension>>;

export function buildRubricDimension(leniency: Leniency) {
  return modelOf({
    id: required(text),
    name: required(text),
    description: required(text),
    weight: measure(leniency),
    max_score: measure(leniency),
    eval_method: required(text),
    criteria: withDefault(listOf(criterion, "tuple_type"), []),
    eval_sections: texts,
    eval_references: texts,
    expert_persona: textOrEmpty,
  });
}

/** `min` takes the worst dimension, any other strategy is the weighted mean. */
export type Rubric = z.output<ReturnType<typeof buildRubric>>;

export function buildRubric(leniency: Leniency) {
  return modelOf({
    dimensions: required(listOf(buildRubricDimension(leniency), "tuple_type")),
    rollup_strategy: strategy,
  });
}

export type DimensionScore = z.output<ReturnType<typeof buildDimensionScore>>;

export function buildDimensionScore(leniency: Leniency) {
  return modelOf({
    dimension_id: required(text),
    score: measure(leniency),
    max_score: measure(leniency),
    evidence: textOrEmpty,
    eval_method_used: textOrEmpty,
    satisfied: texts,
    unsatisfied: texts,
  });
}

/** A scored rubric as it is stored; the reward has no limits here. */
export type RubricResult = z.output<ReturnType<typeof buildRubricResult>>;

export function buildRubricResult(leniency: Leniency) {
  return modelOf({
    dimension_scores: required(listOf(buildDimensionScore(leniency), "tuple_type")),
    reward: measure(leniency),
    rollup_strategy: strategy,
  });
}
