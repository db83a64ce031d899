import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import * as evaluation from "./index";

const folder = import.meta.dirname;
const root = path.join(folder, "..", "..", "..");
const sources = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

it.each(sources)("%s imports this folder, the scoring core and zod alone", (name) => {
  const text = readFileSync(path.join(folder, name), "utf8");
  const targets = [...text.matchAll(/\bfrom "([^"]+)"/g)].map((match) => match[1] ?? "");
  for (const target of targets) expect(target).toMatch(/^(\.\/[\w-]+|@\/lib\/core\/scoring|zod)$/);
});

it("is built as one file that imports zod and nothing else", () => {
  const out = mkdtempSync(path.join(tmpdir(), "assay-evaluation-"));
  try {
    const tool = path.join(root, "node_modules", "tsdown", "dist", "run.mjs");
    execFileSync(process.execPath, [tool, "--out-dir", out, "--no-dts", "-F", "evaluation"], { cwd: root });
    const code = readFileSync(path.join(out, "evaluation.js"), "utf8");
    const imports = [...code.matchAll(/^import\b.*?from "([^"]+)"|\bimport\("([^"]+)"\)|\brequire\(/gm)];
    expect(imports.map((match) => match[1] ?? match[2] ?? match[0])).toEqual(["zod"]);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

it("exports exactly the published names", () => {
  expect(Object.keys(evaluation).toSorted()).toEqual([
    "agreementOf",
    "calibrate",
    "computeRewardChange",
    "confidenceOf",
    "findOutputPath",
    "fitRubric",
    "ingestVerifierArtifacts",
    "listStatedWeights",
    "parseAnnotation",
    "parseConfidence",
    "parseDimensionScore",
    "parseErrorTag",
    "parseEvaluationResult",
    "parseFeedbackAnnotation",
    "parseRubric",
    "parseRubricDimension",
    "parseRubricResult",
    "parseVerifierSpec",
    "recomputeReward",
    "resolveAdjudication",
    "scoreRubric",
    "toRubricDetails",
  ]);
});
