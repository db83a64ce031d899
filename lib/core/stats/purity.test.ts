import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { expect, it } from "vitest";

import * as stats from "./index";

const folder = import.meta.dirname;
const root = path.join(folder, "..", "..", "..");
const sources = readdirSync(folder).filter((name) => /(?<!\.(test|fixture))\.ts$/.test(name));

it.each(sources)("%s imports this folder alone, and distributions.ts the library", (name) => {
  const text = readFileSync(path.join(folder, name), "utf8");
  const targets = [...text.matchAll(/\bfrom "([^"]+)"/g)].map((match) => match[1] ?? "");
  const allowed = name === "distributions.ts" ? /^@stdlib\/[\w-]+$/ : /^\.\/[\w-]+$/;
  for (const target of targets) expect(target).toMatch(allowed);
  expect(text).not.toMatch(/\b(process|globalThis|Math\.random|Date|performance)\b/);
});

it("is built as one file that imports nothing and computes the same", async () => {
  const out = mkdtempSync(path.join(tmpdir(), "assay-stats-"));
  try {
    const tool = path.join(root, "node_modules", "tsdown", "dist", "run.mjs");
    execFileSync(process.execPath, [tool, "--out-dir", out, "--no-dts", "-F", "stats"], { cwd: root });
    const file = path.join(out, "stats.js");
    const code = readFileSync(file, "utf8");
    expect(code.match(/^import\b.*|\bimport\(|\brequire\(|\bprocess\b\./gm)).toBeNull();
    const built: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href);
    expect(Object.keys(built ?? {}).toSorted()).toEqual(Object.keys(stats).toSorted());
    expect(built).toHaveProperty("computeJeffreysInterval");
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

it("exports exactly the published names", () => {
  expect(Object.keys(stats).toSorted()).toEqual([
    "DIMENSION_EDGES",
    "LEVEL",
    "adjustByHolm",
    "adjustTogether",
    "allocateLabels",
    "applyMissingRule",
    "chooseDouble",
    "compareTaskMeans",
    "computeAgreement",
    "computeAgreementByCategory",
    "computeAttemptsNeeded",
    "computeClopperPearsonInterval",
    "computeCoOccurrence",
    "computeCorrectedScore",
    "computeCorrelations",
    "computeCostPerPass",
    "computeDetectableDifference",
    "computeDimensionOverview",
    "computeDimensionSummary",
    "computeDistribution",
    "computeEquivalence",
    "computeErrorRate",
    "computeExpectedWin",
    "computeFailRates",
    "computeFixedTaskCurve",
    "computeGroupChanges",
    "computeHighFence",
    "computeItemRest",
    "computeJeffreysInterval",
    "computeLossShares",
    "computeLostReward",
    "computeMargin",
    "computeMcNemarTest",
    "computeMean",
    "computeMeanErrors",
    "computeMeanInterval",
    "computePace",
    "computePairConsistency",
    "computePairedComparison",
    "computePairingGain",
    "computeParetoFrontier",
    "computePassAtK",
    "computePassCurve",
    "computePassDifference",
    "computePassHatK",
    "computeRankSets",
    "computeRatioDifference",
    "computeRatioInterval",
    "computeReliability",
    "computeRunBounds",
    "computeRunToRun",
    "computeSaturation",
    "computeSensitivity",
    "computeShare",
    "computeShareDifference",
    "computeSkewedIntervals",
    "computeStratifiedShare",
    "computeSurvival",
    "computeTasksNeeded",
    "computeVerifierAccuracy",
    "computeWilsonInterval",
    "correctByCalibration",
    "correctByStratum",
    "correctByVerdict",
    "correctByVerdictOverTasks",
    "countConfusion",
    "countMissingLabels",
    "countSuccesses",
    "describeBasis",
    "describeUnavailable",
    "drawSample",
    "estimatePairedSpread",
    "planLabels",
    "readShift",
  ]);
});
