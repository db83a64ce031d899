import { createHash } from "node:crypto";

import type { LoadIssue, Parsed } from "@/lib/core/domain/load-issue";
import type { TestReport, TrialFileEntry, TestCase } from "@/lib/core/domain/trial-file";

import { FILE_LIMITS } from "../../file-access";
import { DETAILS_KINDS, listVerifierFolders } from "../details-file";
import { isObject, type JsonObject, pickNumber, pickText, listOr, objectOr } from "../json-shape";
import { listTrialFiles, chooseStepFolders } from "../list-trial-files";
import { readTextInside } from "../open-inside";
import { parseLooseJson } from "../parse-loose-json";
import type { Reading } from "../read-evidence";
import { parseJUnit } from "./parse-junit";
import { parseRunnerText } from "./parse-runner-text";
import { type ReadReport, type ReportPlace, makeReport } from "./report";

const MAX_TRIAL_BYTES = 64 << 20;
const MAX_TRIAL_FILES = 200;
const MAX_TRIAL_TESTS = 500_000;
const MAX_LOGS = 16;

const OTHER_FILES: ReadonlySet<string> = new Set([
  "reward.json",
  ...DETAILS_KINDS.map((kind) => `${kind}.json`),
]);
const REPORT_NAME = /ctrf|junit|report/i;
const REPORT_KEYS = ['"tests"', '"checks"', '"results"', '"criteria"', '"check"'] as const;

interface Search {
  readonly trialPath: string;
  readonly issues: LoadIssue[];
  bytesLeft: number;
  filesLeft: number;
  testsLeft: number;
}

/** Reads CTRF, JUnit XML and named checks below all `verifier/` folders, else printed runs. Skips lookalikes without an issue. */
export async function readTestReports(
  trialPath: string,
  stepNames: readonly string[] | null,
): Promise<Reading<readonly TestReport[]>> {
  const search: Search = {
    trialPath,
    issues: [],
    bytesLeft: MAX_TRIAL_BYTES,
    filesLeft: MAX_TRIAL_FILES,
    testsLeft: MAX_TRIAL_TESTS,
  };
  const reports: TestReport[] = [];
  for (const { folder, step } of listVerifierFolders(await chooseStepFolders(trialPath, stepNames)))
    reports.push(...chooseCounted(folder, await readFolder(search, folder, step)));
  return { value: reports, issues: search.issues };
}

const NO_FILES: { readonly entries: readonly TrialFileEntry[] } = { entries: [] };

async function readFolder(
  search: Search,
  folder: string,
  step: string | null,
): Promise<readonly ReadReport[]> {
  const { entries } = isFull(search) ? NO_FILES : await listTrialFiles(search.trialPath, folder);
  const files = entries.filter(({ kind }) => kind === "file");
  const reports = await readStructured(search, files, { file: `${folder}/ctrf.json`, step });
  return reports.length > 0 ? reports : readTexts(search, folder, files, step);
}

async function readStructured(
  search: Search,
  files: readonly TrialFileEntry[],
  main: ReportPlace,
): Promise<readonly ReadReport[]> {
  const folder = main.file.slice(0, main.file.lastIndexOf("/"));
  const others = files.filter(({ path }) => path !== main.file && isCandidate(path.slice(folder.length + 1)));
  const reports: ReadReport[] = [];
  const seen = new Set<string>();
  for (const { path, sizeBytes } of [{ path: main.file, sizeBytes: null }, ...others]) {
    const isNamed = REPORT_NAME.test(path.slice(folder.length));
    if ((sizeBytes ?? 0) > FILE_LIMITS.evidence.bytes && !isNamed) continue;
    const text = await readText(search, path);
    if (text === null || isRepeated(seen, text)) continue;
    const report = parseStructured(search, text, { file: path, step: main.step }, path === main.file);
    if (report === null) continue;
    countTests(search, report);
    reports.push(report);
  }
  return reports;
}

function isCandidate(name: string): boolean {
  return (name.endsWith(".json") && !OTHER_FILES.has(name)) || name.endsWith(".xml");
}

function isRepeated(seen: Set<string>, text: string): boolean {
  const digest = createHash("sha256").update(text).digest("hex");
  if (seen.has(digest)) return true;
  seen.add(digest);
  return false;
}

function parseStructured(
  search: Search,
  text: string,
  place: ReportPlace,
  isMain: boolean,
): ReadReport | null {
  if (place.file.endsWith(".xml")) return take(search, parseJUnit(text, place));
  if (!isMain && !REPORT_KEYS.some((key) => text.includes(key))) return null;
  const json = parseLooseJson(text, place.file);
  if (!json.ok) return take(search, json);
  const report = parseCtrf(json.value, place) ?? parseChecks(json.value, place);
  if (report === null && isMain && json.value !== null) {
    const detail = "It has no list of tests at results.tests, as CTRF reports have.";
    search.issues.push({ code: "field_invalid", path: place.file, detail });
  }
  return report;
}

function take<T>(search: Search, parsed: Parsed<T>): T | null {
  if (parsed.ok) return parsed.value;
  search.issues.push(parsed.issue);
  return null;
}

async function readText(search: Search, file: string): Promise<string | null> {
  if (isFull(search)) return null;
  const text = await readTextInside(search.trialPath, file);
  if (text === null) return null;
  search.filesLeft--;
  search.bytesLeft -= text.ok ? text.value.length : 0;
  if (isFull(search)) reportFull(search, file);
  return take(search, text);
}

function isFull({ filesLeft, bytesLeft, testsLeft }: Search): boolean {
  return filesLeft <= 0 || bytesLeft <= 0 || testsLeft <= 0;
}

function countTests(search: Search, { file, tests }: ReadReport): void {
  const wasFull = isFull(search);
  search.testsLeft -= tests.length;
  if (isFull(search) && !wasFull) reportFull(search, file);
}

function reportFull(search: Search, file: string): void {
  const limits = [MAX_TRIAL_FILES, MAX_TRIAL_BYTES, MAX_TRIAL_TESTS].map((limit) =>
    limit.toLocaleString("en"),
  );
  const detail = `Test reports after it are not read: at most ${limits[0]} files, ${limits[1]} bytes and ${limits[2]} tests of a trial are.`;
  search.issues.push({ code: "file_too_large", path: file, detail });
}

async function readTexts(
  search: Search,
  folder: string,
  files: readonly TrialFileEntry[],
  step: string | null,
): Promise<readonly ReadReport[]> {
  const main = `${folder}/test-stdout.txt`;
  const logs = files
    .filter(({ path, sizeBytes }) => isLog(path.slice(folder.length + 1)) && (sizeBytes ?? 0) > 0)
    .sort((a, b) => Number(b.path === main) - Number(a.path === main));
  const reports: ReadReport[] = [];
  const seen = new Set<string>();
  for (const { path, sizeBytes } of logs.slice(0, MAX_LOGS)) {
    if ((sizeBytes ?? 0) > FILE_LIMITS.evidence.bytes && path !== main) continue;
    const text = await readText(search, path);
    const report = text === null ? null : parseRunnerText(text, { file: path, step });
    if (report === null || isRepeated(seen, JSON.stringify([report.tests, report.nTests]))) continue;
    countTests(search, report);
    reports.push(report);
    if (path === main) break;
  }
  return reports;
}

function isLog(name: string): boolean {
  return /^[^/]+\.(?:txt|log)$/.test(name) && name !== "reward.txt";
}

const RANKS = { ctrf: 1, junit: 2, checks: 3, text: 4 } as const satisfies Record<ReadReport["form"], number>;

/**
 * Puts reports that count towards totals first: the first kind with tests of Harbor's own `ctrf.json`, other CTRF, JUnit XML,
 * checks and text. The others are often its source, so their tests would count twice.
 */
function chooseCounted(folder: string, reports: readonly ReadReport[]): readonly TestReport[] {
  const rank = ({ file, form }: ReadReport): number => (file === `${folder}/ctrf.json` ? 0 : RANKS[form]);
  const best = Math.min(...reports.filter(({ nTests }) => nTests !== 0).map(rank));
  return reports
    .map((report) => ({ ...report, isCounted: best === Infinity || rank(report) === best }))
    .sort((a, b) => Number(b.isCounted) - Number(a.isCounted) || rank(a) - rank(b));
}

const LISTS = ["checks", "results", "tests", "criteria"] as const;
const NAMES = ["check", "name", "id", "nodeid", "test", "title"] as const;
const BOOLEANS = ["ok", "passed", "pass", "success"] as const;
const STATUSES = ["status", "outcome", "result", "verdict"] as const;
const REASONS = ["why", "reason", "message", "explanation", "detail", "details", "error"] as const;

const WORDS: ReadonlyMap<string, TestCase["status"]> = new Map([
  ["pass", "passed"],
  ["passed", "passed"],
  ["ok", "passed"],
  ["success", "passed"],
  ["fail", "failed"],
  ["failed", "failed"],
  ["failure", "failed"],
  ["error", "failed"],
  ["skip", "skipped"],
  ["skipped", "skipped"],
  ["not_applicable", "skipped"],
  ["pending", "pending"],
]);

/**
 * Parses `{"checks": [{"check": "builds", "ok": false, "why": "…"}]}`, `{"checks": {"builds": false}}` or a bare list.
 * Returns null for other JSON. Entries without a verdict are `other`.
 */
export function parseChecks(root: unknown, place: ReportPlace): ReadReport | null {
  const tests = readList(root, ["check"]) ?? (isObject(root) ? readMembers(root) : null);
  return tests === null ? null : makeReport(place, { form: "checks", tool: null }, tests);
}

function readMembers(root: JsonObject): readonly TestCase[] | null {
  for (const name of LISTS) {
    const tests = readList(root[name]);
    if (tests !== null) return tests;
  }
  return isObject(root["checks"]) ? readNamed(root["checks"]) : null;
}

function readList(value: unknown, names: readonly string[] = NAMES): readonly TestCase[] | null {
  if (!Array.isArray(value)) return null;
  const entries = value.filter(isObject);
  const named = entries.flatMap((entry) => {
    const name = pickText(entry, ...names);
    return name === null ? [] : [{ name, entry }];
  });
  if (named.length === 0 || named.length < value.length) return null;
  return readChecks(named);
}

function readNamed(checks: JsonObject): readonly TestCase[] | null {
  const named = Object.entries(checks).flatMap(([name, value]) => {
    if (typeof value === "boolean") return [{ name, entry: { ok: value } }];
    return isObject(value) ? [{ name, entry: value }] : [];
  });
  return named.length < Object.keys(checks).length ? null : readChecks(named);
}

function readChecks(
  named: readonly { readonly name: string; readonly entry: JsonObject }[],
): readonly TestCase[] | null {
  const statuses = named.map(({ entry }) => readStatus(entry));
  if (statuses.every((status) => status === null)) return null;
  return named.map(({ name, entry }, at) => {
    const durationMs = pickNumber(entry, "duration_ms");
    return {
      name,
      status: statuses[at] ?? "other",
      durationMs: durationMs === null || durationMs < 0 ? null : durationMs,
      message: pickText(entry, ...REASONS),
      trace: pickText(entry, "trace", "traceback"),
    };
  });
}

function readStatus(entry: JsonObject): TestCase["status"] | null {
  const stated = BOOLEANS.map((name) => entry[name]).find((value) => typeof value === "boolean");
  if (stated !== undefined) return stated ? "passed" : "failed";
  return WORDS.get(pickText(entry, ...STATUSES)?.toLowerCase() ?? "") ?? null;
}

// Any time after 1973 is larger in milliseconds, any before the year 5138 is smaller in seconds.
const SECONDS_LIMIT = 1e11;

/** Parses a CTRF report loosely; null without a list of tests. Detects seconds by start times or fractions. */
export function parseCtrf(root: unknown, place: ReportPlace): ReadReport | null {
  const results = objectOr(objectOr(root)["results"]);
  if (!Array.isArray(results["tests"])) return null;
  const entries = listOr(results["tests"]).filter(isObject);
  const unitMs = usesSeconds(objectOr(results["summary"]), entries) ? 1000 : 1;
  const tool = objectOr(results["tool"]);
  const version = pickText(tool, "version");
  const name = pickText(tool, "name");
  return makeReport(
    place,
    { form: "ctrf", tool: name === null || version === null ? name : `${name} ${version}` },
    entries.map((entry) => parseTest(entry, unitMs)),
  );
}

function usesSeconds(summary: JsonObject, tests: readonly JsonObject[]): boolean {
  const start =
    pickNumber(summary, "start") ??
    tests.map((test) => pickNumber(test, "start")).find((time) => time !== null);
  if (typeof start === "number" && start > 0) return start < SECONDS_LIMIT;
  return tests.some((test) => !Number.isInteger(pickNumber(test, "duration") ?? 0));
}

function parseTest(entry: JsonObject, unitMs: number): TestCase {
  const status = entry["status"];
  const duration = pickNumber(entry, "duration");
  return {
    name: pickText(entry, "name") ?? "unnamed test",
    status:
      status === "passed" || status === "failed" || status === "skipped" || status === "pending"
        ? status
        : "other",
    durationMs: duration === null || duration < 0 ? null : duration * unitMs,
    message: pickText(entry, "message"),
    trace: pickText(entry, "trace"),
  };
}
