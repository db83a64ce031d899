import { z } from "zod";

import { Fault } from "./fault";
import {
  fieldOf,
  listOf,
  modelOf,
  oneOf,
  orNull,
  required,
  withDefault,
  withRule,
  type Field,
} from "./fields";
import { isJsonObject } from "./json-input";
import { readCount, readFilledText, readFlag, readFloat, readMeasure, readText } from "./read-scalar";
import type { Leniency } from "./strictness";
import { readTimestamp } from "./timestamp";
import type { Contract, JsonObject } from "./types";

const anyText = fieldOf(readText);
const judgment = oneOf("pass", "fail", "defer");

export function filledText(leniency: Leniency): Field<string> {
  return fieldOf((value) => readFilledText(value, leniency));
}

/** A number from 0 to 1; NaN is refused. */
function share(name: string, leniency: Leniency): Field<number> {
  return fieldOf((value) => {
    const number = readFloat(value, leniency);
    if (number instanceof Fault || (number >= 0 && number <= 1)) return number;
    return new Fault("value_error", `Value error, ${name} must be between 0.0 and 1.0`);
  });
}

const jsonObject: Field<JsonObject> = fieldOf((value) =>
  isJsonObject(value) ? value : new Fault("dict_type", "Input should be an object"),
);

/** Only `output_parseable` (`head`: `schema_valid` too) affects the reward. */
export type ValidityCheck = z.output<ReturnType<typeof buildValidity>>;

function buildValidity(leniency: Leniency) {
  const flag = fieldOf((value) => readFlag(value, leniency));
  return modelOf({
    output_parseable: required(flag),
    schema_valid: required(flag),
    verifier_completed: required(flag),
    errors: withDefault(listOf(anyText), []),
  });
}

/** A classified failure; categories are free text. */
export type ErrorTag = z.output<ReturnType<typeof buildErrorTag>>;

export function buildErrorTag(leniency: Leniency) {
  return modelOf({
    category: required(filledText(leniency)),
    description: orNull(anyText),
    source: required(oneOf("mechanical", "human", "judge")),
  });
}

/** One reviewer's judgment, which never changes the reward. */
export type Annotation = z.output<ReturnType<typeof buildAnnotation>>;

export function buildAnnotation(leniency: Leniency) {
  return modelOf({
    reviewer_id: required(filledText(leniency)),
    reviewer_discipline: orNull(filledText(leniency)),
    /** ISO 8601 with microseconds where there are any; without an offset where none was given. */
    timestamp: required(fieldOf((value) => readTimestamp(value, leniency))),
    judgment: required(judgment),
    categories: withDefault(listOf(anyText), []),
    notes: orNull(anyText),
  });
}

/** Exactly two bounds. Too many fail before any is read; missing ones are reported by position. */
function interval(leniency: Leniency): Field<[low: number, high: number]> {
  const bound = required(fieldOf((value) => readMeasure(value, leniency)));
  const bounds = fieldOf<unknown>((value) => {
    if (!Array.isArray(value)) return new Fault("tuple_type", "Input should be a valid array");
    const items: readonly unknown[] = value;
    if (items.length <= 2) return [items[0], items[1]];
    const message = `Tuple should have at most 2 items after validation, not ${String(items.length)}`;
    return new Fault("too_long", message);
  }).pipe(z.tuple([bound, bound]));
  return withRule(bounds, ([low, high]) =>
    low > high ? "confidence_interval low bound must not exceed high bound" : null,
  );
}

/** Confidence of a classification; null is unknown, agreement is 0 to 1. */
export type ConfidenceMetadata = z.output<ReturnType<typeof buildConfidence>>;

export function buildConfidence(leniency: Leniency) {
  return modelOf({
    annotator_count: orNull(fieldOf((value) => readCount(value, leniency))),
    inter_rater_agreement: orNull(share("inter_rater_agreement", leniency)),
    confidence_interval: orNull(interval(leniency)),
    confidence_method: orNull(filledText(leniency)),
  });
}

function buildResultFields(leniency: Leniency) {
  return {
    /** 0 to 1, as the verifier wrote it. */
    reward: required(share("reward", leniency)),
    validity: required(buildValidity(leniency)),
    /** details.json unchanged; its content is not validated. */
    breakdown: orNull(jsonObject),
    /** `[]` means no errors, null that the trial was not checked. */
    error_taxonomy: orNull(listOf(buildErrorTag(leniency))),
    confidence: orNull(buildConfidence(leniency)),
    annotations: orNull(listOf(buildAnnotation(leniency))),
  };
}

export interface EvaluationResult extends z.output<z.ZodObject<ReturnType<typeof buildResultFields>>> {
  /** Only in the newest contract, and only where it is not null. */
  stewardship?: JsonObject;
}

export function buildEvaluationResult(leniency: Leniency, contract: Contract): Field<EvaluationResult> {
  const fields = buildResultFields(leniency);
  if (contract === "seed") {
    return withRule<EvaluationResult>(modelOf(fields), ({ reward, validity }) =>
      !validity.output_parseable && reward > 0 ? "unparseable outputs must have reward 0.0" : null,
    );
  }
  const head = modelOf({ ...fields, stewardship: orNull(jsonObject) }).transform(
    ({ stewardship, ...result }) => (stewardship === null ? result : { ...result, stewardship }),
  );
  return withRule<EvaluationResult>(head, ({ reward, validity }) =>
    !(validity.output_parseable && validity.schema_valid) && reward > 0
      ? "invalid outputs must have reward 0.0"
      : null,
  );
}

export type VerifierSpec = z.output<ReturnType<typeof buildVerifierSpec>>;

export function buildVerifierSpec(leniency: Leniency) {
  return modelOf({
    script: required(filledText(leniency)),
    expected_output_path: required(filledText(leniency)),
    reward_path: required(filledText(leniency)),
    details_path: orNull(filledText(leniency)),
  });
}

/** A reviewer's annotation as the review store keeps it. */
export type FeedbackAnnotation = z.output<ReturnType<typeof buildFeedbackAnnotation>>;

export function buildFeedbackAnnotation(leniency: Leniency) {
  const name = required(filledText(leniency));
  const categories = fieldOf<unknown>((value) => {
    if (!Array.isArray(value)) return new Fault("list_type", "Input should be a valid array");
    return value.map((item) => readFilledText(item, leniency)).find((item) => item instanceof Fault) ?? value;
  }).pipe(listOf(anyText));
  const model = modelOf({
    annotation_id: name,
    trial_id: name,
    experiment_id: name,
    task_id: name,
    task_visibility: required(oneOf("public", "holdout")),
    reviewer_id: name,
    reviewer_discipline: name,
    judgment: required(judgment),
    categories: withDefault(categories, []),
    notes: orNull(filledText(leniency)),
    created_at: required(fieldOf((value) => readTimestamp(value, leniency))),
    is_calibration: withDefault(
      fieldOf((value) => readFlag(value, leniency)),
      false,
    ),
    calibration_version: orNull(filledText(leniency)),
  });
  return withRule(model, ({ is_calibration, calibration_version }) => {
    if (is_calibration === (calibration_version !== null)) return null;
    return is_calibration
      ? "calibration annotations must include calibration_version"
      : "non-calibration annotations must not include calibration_version";
  });
}
