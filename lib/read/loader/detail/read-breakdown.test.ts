import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import type { BreakdownDimension } from "@/lib/core/domain/breakdown";

import { readTrialDerivedDetails } from "../harbor/read-derived-details";
import { readBreakdown } from "./details-file";

let trial: string;
beforeEach(() => {
  trial = mkdtempSync(join(tmpdir(), "assay-breakdown-"));
});
afterEach(() => rmSync(trial, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(trial, path)), { recursive: true });
  writeFileSync(join(trial, path), typeof content === "string" ? content : JSON.stringify(content));
}

/** Index data of the trial, whose folder is read differently for its page. */
async function derivedDetailsOf(stepNames: readonly string[] | null = null) {
  const root = { index: 0, label: "root", path: dirname(trial) };
  return (await readTrialDerivedDetails(root, basename(trial), stepNames)).derivedDetails;
}

async function dimensionsOf(details: unknown, file = "details.json"): Promise<readonly BreakdownDimension[]> {
  put(`verifier/${file}`, details);
  return (await readBreakdown(trial)).sources[0]?.dimensions ?? [];
}

test("documented rows give a share of their maximum, and a score above it is cut and said to be", async () => {
  const rows = await dimensionsOf({
    drop: { score: 1.9, max_score: 2, evidence: "within 2 %" },
    extra: { score: 5, max_score: 4 },
    odd: { score: 1, max_score: 0 },
  });
  expect(
    rows.map((row) => [row.name, row.score, row.maxScore, row.normalised, row.clamped, row.evidence]),
  ).toEqual([
    ["drop", 1.9, 2, 0.95, false, "within 2 %"],
    ["extra", 5, 4, 1, true, null],
    ["odd", 1, 0, null, false, null],
  ]);
});

test("rubric rows keep their criteria, and the scalar reward next to them is not a dimension", async () => {
  put("verifier/details.json", {
    reward: 0.6,
    clarity: {
      score: 3,
      max_score: 5,
      evidence: "ok",
      eval_method: "llm",
      satisfied: ["states units"],
      unsatisfied: ["cites code"],
    },
  });
  const { sources } = await readBreakdown(trial);
  expect(sources[0]?.statedReward).toBe("0.6");
  expect(sources[0]?.dimensions.map((row) => row.name)).toEqual(["clarity"]);
  expect(sources[0]?.dimensions[0]?.criteria.map((entry) => [entry.name, entry.satisfied])).toEqual([
    ["states units", true],
    ["cites code", false],
  ]);
  expect(sources[0]?.dimensions[0]?.method).toBe("llm");
});

test("bare numbers between 0 and 1 are shares, whole numbers next to a larger one are counts", async () => {
  const shares = await dimensionsOf({ voltage: 1, percent: 0.5, flag: true });
  expect(shares.map((row) => row.normalised)).toEqual([1, 0.5, 1]);
  const counts = await dimensionsOf({ n_planted: 5, detected: 1, recall: 0.2, gap: "NaN" });
  expect(counts.map((row) => [row.name, row.score, row.scoreText, row.normalised])).toEqual([
    ["n_planted", 5, "5", null],
    ["detected", 1, "1", null],
    ["recall", 0.2, "0.2", 0.2],
    ["gap", null, "NaN", null],
  ]);
});

test("a bare NaN literal shows as written and is no score", async () => {
  const rows = await dimensionsOf('{"accuracy": NaN, "recall": 0.5}');
  expect(rows.map((row) => [row.score, row.scoreText])).toEqual([
    [null, "NaN"],
    [0.5, "0.5"],
  ]);
});

test("nested objects are groups, gates carry their items, unknown shapes stay raw", async () => {
  const rows = await dimensionsOf({
    room_1: { area: 1.0, volume: 0.5 },
    gates: {
      score: 0.5,
      items: [
        { name: "units", passed: true },
        { name: "range", passed: false, detail: "too high" },
      ],
    },
    flags: { score: 1, items: { a: true, b: { passed: false } } },
    log: ["x", 1],
    note: null,
  });
  expect(rows[0]?.children.map((row) => [row.name, row.normalised])).toEqual([
    ["area", 1],
    ["volume", 0.5],
  ]);
  expect(rows[1]?.criteria.map((entry) => [entry.name, entry.satisfied, entry.description])).toEqual([
    ["units", true, null],
    ["range", false, "too high"],
  ]);
  expect(rows[2]?.criteria.map((entry) => [entry.name, entry.satisfied])).toEqual([
    ["a", true],
    ["b", false],
  ]);
  expect(rows[3]?.rawJson).toBe('[\n  "x",\n  1\n]');
  expect(rows[4]?.rawJson).toBe("null");
});

test.each([
  [
    '{"readable": {"score": 5, "reasoning": "Clear names."}, "short": {"score": 9, "reasoning": "One query."}}',
    "Clear names. One query.",
  ],
  ['{"score": 5}', '{"score": 5}'],
  ['{"torn": ', '{"torn": '],
  ["Fine as it is.", "Fine as it is."],
])("a judge's answer %s is shown as words", async (answer, words) => {
  const leaf = { score: 0.5, kind: "llm", criteria: [], judge_output: answer };
  const [row] = await dimensionsOf({ style: leaf }, "reward-details.json");
  expect(row?.evidence).toBe(words);
});

test("reward-details.json: leaf, list of leaves and weighted group", async () => {
  const criterion = { name: "imports", value: 0.5, raw: "half", weight: 2, reasoning: "1 of 2", error: null };
  const leaf = {
    score: 0.75,
    kind: "llm",
    criteria: [criterion],
    judge_output: "mostly",
    warnings: ["long"],
  };
  const rows = await dimensionsOf(
    {
      style: leaf,
      pair: [leaf, { score: 2, kind: "programmatic", criteria: [] }],
      all: {
        kind: "group",
        score: 0.9,
        aggregation: "threshold",
        threshold: 0.7,
        components: [{ name: "s", weight: 3, detail: leaf }],
      },
    },
    "reward-details.json",
  );
  expect(rows[0]).toMatchObject({
    score: 0.75,
    normalised: 0.75,
    method: "llm",
    evidence: "mostly",
    warnings: ["long"],
  });
  expect(rows[0]?.criteria[0]).toMatchObject({
    name: "imports",
    value: 0.5,
    weight: 2,
    reasoning: "1 of 2",
    error: null,
  });
  expect(rows[1]?.children.map((row) => [row.name, row.normalised, row.clamped])).toEqual([
    ["pair 1", 0.75, false],
    ["pair 2", 1, true],
  ]);
  expect(rows[2]).toMatchObject({ score: 0.9, method: "threshold 0.7" });
  expect(rows[2]?.children[0]).toMatchObject({ name: "s", weight: 3, normalised: 0.75 });
});

test("derivedDetails: shares by name, groups by path, steps by prefix, tags from details and failed checks", async () => {
  put("verifier/details.json", {
    area: 0.5,
    room: { height: 1, width: { score: 1, max_score: 4 } },
    error_taxonomy: [
      { category: "wrong unit", description: "kV for V", source: "human" },
      { category: " ", source: "judge" },
      "off by one",
    ],
  });
  put("steps/plan/verifier/details.json", { area: 0.25 });
  put("analysis.json", {
    trial_name: "t",
    summary: "s",
    checks: {
      reward_hacking: { outcome: "fail", explanation: "read /tests" },
      task_specification: { outcome: "pass" },
    },
  });
  const { dimensions, errorTags } = await derivedDetailsOf();
  expect([...dimensions].map(([name, { share }]) => [name, share])).toEqual([
    ["area", 0.5],
    ["room.height", 1],
    ["room.width", 0.25],
    ["plan: area", 0.25],
  ]);
  expect(errorTags).toEqual([
    { category: "wrong unit", description: "kV for V", source: "human" },
    { category: "off by one", description: null, source: "mechanical" },
    { category: "reward_hacking", description: "read /tests", source: "judge" },
  ]);
});

test("a torn file is an issue, and the other file is still read", async () => {
  put("verifier/details.json", '{"a": 0.');
  put("verifier/reward-details.json", { a: { score: 1, kind: "programmatic", criteria: [] } });
  const { sources, issues } = await readBreakdown(trial);
  expect(sources.map((source) => source.file)).toEqual(["verifier/reward-details.json"]);
  expect(issues).toMatchObject([{ code: "json_torn", path: "verifier/details.json" }]);
});

test("an endlessly nested file is an issue, and files next to it are still read", async () => {
  put("verifier/details.json", { drop: 0.5 });
  put("verifier/reward-details.json", `{"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
  const { sources, issues } = await readBreakdown(trial);
  expect(sources.map(({ file }) => file)).toEqual(["verifier/details.json"]);
  expect(issues).toMatchObject([{ code: "json_torn", path: "verifier/reward-details.json" }]);
  expect([...(await derivedDetailsOf()).dimensions.keys()]).toEqual(["drop"]);
});

test("steps are read in run order, even if a result names thousands without a folder", async () => {
  put("steps/build/verifier/details.json", { drop: 0.5 });
  put("steps/check/verifier/details.json", { drop: 1 });
  const names = [
    "check",
    "..",
    ...Array.from({ length: 20_000 }, (_, index) => `s${index}`),
    "build",
    "check",
  ];
  const { sources, issues } = await readBreakdown(trial, names);
  expect(sources.map(({ step }) => step)).toEqual(["check", "build"]);
  expect(issues).toEqual([]);
  expect([...(await derivedDetailsOf(names)).dimensions].map(([name, { share }]) => [name, share])).toEqual([
    ["check: drop", 1],
    ["build: drop", 0.5],
  ]);
});

test("a link in place of the steps is not listed when it leads out of the trial", async () => {
  const outside = mkdtempSync(join(tmpdir(), "assay-outside-"));
  mkdirSync(join(outside, "private"));
  symlinkSync(outside, join(trial, "steps"));
  const { sources, issues } = await readBreakdown(trial);
  rmSync(outside, { recursive: true });
  expect({ sources, issues }).toEqual({ sources: [], issues: [] });
});

test("derivedDetails are not read through a verifier folder that leads out of the opened one", async () => {
  const outside = mkdtempSync(join(tmpdir(), "assay-outside-"));
  writeFileSync(join(outside, "details.json"), JSON.stringify({ secret: 1 }));
  symlinkSync(outside, join(trial, "verifier"));
  const root = { index: 0, label: "root", path: trial };
  expect((await readTrialDerivedDetails(root, ".", null)).derivedDetails.dimensions.size).toBe(0);
  rmSync(join(trial, "verifier"));
  put("verifier/analysis-of-another.json", {});
  symlinkSync(join(outside, "details.json"), join(trial, "verifier/details.json"));
  const { derivedDetails, issues } = await readTrialDerivedDetails(root, ".", null);
  rmSync(outside, { recursive: true });
  expect(derivedDetails.dimensions.size).toBe(0);
  expect(issues).toMatchObject([{ code: "link_outside_root", path: "root/verifier/details.json" }]);
});

test("a torn details file is an issue of derivedDetails, and the analysis next to it still counts", async () => {
  put("verifier/details.json", '{"a": 0.');
  put("analysis.json", { checks: { reward_hacking: { outcome: "fail" } } });
  const root = { index: 0, label: "root", path: dirname(trial) };
  const { derivedDetails, issues } = await readTrialDerivedDetails(root, basename(trial), null);
  expect(issues).toMatchObject([
    { code: "json_torn", path: `root/${basename(trial)}/verifier/details.json` },
  ]);
  expect(derivedDetails.errorTags).toMatchObject([{ category: "reward_hacking", source: "judge" }]);
});

test("named checks of a verifier's own report are dimensions of 0 or 1, with why as evidence", async () => {
  put("verifier/kernel_grade.json", {
    checks: [
      { check: "builds", ok: true, why: "exit code 0" },
      { check: "faster_2x", ok: false, why: "1.3 times" },
      { check: "no verdict" },
      "not a check",
    ],
    ok: false,
  });
  put("verifier/baseline.json", { latency: 3 });
  put("verifier/ctrf.json", { checks: [{ check: "of another reader", ok: true }] });
  const { sources } = await readBreakdown(trial);
  expect(sources.map(({ file }) => file)).toEqual(["verifier/kernel_grade.json"]);
  expect(
    sources[0]?.dimensions.map(({ name, score, normalised, evidence, method }) => [
      name,
      score,
      normalised,
      evidence,
      method,
    ]),
  ).toEqual([
    ["builds", 1, 1, "exit code 0", "check"],
    ["faster_2x", 0, 0, "1.3 times", "check"],
  ]);
  const kept = await derivedDetailsOf();
  expect([...kept.dimensions].map(([name, { share }]) => [name, share])).toEqual([
    ["builds", 1],
    ["faster_2x", 0],
  ]);
  // Other trials without such a report lack nothing.
  expect(kept.hasDetails).toBe(false);
});

test("a report of checks through a link out of the trial, or one that is broken, says nothing", async () => {
  const outside = mkdtempSync(join(tmpdir(), "assay-outside-"));
  writeFileSync(join(outside, "grade.json"), JSON.stringify({ checks: [{ check: "secret", ok: true }] }));
  put("verifier/broken.json", '{"checks": [');
  symlinkSync(join(outside, "grade.json"), join(trial, "verifier/grade.json"));
  const { sources, issues } = await readBreakdown(trial);
  expect([sources, issues]).toEqual([[], []]);
  rmSync(outside, { recursive: true, force: true });
});
