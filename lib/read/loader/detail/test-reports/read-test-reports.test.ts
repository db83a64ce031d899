import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { tallyTests } from "@/lib/core/domain/tally-tests";
import type { TestReport } from "@/lib/core/domain/trial-file";
import { type FolderFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { readTestReports } from "./read-test-reports";

const readFiles = (files: FolderFiles) => readTestReports(makeFolder(files), null);

/** File, whether it counts, and status and name of each test. */
function brief(reports: readonly TestReport[]): readonly unknown[] {
  return reports.map(({ file, isCounted, tests }) => [
    file,
    isCounted,
    tests.map(({ status, name }) => `${status} ${name}`),
  ]);
}

const ctrf = (...tests: readonly string[]) => ({
  results: {
    tool: { name: "t" },
    tests: tests.map((test) => ({ status: test.split(" ")[0], name: test.split(" ")[1] })),
  },
});

const junit = (cases: string): string => `<testsuites><testsuite name="s">${cases}</testsuite></testsuites>`;

async function readJUnit(text: string): Promise<TestReport | undefined> {
  return (await readFiles({ "verifier/junit.xml": text })).value[0];
}

test("CTRF anywhere below verifier/ is read, each file by its name", async () => {
  const { value, issues } = await readFiles({
    "verifier/reports/new-ctrf.json": ctrf("failed c"),
    "verifier/reports/base-ctrf.json": ctrf("passed a", "passed b"),
    "verifier/a/b/c.json": ctrf("skipped d"),
    "verifier/reports/other.json": { results: { tests: 4 } },
  });
  expect(brief(value)).toEqual([
    ["verifier/a/b/c.json", true, ["skipped d"]],
    ["verifier/reports/base-ctrf.json", true, ["passed a", "passed b"]],
    ["verifier/reports/new-ctrf.json", true, ["failed c"]],
  ]);
  expect(tallyTests(value)).toEqual({ nTests: 4, nPassed: 2, nFailed: 1, textFiles: [] });
  expect(issues).toEqual([]);
});

test("what was made from other reports counts, and these do not; the same file twice is one", async () => {
  const { value } = await readFiles({
    "verifier/ctrf.json": ctrf("passed a", "failed b"),
    "verifier/reports/base.json": ctrf("passed a"),
    "verifier/reports/copy.json": ctrf("passed a"),
    "verifier/reports/base.xml": junit(`<testcase name="a"/>`),
    "verifier/grade.json": { checks: [{ check: "builds", ok: true }] },
    "verifier/test-stdout.txt": "9 failed in 1.00s\n",
  });
  expect(brief(value)).toEqual([
    ["verifier/ctrf.json", true, ["failed b", "passed a"]],
    ["verifier/reports/base.json", false, ["passed a"]],
    ["verifier/reports/base.xml", false, ["passed a"]],
    ["verifier/grade.json", false, ["passed builds"]],
  ]);
  expect(tallyTests(value)).toMatchObject({ nTests: 2, nPassed: 1, nFailed: 1 });
});

test("a report without tests does not keep others from counting", async () => {
  const { value } = await readFiles({
    "verifier/ctrf.json": ctrf(),
    "verifier/grade.json": { checks: [{ check: "builds", ok: true }] },
  });
  expect(value.map(({ file, isCounted }) => [file, isCounted])).toEqual([
    ["verifier/grade.json", true],
    ["verifier/ctrf.json", false],
  ]);
});

test("steps have reports of their own, and a link within the trial is followed for Harbor's own report", async () => {
  const trial = makeFolder({
    "steps/one/verifier/junit.xml": junit(`<testcase name="a"/>`),
    "steps/two/verifier/real.txt": JSON.stringify(ctrf("passed b")),
  });
  symlinkSync("real.txt", join(trial, "steps/two/verifier/ctrf.json"));
  const { value } = await readTestReports(trial, ["one", "two"]);
  expect(value.map(({ step, form, nTests }) => [step, form, nTests])).toEqual([
    ["one", "junit", 1],
    ["two", "ctrf", 1],
  ]);
});

test("JUnit XML: status, names, seconds, message and text of each case", async () => {
  const report = await readJUnit(`<?xml version="1.0" encoding="utf-8"?>
<testsuites name="all" tests="7" time="1">
  <testsuite name="inner"><properties><property name="x" value="y"/></properties>
    <testcase classname="tests.test_a" name="passes &lt;1&gt;" time="0.25"/>
    <testcase classname="tests.test_a" name="fails" time="1e-3">
      <system-out>not of the failure</system-out>
      <failure message="1 != 2" type="AssertionError">line 1
&#x1B;[31mline&#x1B;[0m 2<![CDATA[ & <3>]]></failure>
    </testcase>
    <testcase name="breaks" time="-1"><error><inner>text</inner></error><skipped/></testcase>
    <testsuite name="nested">
      <testcase classname="same" name="same" time="1,5"><skipped message="later"/></testcase>
      <testcase><system-err>e</system-err></testcase>
      <testcase name="g" status="notrun" time="0"/>
      <testcase name="odd" status="failed"/>
      <testcase name="deep"><properties><failure message="of a property">x</failure></properties></testcase>
    </testsuite>
    <failure message="of no case"/>
  </testsuite>
</testsuites>`);
  const plain = { message: null, trace: null };
  expect(report).toMatchObject({ form: "junit", tool: null, nTests: 8, nPassed: 3, nFailed: 2 });
  expect(report?.tests).toEqual([
    {
      name: "tests.test_a > fails",
      status: "failed",
      durationMs: 1,
      message: "1 != 2",
      trace: "line 1\nline 2 & <3>",
    },
    { ...plain, name: "breaks", status: "failed", durationMs: null, trace: "text" },
    { ...plain, name: "tests.test_a > passes <1>", status: "passed", durationMs: 250 },
    { ...plain, name: "same", status: "skipped", durationMs: null, message: "later" },
    { ...plain, name: "unnamed test", status: "passed", durationMs: null },
    { ...plain, name: "g", status: "skipped", durationMs: 0 },
    { ...plain, name: "odd", status: "other", durationMs: null },
    { ...plain, name: "deep", status: "passed", durationMs: null },
  ]);
});

test("XML of other kinds is no report, and JUnit XML that cannot be read is an issue", async () => {
  const { value, issues } = await readFiles({
    "verifier/coverage.xml": `<!DOCTYPE coverage SYSTEM "x"><coverage/>`,
    "verifier/page.xml": `<html><testsuite/></html>`,
    "verifier/empty.xml": "",
    "verifier/laughs.xml": `<!DOCTYPE x [<!ENTITY a "b">]><testsuites>&a;</testsuites>`,
    "verifier/torn.xml": junit(`<testcase name="a"/>`).slice(0, -5),
  });
  expect(value).toEqual([]);
  expect(issues.map(({ code, path }) => [code, path])).toEqual([
    ["report_unreadable", "verifier/laughs.xml"],
    ["report_unreadable", "verifier/torn.xml"],
  ]);
});

test.each<readonly [unknown, readonly string[] | null]>([
  [
    {
      checks: [
        { check: "a", ok: true, why: "" },
        { check: "b", ok: false },
      ],
    },
    ["failed b", "passed a"],
  ],
  [{ results: [{ check: "a", ok: true }, { check: "b" }], all_ok: true }, ["passed a", "other b"]],
  [
    {
      results: [
        { name: "a", status: "PASS" },
        { name: "b", status: "error" },
        { name: "c", status: "odd" },
      ],
    },
    ["failed b", "passed a", "other c"],
  ],
  [[{ check: "a", ok: true }], ["passed a"]],
  [
    { checks: { a: true, b: { passed: false }, c: { outcome: "not_applicable" } } },
    ["failed b", "passed a", "skipped c"],
  ],
  [{ tests: [{ nodeid: "a.py::b", outcome: "passed" }] }, ["passed a.py::b"]],
  [
    {
      criteria: [
        { name: "a", ok: null },
        { name: "b", ok: true },
      ],
    },
    ["other a", "passed b"],
  ],
  // Nothing says that these are checks.
  [[{ name: "span", status: "ok", checks: [] }], null],
  [{ checks: [{ check: "a" }] }, null],
  [{ checks: ["a", "b"] }, null],
  [{ checks: [{ check: "a", ok: true }, { ok: true }] }, null],
  [{ checks: [] }, null],
  [{ checks: {} }, null],
  [{ checks: { a: 1, b: true } }, null],
  [{ results: [{ name: "model", status: "published" }] }, null],
  [{ results: [{ name: "model", score: 1 }] }, null],
  [{ results: { a: true } }, null],
  [{ shapes: [{ name: "1x2", status: "OK" }] }, null],
  [{ ok: true, check: "a" }, null],
])("checks of %j", async (json, expected) => {
  const { value, issues } = await readFiles({ "verifier/grade.json": JSON.stringify(json) });
  expect(value[0]?.tests.map(({ status, name }) => `${status} ${name}`) ?? null).toEqual(expected);
  expect(issues).toEqual([]);
});

test("a check has its reason, and a duration where its unit is stated", async () => {
  const checks = [
    { check: "a", ok: false, why: "x", duration: 3 },
    { id: "b", pass: true, duration_ms: 4 },
  ];
  const { value } = await readFiles({ "verifier/grade.json": JSON.stringify({ checks }) });
  expect(value[0]?.tests.map(({ message, durationMs }) => [message, durationMs])).toEqual([
    ["x", null],
    [null, 4],
  ]);
});

test("rewards and details are not checks, and JSON that cannot be a report is not parsed", async () => {
  const checks = { checks: [{ name: "a", ok: true }] };
  const { value, issues } = await readFiles({
    "verifier/reward.json": checks,
    "verifier/details.json": checks,
    "verifier/reward-details.json": checks,
    "verifier/metrics.json": '{"ttft_ms": 1',
  });
  expect({ value, issues }).toEqual({ value: [], issues: [] });
});

test("a torn report is an issue, and the text of the run is read in its place", async () => {
  const { value, issues } = await readFiles({
    "verifier/ctrf.json": '{"results": {"tests": [',
    "verifier/test-stdout.txt": "= 1 failed, 14 passed in 2.87s =\n",
  });
  expect(issues.map(({ code }) => code)).toEqual(["json_torn"]);
  expect(value.map(({ form, nTests }) => [form, nTests])).toEqual([["text", 15]]);
  const foreign = await readFiles({ "verifier/ctrf.json": { tests: "none" } });
  expect(foreign.value).toEqual([]);
  expect(foreign.issues).toMatchObject([{ code: "field_invalid", path: "verifier/ctrf.json" }]);
});

test("text is read where there is no report: Harbor's log, or else others, each run once", async () => {
  const log = "= 2 passed in 1.00s =\n";
  const { value } = await readFiles({
    "verifier/test-stdout.txt": log,
    "verifier/a.log": "= 5 failed in 1.00s =\n",
    "verifier/reward.txt": log,
  });
  expect(value.map(({ file }) => file)).toEqual(["verifier/test-stdout.txt"]);
  expect(tallyTests(value)).toEqual({
    nTests: 2,
    nPassed: 2,
    nFailed: 0,
    textFiles: ["verifier/test-stdout.txt"],
  });
  const others = await readFiles({
    "verifier/test-stdout.txt": "nothing\n",
    "verifier/a.log": log,
    "verifier/b.log": `the same\n${log}`,
    "verifier/c.txt": "= 1 failed in 1.00s =\n",
    "verifier/sub/d.txt": "= 7 failed in 1.00s =\n",
    "verifier/reward.txt": "= 8 failed in 1.00s =\n",
  });
  expect(others.value.map(({ file, nTests }) => [file, nTests])).toEqual([
    ["verifier/a.log", 2],
    ["verifier/c.txt", 1],
  ]);
});

test("totals that one report does not state are unknown for all", async () => {
  const { value } = await readFiles({
    "verifier/a.log": "= 2 passed in 1.00s =\n",
    "verifier/b.log": "= test session starts =\na.py::b PASSED [100%]\n",
  });
  expect(tallyTests(value)).toMatchObject({ nTests: null, nPassed: null, nFailed: null });
  expect(tallyTests([])).toBeNull();
});

test("a trial of very many or very large reports ends at its limits, and says so", async () => {
  const files = Array.from({ length: 230 }, (_, at) => [
    `verifier/r/${at}.json`,
    JSON.stringify(ctrf(`passed t${at}`)),
  ]);
  const many = await readFiles(Object.fromEntries(files) as FolderFiles);
  expect(many.value).toHaveLength(200);
  expect(many.issues).toMatchObject([{ code: "file_too_large" }]);
  const cases = (n: number): string => junit(`<testcase name="${n}"/>${"<testcase/>".repeat(200_000)}`);
  const long = await readFiles({
    "verifier/1.xml": cases(1),
    "verifier/2.xml": cases(2),
    "verifier/3.xml": cases(3),
    "verifier/4.xml": cases(4),
  });
  expect(long.value.map(({ file }) => file)).toEqual(["verifier/1.xml", "verifier/2.xml", "verifier/3.xml"]);
  expect(long.issues).toMatchObject([{ code: "file_too_large", path: "verifier/3.xml" }]);
  const large = " ".repeat((16 << 20) + 1);
  const { issues } = await readFiles({ "verifier/ctrf.json": large, "verifier/spans.json": large });
  expect(issues.map(({ code, path }) => [code, path])).toEqual([["file_too_large", "verifier/ctrf.json"]]);
});
