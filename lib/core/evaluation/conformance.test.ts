import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import {
  agreementOf,
  calibrate,
  confidenceOf,
  findOutputPath,
  ingestVerifierArtifacts,
  parseAnnotation,
  parseConfidence,
  parseDimensionScore,
  parseErrorTag,
  parseEvaluationResult,
  parseFeedbackAnnotation,
  parseRubric,
  parseRubricDimension,
  parseRubricResult,
  parseVerifierSpec,
  resolveAdjudication,
  scoreRubric,
  toRubricDetails,
  type Contract,
  type Judgment,
  type Parsed,
  type RubricToScore,
  type ScoreToRoll,
  type Strictness,
} from "./index";

interface Expectation {
  readonly ok: boolean;
  readonly dump?: unknown;
  readonly result?: unknown;
  readonly raises?: string;
  readonly message?: string;
  readonly errors?: readonly { loc: (string | number)[]; type?: string; msg: string }[] | undefined;
}
interface Case<Input, Expected = Expectation> {
  readonly id: string;
  readonly input: Input;
  readonly expected: Expected;
  readonly expected_head?: Expected;
}
type ModelCase = Case<unknown> & { readonly model: string };
type FileText = string | null | { readonly $bytes_hex: string };
interface Files {
  readonly reward_json: FileText;
  readonly details_json: FileText;
  readonly output_parseable: boolean;
  readonly schema_valid: boolean;
  readonly reward_path_given: boolean;
  readonly details_path_given: boolean;
}
interface RubricExpectation {
  readonly reward: number;
  readonly normalised: number[];
  readonly dimension_scores: object[];
}
type DetailsDimension = [id: string, weight: number, maxScore: number];
type DetailsScore = [
  id: string,
  score: number,
  maxScore: number,
  evidence: string,
  method: string,
  satisfied: string[],
  unsatisfied: string[],
];
interface Decision {
  readonly judgments: Judgment[];
  readonly contested?: boolean;
  readonly final_judgment?: Judgment;
  readonly decided_by?: string;
  readonly rationale?: string;
}
interface Vectors {
  readonly rubric: readonly Case<{ rubric: RubricToScore; scores: ScoreToRoll[] }, RubricExpectation>[];
  readonly rubric_details: readonly Case<
    { dimensions: DetailsDimension[]; scores: DetailsScore[]; rollup_strategy: string },
    { reward: number; details: object }
  >[];
  readonly models: Readonly<Record<string, readonly ModelCase[]>>;
  readonly ingestion: { readonly read_verifier_artifacts: readonly Case<Files>[] };
  readonly feedback: {
    readonly feedback_confidence: readonly {
      input: { judgments: Judgment[]; reviewers: string[]; adjudicated: boolean };
      expected: object;
    }[];
    readonly adjudication: readonly Case<
      Decision,
      { record?: object; raises?: string; message?: string; errors?: Expectation["errors"] }
    >[];
    readonly calibration: readonly Case<
      {
        cases: {
          judgment: Judgment;
          reference: Judgment;
          is_calibration: boolean;
          calibration_version: string | null;
        }[];
        calibration_version: string;
        pass_threshold: number;
      },
      { weighting: object }
    >[];
    readonly feedback_annotation_validation: {
      readonly base: object;
      readonly cases: readonly { id: string; patch: object; expected: Expectation }[];
    };
  };
  readonly loader: {
    readonly expected_output_path: readonly { input: string; expected: { chosen: string } }[];
  };
  readonly real_verifier_outputs: Readonly<
    Record<string, Readonly<Record<"reward.json" | "details.json", string>>>
  >;
}

function readVectors(): Vectors {
  const file = path.join(import.meta.dirname, "conformance", "vectors.json");
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- a fixture of this folder, whose shape the tests below ask for
  const read: Vectors = JSON.parse(readFileSync(file, "utf8"), decodeFloat);
  return read;
}

const FLOATS: Readonly<Record<string, number>> = { nan: NaN, inf: Infinity, "-inf": -Infinity, "-0.0": -0 };

function decodeFloat(_key: string, value: unknown): unknown {
  const isCoded = typeof value === "object" && value !== null && "$float" in value;
  return isCoded ? FLOATS[String(value.$float)] : value;
}

function readJson(text: string): unknown {
  return JSON.parse(text);
}

/** The number in `{"reward": 0.21}`, without a parser of the library. */
function readReward(text: string): number {
  return Number(/^\{"reward": ([\d.]+)\}$/.exec(text)?.[1]);
}

const vectors = readVectors();
const STRICTNESSES: Strictness[] = ["default", "reference"];
const CONTRACTS: Contract[] = ["seed", "head"];
const PARSERS = {
  EvaluationResult: parseEvaluationResult,
  ErrorTag: parseErrorTag,
  Annotation: parseAnnotation,
  ConfidenceMetadata: parseConfidence,
  VerifierSpec: parseVerifierSpec,
  RubricDimension: parseRubricDimension,
  DimensionScore: parseDimensionScore,
  Rubric: parseRubric,
  RubricResult: parseRubricResult,
} as const;

function getParser(model: string): typeof parseEvaluationResult | (typeof PARSERS)[keyof typeof PARSERS] {
  const parser = Object.entries(PARSERS).find(([name]) => name === model)?.[1];
  if (parser === undefined) throw new Error(`no parser of ${model}`);
  return parser;
}

/** Holds a parse to what the reference returned, raised or listed. */
function expectAnswer(parsed: Parsed<unknown>, expected: Expectation, strictness: Strictness): void {
  if (expected.ok) {
    expect(parsed).toMatchObject({ ok: true });
    return;
  }
  const issues = parsed.ok ? [] : parsed.issues;
  expect(issues).not.toEqual([]);
  if (expected.errors !== undefined) {
    expect(issues.map((issue) => ({ loc: issue.path, msg: issue.message }))).toEqual(
      expected.errors.map(({ loc, msg }) => ({ loc, msg })),
    );
    const types = expected.errors.map((error) => error.type);
    if (!types.includes(undefined)) expect(issues.map((issue) => issue.code)).toEqual(types);
  } else if (strictness === "reference" || expected.raises !== "AttributeError") {
    expect(issues.map(({ code, message }) => ({ code, message }))).toEqual([
      { code: expected.raises, message: expected.message },
    ]);
  }
}

function toBytes(file: FileText): Uint8Array | null {
  if (file === null) return null;
  return typeof file === "string"
    ? new TextEncoder().encode(file)
    : Uint8Array.from(Buffer.from(file.$bytes_hex, "hex"));
}

it("has every vector", () => {
  const models = Object.entries(vectors.models).map(([group, cases]) => [group, cases.length]);
  expect(Object.fromEntries(models)).toEqual({
    validity_gate: 14,
    evaluation_result: 26,
    error_tag: 9,
    annotation: 21,
    confidence_metadata: 15,
    verifier_spec: 8,
    rubric_models: 14,
  });
  expect(vectors.rubric).toHaveLength(61);
  expect(vectors.ingestion.read_verifier_artifacts).toHaveLength(38);
});

describe.each(STRICTNESSES)("with strictness %s", (strictness) => {
  describe.each(CONTRACTS)("contract %s", (contract) => {
    describe.each(Object.keys(vectors.models))("%s", (group) => {
      it.each(vectors.models[group] ?? [])("$id", (vector) => {
        const expected = (contract === "head" ? vector.expected_head : undefined) ?? vector.expected;
        const parsed = getParser(vector.model)(vector.input, { strictness, contract });
        expectAnswer(parsed, expected, strictness);
        // The reference dumps to JSON, where a NaN is null.
        if (parsed.ok) expect(JSON.parse(JSON.stringify(parsed.value))).toStrictEqual(expected.dump);
      });
    });

    it.each(vectors.ingestion.read_verifier_artifacts)(
      "ingestion $id",
      ({ input, expected, expected_head }) => {
        const answer = (contract === "head" ? expected_head : undefined) ?? expected;
        const parsed = ingestVerifierArtifacts({
          reward: input.reward_path_given ? toBytes(input.reward_json) : null,
          details: input.details_path_given ? toBytes(input.details_json) : null,
          outputParseable: input.output_parseable,
          schemaValid: input.schema_valid,
          contract,
          strictness,
        });
        expectAnswer(parsed, answer, "reference");
        if (!parsed.ok) return;
        const { reward, validity, breakdown, ...others } = parsed.value;
        expect({ reward, validity, breakdown }).toStrictEqual(answer.result);
        expect(others).toEqual({ error_taxonomy: null, confidence: null, annotations: null });
      },
    );

    it.each(Object.entries(vectors.real_verifier_outputs))(
      "what the verifier of %s wrote",
      (_task, files) => {
        const parsed = ingestVerifierArtifacts({
          reward: toBytes(files["reward.json"]),
          details: toBytes(files["details.json"]),
          outputParseable: true,
          schemaValid: true,
          contract,
          strictness,
        });
        expect(parsed).toMatchObject({
          ok: true,
          value: { reward: readReward(files["reward.json"]), breakdown: readJson(files["details.json"]) },
        });
      },
    );
  });

  const { base, cases } = vectors.feedback.feedback_annotation_validation;
  it.each(cases)("stored annotation $id", ({ patch, expected }) => {
    const stored = { ...base, ...patch };
    const parsed = parseFeedbackAnnotation(stored, { strictness });
    expectAnswer(parsed, expected, strictness);
    if (parsed.ok) expect(parsed.value).toEqual(stored);
  });
});

describe("rubrics", () => {
  it.each(vectors.rubric)("$id", ({ input, expected }) => {
    const { reward, dimensions } = scoreRubric(input.rubric, input.scores);
    expect(reward).toBe(expected.reward);
    expect(dimensions.map((row) => row.normalised)).toStrictEqual(expected.normalised);
    expect(dimensions).toMatchObject(expected.dimension_scores);
    expect(dimensions).toHaveLength(expected.dimension_scores.length);
  });

  it.each(vectors.rubric_details)("$id", ({ input, expected }) => {
    const result = scoreRubric(
      {
        dimensions: input.dimensions.map(([id, weight, max_score]) => ({
          id,
          weight,
          max_score,
          eval_method: "automated",
        })),
        rollup_strategy: input.rollup_strategy,
      },
      input.scores.map(
        ([dimension_id, score, max_score, evidence, eval_method_used, satisfied, unsatisfied]) => ({
          dimension_id,
          score,
          max_score,
          evidence,
          eval_method_used,
          satisfied,
          unsatisfied,
        }),
      ),
    );
    expect(result.reward).toBe(expected.reward);
    expect(toRubricDetails(result)).toStrictEqual(expected.details);
  });
});

describe("reviewers", () => {
  it.each(vectors.feedback.feedback_confidence)("confidence of $input.judgments", ({ input, expected }) => {
    const annotations = input.judgments.map((judgment, index) => ({
      judgment,
      reviewer_id: input.reviewers[index] ?? "",
    }));
    const confidence = confidenceOf(annotations, { adjudicated: input.adjudicated });
    expect(confidence).toEqual(expected);
    expect(agreementOf(input.judgments)).toBe(confidence.inter_rater_agreement);
  });

  it.each(vectors.feedback.adjudication)(
    "adjudication $id",
    ({ input: { judgments, ...decision }, expected }) => {
      const annotations = judgments.map((judgment, index) => ({
        judgment,
        annotation_id: `a${String(index)}`,
        trial_id: "trial-001",
        experiment_id: "experiment-001",
        task_id: "mechanical/heat-load/public-task",
        task_visibility: "public",
        categories: index === 0 ? ["z", "a"] : ["m", "a"],
      }));
      const resolved = resolveAdjudication(annotations, decision);
      if (expected.record !== undefined) expect(resolved).toEqual({ ok: true, value: expected.record });
      else expectAnswer(resolved, { ok: false, ...expected }, "reference");
    },
  );

  it.each(vectors.feedback.calibration)(
    "calibration $id",
    ({ input, expected: { weighting, ...expected } }) => {
      const { cases, ...options } = input;
      const calibration = calibrate(cases, options);
      expect(calibration).toEqual(expected);
      expect(weighting).toMatchObject({ calibration_score: calibration.agreement_rate });
    },
  );
});

it.each(vectors.loader.expected_output_path)("output path of: $input", ({ input, expected }) => {
  expect(findOutputPath(input)).toBe(expected.chosen);
});
