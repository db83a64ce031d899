import { fieldOf, listOf, modelOf, required, withDefault, type Field } from "./fields";
import { readMeasure, readText } from "./read-scalar";
import type { Leniency } from "./strictness";
import type { DimensionScore, Rubric, RubricCriterion, RubricDimension, RubricResult } from "./types";

const DEFAULT_STRATEGY = "weighted_mean";
const text = fieldOf(readText);
const texts = withDefault(listOf(text, "tuple_type"), []);
const textOrEmpty = withDefault(text, "");
const strategy = withDefault(text, DEFAULT_STRATEGY);
const criterion: Field<RubricCriterion> = modelOf({ text: required(text), category: required(text) });

function measure(leniency: Leniency): Field<number> {
  return required(fieldOf((value) => readMeasure(value, leniency)));
}

/** The schema of one dimension of a rubric. */
export function buildRubricDimension(leniency: Leniency): Field<RubricDimension> {
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

/** The schema of a rubric. */
export function buildRubric(leniency: Leniency): Field<Rubric> {
  return modelOf({
    dimensions: required(listOf(buildRubricDimension(leniency), "tuple_type")),
    rollup_strategy: strategy,
  });
}

/** The schema of what was given for one dimension. */
export function buildDimensionScore(leniency: Leniency): Field<DimensionScore> {
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

/** The schema of a scored rubric. */
export function buildRubricResult(leniency: Leniency): Field<RubricResult> {
  return modelOf({
    dimension_scores: required(listOf(buildDimensionScore(leniency), "tuple_type")),
    reward: measure(leniency),
    rollup_strategy: strategy,
  });
}
