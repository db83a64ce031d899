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
import { buildDimensionScore, buildRubric, buildRubricDimension, buildRubricResult } from "./rubric-models";
import { getLeniency, toStrictness, type Leniency, type Strictness } from "./strictness";
import type { EvaluationResult } from "./models";
import type { ContractOptions, Parsed, ParseOptions } from "./types";

/** A parse of one model from a JSON text or a plain value, whose schema is built once for each strictness. Never throws. */
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
 * An evaluation result from JSON text or a plain value; every issue of every field, and of rules between fields when each
 * is fine.
 * @param options - `contract` `seed` (default) or `head`, `strictness`
 */
export function parseEvaluationResult(value: unknown, options?: ContractOptions): Parsed<EvaluationResult> {
  return (options?.contract === "head" ? asHeadResult : asSeedResult)(value, options);
}

/** An error tag. */
export const parseErrorTag = parserOf(buildErrorTag);
/** An annotation. */
export const parseAnnotation = parserOf(buildAnnotation);
/** Confidence metadata. */
export const parseConfidence = parserOf(buildConfidence);
/** A verifier spec. */
export const parseVerifierSpec = parserOf(buildVerifierSpec);
/** A rubric. */
export const parseRubric = parserOf(buildRubric);
/** One dimension of a rubric. */
export const parseRubricDimension = parserOf(buildRubricDimension);
/** The score of one dimension. */
export const parseDimensionScore = parserOf(buildDimensionScore);
/** A scored rubric. */
export const parseRubricResult = parserOf(buildRubricResult);
/** A stored reviewer's annotation. */
export const parseFeedbackAnnotation = parserOf(buildFeedbackAnnotation);
