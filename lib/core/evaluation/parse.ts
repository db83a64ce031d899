import { runSchema, type Field } from "./fields";
import { readJsonInput } from "./json-input";
import {
  buildAnnotation,
  buildConfidence,
  buildErrorTag,
  buildEvaluationResult,
  buildFeedbackAnnotation,
  buildVerifierSpec,
} from "./models";
import type { EvaluationResult } from "./models";
import { buildDimensionScore, buildRubric, buildRubricDimension, buildRubricResult } from "./rubric-models";
import { getLeniency, toStrictness, type Leniency, type Strictness } from "./strictness";
import type { ContractOptions, Parsed, ParseOptions } from "./types";

/** Returns a parser of one model for JSON text or a plain value, with one cached schema per strictness. It never throws. */
function parserOf<T>(
  build: (leniency: Leniency) => Field<T>,
): (value: unknown, options?: ParseOptions) => Parsed<T> {
  const schemas = new Map<Strictness, Field<T>>();
  return (value, options) => {
    const strictness = toStrictness(options?.strictness);
    const schema = schemas.get(strictness) ?? build(getLeniency(strictness));
    schemas.set(strictness, schema);
    const input = readJsonInput(value);
    return input.ok ? runSchema(schema, input.value) : input;
  };
}

const asSeedResult = parserOf((leniency) => buildEvaluationResult(leniency, "seed"));
const asHeadResult = parserOf((leniency) => buildEvaluationResult(leniency, "head"));

/**
 * Parses an evaluation result from JSON text or a plain value. Returns the issues of all fields; rules between fields apply when
 * every field is valid.
 * @param options - `contract` `seed` (default) or `head`, `strictness`
 */
export function parseEvaluationResult(value: unknown, options?: ContractOptions): Parsed<EvaluationResult> {
  return (options?.contract === "head" ? asHeadResult : asSeedResult)(value, options);
}

export const parseErrorTag = parserOf(buildErrorTag);
export const parseAnnotation = parserOf(buildAnnotation);
export const parseConfidence = parserOf(buildConfidence);
export const parseVerifierSpec = parserOf(buildVerifierSpec);
export const parseRubric = parserOf(buildRubric);
export const parseRubricDimension = parserOf(buildRubricDimension);
export const parseDimensionScore = parserOf(buildDimensionScore);
export const parseRubricResult = parserOf(buildRubricResult);
export const parseFeedbackAnnotation = parserOf(buildFeedbackAnnotation);
