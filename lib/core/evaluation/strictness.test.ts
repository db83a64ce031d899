import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import {
  ingestVerifierArtifacts,
  parseAnnotation,
  parseConfidence,
  parseErrorTag,
  parseEvaluationResult,
  parseRubric,
  type Parsed,
  type Strictness,
} from "./index";
import { getLeniency } from "./strictness";

const LEVELS: readonly Strictness[] = ["strict", "default", "reference"];
const validity = { output_parseable: true, schema_valid: true, verifier_completed: true };

type Read = (strictness: Strictness) => Parsed<unknown>;

function ofReward(json: string): Read {
  return (strictness) =>
    ingestVerifierArtifacts({
      reward: new TextEncoder().encode(json),
      details: null,
      outputParseable: true,
      schemaValid: true,
      strictness,
    });
}

function ofMoment(timestamp: unknown): Read {
  return (strictness) => parseAnnotation({ reviewer_id: "a", judgment: "pass", timestamp }, { strictness });
}

/** Each row of the table in README.md, and the strictnesses under which the case is read. */
const CASES: readonly [row: string, read: Read, readUnder: readonly Strictness[]][] = [
  ["otherTypesAsNumber", ofReward('{"reward": "0.5"}'), ["default", "reference"]],
  ["otherTypesAsNumber", ofReward('{"reward": true}'), ["default", "reference"]],
  [
    "otherTypesAsNumber",
    (strictness) => parseEvaluationResult({ reward: "0.5", validity }, { strictness }),
    ["default", "reference"],
  ],
  [
    "otherTypesAsNumber",
    (strictness) => parseConfidence({ annotator_count: "2" }, { strictness }),
    ["default", "reference"],
  ],
  ["underscores", ofReward('{"reward": "0_1"}'), ["default", "reference"]],
  ["foreignDigits", ofReward('{"reward": "\\u0661"}'), ["reference"]],
  [
    "wordsAsFlag",
    (strictness) =>
      parseEvaluationResult({ reward: 0, validity: { ...validity, schema_valid: "yes" } }, { strictness }),
    ["default", "reference"],
  ],
  [
    "nonFinite",
    (strictness) => parseConfidence('{"confidence_interval": [NaN, NaN]}', { strictness }),
    ["default", "reference"],
  ],
  ["looseTimestamps", ofMoment("2026-03-13T10:00:00"), ["default", "reference"]],
  ["looseTimestamps", ofMoment("2026-03-13"), ["default", "reference"]],
  ["looseTimestamps", ofMoment(1_773_396_000), ["default", "reference"]],
  ["shortEpochs", ofMoment("2026"), ["reference"]],
  ["shortEpochs", ofMoment(20_260_310), ["reference"]],
  ["absentRewardKey", ofReward('{"correctness": 1}'), ["default", "reference"]],
  ["exceptionForText", (strictness) => parseErrorTag({ category: 5, source: "human" }, { strictness }), []],
];

describe("the table of README.md", () => {
  it.each(CASES)("%s, %#", (_row, read, readUnder) => {
    expect(LEVELS.filter((level) => read(level).ok)).toEqual(readUnder);
  });

  it("has a row and a case for everything that a strictness decides", () => {
    const decided = Object.keys(getLeniency("default")).toSorted();
    expect([...new Set(CASES.map(([row]) => row))].toSorted()).toEqual(decided);
    const readme = readFileSync(path.join(import.meta.dirname, "README.md"), "utf8");
    const section = /^## Strictness$.*?(?=^## )/ms.exec(readme)?.[0] ?? "";
    const rows = [...section.matchAll(/^\| `(\w+)` +\|/gm)].map((match) => match[1]);
    expect(rows.toSorted()).toEqual(decided);
  });
});

it("says in words what the reference says with an exception", () => {
  const read = (strictness: Strictness): unknown =>
    parseErrorTag({ category: 5, source: "human" }, { strictness });
  const path_ = ["category"];
  expect(read("default")).toEqual({
    ok: false,
    issues: [{ path: path_, code: "string_type", message: "Input should be a valid string" }],
  });
  expect(read("reference")).toEqual({
    ok: false,
    issues: [{ path: path_, code: "AttributeError", message: "'int' object has no attribute 'strip'" }],
  });
});

it("reads declared types under every strictness", () => {
  const result = {
    reward: 0.5,
    validity: { ...validity, errors: [] },
    breakdown: { a: 1 },
    error_taxonomy: [{ category: "unit mismatch", description: null, source: "judge" }],
    confidence: {
      annotator_count: 2,
      inter_rater_agreement: 0.5,
      confidence_interval: [0.1, 0.2],
      confidence_method: "wilson",
    },
    annotations: [
      {
        reviewer_id: "a",
        reviewer_discipline: null,
        timestamp: "2026-03-13T10:00:00.500000+10:00",
        judgment: "defer",
        categories: [],
        notes: null,
      },
    ],
  };
  for (const strictness of LEVELS) {
    expect(parseEvaluationResult(result, { strictness })).toEqual({ ok: true, value: result });
  }
  expect(parseRubric({ dimensions: [] }, { strictness: "strict" }).ok).toBe(true);
});

it("keeps what the newest contract calls stewardship, and nothing where it is null", () => {
  const result = { reward: 0.5, validity, stewardship: { owner: "a" } };
  expect(parseEvaluationResult(result, { contract: "head" })).toMatchObject({
    value: { stewardship: { owner: "a" } },
  });
  const without = parseEvaluationResult({ ...result, stewardship: null }, { contract: "head" });
  expect(without.ok && Object.keys(without.value)).not.toContain("stewardship");
  expect(parseEvaluationResult(result)).toMatchObject({
    issues: [{ path: ["stewardship"], code: "extra_forbidden" }],
  });
});

it("reports both files of a verifier when both are broken", () => {
  const parsed = ingestVerifierArtifacts({
    reward: new TextEncoder().encode('{"reward": [}'),
    details: new Uint8Array([0x22, 0xe2, 0x82]),
    outputParseable: true,
    schemaValid: true,
  });
  expect(parsed).toEqual({
    ok: false,
    issues: [
      { path: ["reward"], code: "JSONDecodeError", message: "Expecting value: line 1 column 13 (char 12)" },
      {
        path: ["breakdown"],
        code: "UnicodeDecodeError",
        message: "'utf-8' codec can't decode bytes in position 1-2: unexpected end of data",
      },
    ],
  });
});
