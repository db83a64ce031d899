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
import type {
  Annotation,
  ConfidenceMetadata,
  ContractOptions,
  DimensionScore,
  ErrorTag,
  EvaluationResult,
  FeedbackAnnotation,
  Parsed,
  ParseOptions,
  Rubric,
  RubricDimension,
  RubricResult,
  VerifierSpec,
} from "./types";

type Build<T> = (leniency: Leniency) => Field<T>;
type Parse<T> = (value: unknown, options: ParseOptions | undefined) => Parsed<T>;

/** A parse of one model, whose schema is built once for each strictness. */
function parserOf<T>(build: Build<T>): Parse<T> {
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
const asErrorTag = parserOf(buildErrorTag);
const asAnnotation = parserOf(buildAnnotation);
const asConfidence = parserOf(buildConfidence);
const asVerifierSpec = parserOf(buildVerifierSpec);
const asRubric = parserOf(buildRubric);
const asRubricDimension = parserOf(buildRubricDimension);
const asDimensionScore = parserOf(buildDimensionScore);
const asRubricResult = parserOf(buildRubricResult);
const asFeedbackAnnotation = parserOf(buildFeedbackAnnotation);

/**
 * An evaluation result from JSON text or a plain value; every issue of every field, and of rules between fields when each
 * is fine.
 * @param options - `contract` `seed` (default) or `head`, `strictness`
 */
export function parseEvaluationResult(value: unknown, options?: ContractOptions): Parsed<EvaluationResult> {
  return (options?.contract === "head" ? asHeadResult : asSeedResult)(value, options);
}

/** An error tag, from a JSON text or a plain value. Never throws. */
export function parseErrorTag(value: unknown, options?: ParseOptions): Parsed<ErrorTag> {
  return asErrorTag(value, options);
}

/** An annotation, from a JSON text or a plain value. Never throws. */
export function parseAnnotation(value: unknown, options?: ParseOptions): Parsed<Annotation> {
  return asAnnotation(value, options);
}

/** Confidence metadata, from a JSON text or a plain value. Never throws. */
export function parseConfidence(value: unknown, options?: ParseOptions): Parsed<ConfidenceMetadata> {
  return asConfidence(value, options);
}

/** A verifier spec, from a JSON text or a plain value. Never throws. */
export function parseVerifierSpec(value: unknown, options?: ParseOptions): Parsed<VerifierSpec> {
  return asVerifierSpec(value, options);
}

/** A rubric, from a JSON text or a plain value. Never throws. */
export function parseRubric(value: unknown, options?: ParseOptions): Parsed<Rubric> {
  return asRubric(value, options);
}

/** One dimension of a rubric, from a JSON text or a plain value. Never throws. */
export function parseRubricDimension(value: unknown, options?: ParseOptions): Parsed<RubricDimension> {
  return asRubricDimension(value, options);
}

/** The score of one dimension, from a JSON text or a plain value. Never throws. */
export function parseDimensionScore(value: unknown, options?: ParseOptions): Parsed<DimensionScore> {
  return asDimensionScore(value, options);
}

/** A scored rubric, from a JSON text or a plain value. Never throws. */
export function parseRubricResult(value: unknown, options?: ParseOptions): Parsed<RubricResult> {
  return asRubricResult(value, options);
}

/** A stored reviewer's annotation, from a JSON text or a plain value. Never throws. */
export function parseFeedbackAnnotation(value: unknown, options?: ParseOptions): Parsed<FeedbackAnnotation> {
  return asFeedbackAnnotation(value, options);
}
