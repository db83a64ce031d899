import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import {
  parseAnnotation,
  parseConfidence,
  parseErrorTag,
  parseEvaluationResult,
  parseRubric,
  parseRubricDimension,
} from "./index";

const PARSERS = {
  EvaluationResult: parseEvaluationResult,
  ErrorTag: parseErrorTag,
  Annotation: parseAnnotation,
  ConfidenceMetadata: parseConfidence,
  RubricDimension: parseRubricDimension,
  Rubric: parseRubric,
} as const;

interface Case {
  readonly model: keyof typeof PARSERS;
  readonly input: string;
  readonly expected: {
    readonly dump?: unknown;
    readonly raises?: string;
    readonly message?: string;
    readonly errors?: readonly { loc: (string | number)[]; type: string; msg: string }[];
  };
}

// oxlint-disable-next-line typescript/no-unsafe-assignment -- a fixture of this folder, whose shape the test below asks for
const cases: readonly Case[] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "conformance", "coercions.json"), "utf8"),
);

/** A value as pydantic dumps it: what JSON cannot carry is null; JSON.stringify would also lose the sign of -0. */
function dump(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(dump);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, dump(item)]));
}

it.each(cases)("$model $input as pydantic reads it", ({ model, input, expected }) => {
  const parsed = PARSERS[model](input, { strictness: "reference" });
  if (parsed.ok) {
    expect(dump(parsed.value)).toStrictEqual(expected.dump);
    return;
  }
  const issues = parsed.issues.map(({ path: loc, code, message }) => ({ loc, type: code, msg: message }));
  if (expected.raises === undefined) expect(issues).toEqual(expected.errors);
  else expect(issues).toMatchObject([{ type: expected.raises, msg: expected.message }]);
});
