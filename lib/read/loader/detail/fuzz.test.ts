import { writeFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";

import { FILE_FORMS } from "@/lib/core/domain/file-view";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { arbitraryMutation, withinTime } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";
import { askPython, describeValue } from "@/lib/testing/python-truth.fixture";

import { readPythonTexts } from "../trace/raw-trajectory";
import {
  collectDerivedDetails,
  listDetailsTags,
  parseDetailsFile,
  toBreakdownSource,
  readBreakdown,
} from "./details-file";
import { parseChecks as parseCheckRows, readChecksRoot } from "./dimensions";
import { parseJsonValues } from "./files/json-tree";
import { parseCast } from "./files/preview-recording";
import { parseLooseJson } from "./parse-loose-json";
import { readEvaluationFiles } from "./read-evaluation-files";
import { parseAnalysis, readAnalysis, readArtifactManifests, readJobReport } from "./read-evidence";
import { readTrialFile } from "./read-trial-file";
import { prepareTextBlock } from "./terminal-text";
import { parseJUnit } from "./test-reports/parse-junit";
import { parseRunnerText } from "./test-reports/parse-runner-text";
import { parseChecks, parseCtrf, readTestReports } from "./test-reports/read-test-reports";
import type { ReadReport } from "./test-reports/report";

const PYTEST = `========== test session starts ==========
tests/a.py::test_a PASSED [ 50%]
tests/a.py::test_b[x] SKIPPED (no file) [100%]
========== short test summary info ==========
FAILED tests/a.py::test_c[a - b] - AssertionError: 1 != 2
========== 1 failed, 1 passed, 1 skipped in 2.87s (0:00:02) ==========
`;
const PLAYWRIGHT = `Running 2 tests using 1 worker
  ✘  1 [chromium] › a.spec.ts:3:1 › title (12ms)
  ✓  2 [chromium] › a.spec.ts:3:1 › title (retry #1) (1.2s)
  1 flaky
  1 passed (2.1s)
`;
const JUNIT = `<?xml version="1.0" encoding="utf-8"?>
<testsuites name="all"><testsuite name="s" tests="2" failures="1" time="0.5">
<testcase classname="a" name="b &lt;1&gt;" time="0.25"/>
<testcase name="c"><failure message="&#49; != 2">line<![CDATA[ & ]]></failure><!-- x --></testcase>
<testcase name="d"><skipped/></testcase>
</testsuite></testsuites>
`;
const REWARD_DETAILS = {
  reward: 0.5,
  style: {
    score: 1,
    max_score: 2,
    weight: 0.5,
    criteria: [{ name: "c", score: 1, satisfied: true, reason: "x" }],
  },
};
const DETAILS = {
  dimensions: { depth: { score: 0.5, evidence: "line 3", weight: 2 }, width: { score: "1/3" } },
  validity: { depth: false },
  error_tags: ["wrong", { tag: "late", reason: "x" }],
};
const CTRF = {
  results: {
    tool: { name: "pytest", version: "8" },
    summary: { tests: 1, passed: 0, failed: 1, start: 1, stop: 2 },
    tests: [{ name: "test_a", status: "failed", duration: 5, message: "assert", trace: "File a\\n  b" }],
  },
};
const CHECKS = {
  checks: [
    { check: "builds", ok: false, why: "no compiler" },
    { name: "runs", status: "passed" },
  ],
};
const ANALYSIS = {
  trial_name: "t",
  summary: "It stopped.",
  checks: { a: { outcome: "pass", explanation: "b" } },
};
const REPORT = { results: [{ task_name: "alpha", checks: { a: { outcome: "fail", explanation: "b" } } }] };
const EVALUATION = {
  schema: "evaluation/1",
  rubric: { dimensions: [{ id: "a", weight: 0.5 }] },
  gates: [{ id: "g", passed: true }],
  reward: 0.5,
};
const CAST =
  '{"version": 2, "width": 80, "height": 24}\n[1.5, "o", "x\\r\\n"]\n[2, "r", "100x30"]\n[3, "m", "here"]\n';
const NOTEBOOK = {
  cells: [{ cell_type: "code", source: ["x"], outputs: [{ output_type: "stream", text: ["y"] }] }],
};

/** A file of a trial at its reader's path, in its intended form. */
const FILES: Readonly<Record<string, string>> = {
  "verifier/reward-details.json": JSON.stringify(REWARD_DETAILS),
  "verifier/details.json": JSON.stringify(DETAILS),
  "verifier/ctrf.json": JSON.stringify(CTRF),
  "verifier/grade.json": JSON.stringify(CHECKS),
  "verifier/evaluation.json": JSON.stringify(EVALUATION),
  "analysis.json": JSON.stringify(ANALYSIS),
  "check_report.json": JSON.stringify(REPORT),
  "artifacts/manifest.json": '[{"source": "/app/x", "destination": "x", "type": "file", "status": "ok"}]',
  "verifier/reports/junit.xml": JUNIT,
  "verifier/test-stdout.txt": PYTEST,
  "agent/playwright.txt": PLAYWRIGHT,
  "agent/a.cast": CAST,
  "agent/a.csv": 'a,"b, c"\n1,"x\ny"\n',
  "agent/a.ipynb": JSON.stringify(NOTEBOOK),
  "agent/python.txt": `['a', "b\\n", b'x', {'c': None}]\u001B[31mred\u001B[0m\r\n`,
};
const TEXTS = Object.values(FILES);
const place = { file: "verifier/x", step: null };

it("every text of a verifier is a report that adds up, none, or an issue", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryMutation(TEXTS), ({ text }) =>
      withinTime(() => {
        for (const kind of ["reward-details", "details"] as const) {
          const parsed = parseDetailsFile(text, { ...place, kind });
          if (!parsed.ok || parsed.value === null) continue;
          toBreakdownSource(parsed.value);
          listDetailsTags([parsed.value]);
          collectDerivedDetails([parsed.value], null, () => undefined);
        }
        const root = readChecksRoot(text);
        if (root !== null) parseCheckRows(root);
        const json = parseLooseJson(text, place.file);
        if (json.ok) {
          parseAnalysis(json.value);
          expectSum(parseCtrf(json.value, place) ?? parseChecks(json.value, place));
        }
        const junit = parseJUnit(text, place);
        if (junit.ok) expectSum(junit.value);
        expectSum(parseRunnerText(text, place));
      }),
    ),
    planRuns({ short: 200, long: 90_000 }),
  );
});

it("a JUnit report has the tests that Python's reader of XML finds in it", () => {
  const { numRuns, seed } = planRuns({ short: 500, long: 40_000 });
  const cases = fc.sample(arbitraryMutation([JUNIT]), { numRuns, seed });
  const truths = askPython(
    "junit",
    cases.map(({ bytes }) => bytes),
  );
  for (const [at, one] of cases.entries()) {
    const truth = truths?.[at];
    const report = parseJUnit(one.text, place);
    // Any document type is refused.
    if (truth?.startsWith("[") !== true || (!report.ok && one.text.includes("<!DOCTYPE"))) continue;
    const tests = report.ok ? (report.value?.tests ?? []) : [];
    const found = tests.map(({ status }) => (status === "failed" || status === "skipped" ? status : "other"));
    expect(describeValue(found.toSorted()), JSON.stringify(one.text)).toBe(truth);
  }
});

it("a text that JSON.parse takes has values for a page, and one that has a fault is none", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryMutation(TEXTS), ({ text }) =>
      withinTime(() => {
        const values = parseJsonValues(text);
        if (isJson(text)) expect(values).toHaveProperty("children");
        parseCast(text);
        readPythonTexts(text);
        prepareTextBlock(text, { maxLines: 200, maxLineChars: 1_000, maxBytes: 100_000 });
      }),
    ),
    planRuns({ short: 200, long: 90_000 }),
  );
});

it("every file of a trial is read in every form, with any content", async () => {
  const folder = makeFolder(FILES, "alpha__aaaaaaa");
  const names = Object.keys(FILES);
  await fc.assert(
    fc.asyncProperty(
      arbitraryMutation(TEXTS),
      fc.constantFrom(...FILE_FORMS, null),
      async ({ sample, bytes }, form) => {
        const file = names[sample] ?? "";
        writeFileSync(join(folder, file), bytes);
        await withinTime(async () => {
          await readTrialFile(folder, file, { form, line: null, from: null, end: "start" });
          const { value } = await readTestReports(folder, null);
          value.forEach(expectSum);
          await readBreakdown(folder);
          await readAnalysis(folder);
          await readEvaluationFiles(folder, null);
          await readArtifactManifests(folder, null);
          await readJobReport(folder, "check");
        });
        writeFileSync(join(folder, file), TEXTS[sample] ?? "");
      },
    ),
    planRuns({ short: 60, long: 10_000 }),
  );
});

function expectSum(report: Omit<ReadReport, "isCounted"> | null): void {
  if (report === null) return;
  const { nTests, nPassed, nFailed } = report;
  const counts = [nTests, nPassed, nFailed];
  expect(counts.every((count) => count === null || (Number.isSafeInteger(count) && count >= 0))).toBe(true);
  if (nTests !== null) expect((nPassed ?? 0) + (nFailed ?? 0)).toBeLessThanOrEqual(nTests);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
