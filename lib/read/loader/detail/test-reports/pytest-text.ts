import type { TestCase } from "@/lib/core/domain/trial-file";

import { UNKNOWN_TOTALS, type TestTotals, putTest, readCount, type RunReader, type TextRun } from "./report";

const START = "test session starts";
const SUMMARY = "short test summary info";
const STATUSES: ReadonlyMap<string, TestCase["status"]> = new Map([
  ["PASSED", "passed"],
  ["FAILED", "failed"],
  ["ERROR", "failed"],
  ["SKIPPED", "skipped"],
  ["XFAIL", "other"],
  ["XPASS", "other"],
]);
const TOTALS: ReadonlyMap<string, "passed" | "failed" | "other"> = new Map([
  ["passed", "passed"],
  ["failed", "failed"],
  ["error", "failed"],
  ["errors", "failed"],
  ["skipped", "other"],
  ["xfailed", "other"],
  ["xpassed", "other"],
]);

/**
 * Reads pytest output: `-v` lines (`path::name PASSED [ 50%]`), the short test summary (`FAILED path::name - message`) and
 * the last line (`1 failed, 14 passed in 2.87s`), the only source of totals. Errors count as failed. Ignores a run nested
 * in the output of another, such as one that a test started.
 * @see pytest 8.4 src/_pytest/terminal.py, `_report_keywords`, `short_test_summary` and `summary_stats`
 */
export class PytestReader implements RunReader {
  private readonly runs: TextRun[] = [];
  private named = new Map<string, TestCase>();
  private nOpen = 0;
  private isInSummary = false;

  take(line: string): void {
    const title = readTitle(line);
    if (title === START) {
      this.nOpen++;
      if (this.nOpen === 1) this.named = new Map<string, TestCase>();
      return;
    }
    const totals = readTotals(title ?? line);
    if (totals !== null) this.endRun(totals);
    else if (this.nOpen > 1) return;
    else if (title !== null) this.isInSummary = title === SUMMARY;
    else this.takeTest(line);
  }

  close(): readonly TextRun[] {
    if (this.named.size > 0) this.pushRun(UNKNOWN_TOTALS);
    return this.runs;
  }

  private takeTest(line: string): void {
    const test = this.isInSummary ? readSummaryLine(line) : this.nOpen === 1 ? readProgressLine(line) : null;
    if (test === null) return;
    const before = this.named.get(test.name);
    // A test may pass and then fail in teardown, reported twice in any order.
    const isWorse = before?.status === "failed" && test.status !== "failed";
    if (!isWorse) putTest(this.named, { ...test, message: test.message ?? before?.message ?? null });
  }

  private endRun(totals: TestTotals): void {
    if (this.nOpen < 2) this.pushRun(totals);
    this.nOpen = Math.max(0, this.nOpen - 1);
  }

  private pushRun(totals: TestTotals): void {
    this.runs.push({ tool: "pytest", tests: [...this.named.values()], totals });
    this.named = new Map<string, TestCase>();
    this.isInSummary = false;
  }
}

function readTitle(line: string): string | null {
  if (!line.startsWith("=") || !line.endsWith("=")) return null;
  let [from, to] = [0, line.length];
  while (from < to && line[from] === "=") from++;
  while (to > from && line[to - 1] === "=") to--;
  return line.slice(from, to).trim();
}

function readTotals(text: string): TestTotals | null {
  const at = text.lastIndexOf(" in ");
  if (at < 0 || !/^\d+(?:\.\d+)?(?:s| seconds)(?: \([^()]*\))?$/.test(text.slice(at + 4))) return null;
  const said = text.slice(0, at);
  if (said === "no tests ran") return { nTests: 0, nPassed: 0, nFailed: 0 };
  const counts = { passed: 0, failed: 0, other: 0 };
  let isKnown = false;
  for (const part of said.split(", ")) {
    const space = part.indexOf(" ");
    const count = readCount(part.slice(0, Math.max(0, space)));
    if (count === null) return null;
    const kind = TOTALS.get(part.slice(space + 1));
    if (kind === undefined) continue;
    isKnown = true;
    counts[kind] += count;
  }
  const { passed, failed, other } = counts;
  return isKnown ? { nTests: passed + failed + other, nPassed: passed, nFailed: failed } : null;
}

function readSummaryLine(line: string): TestCase | null {
  const space = line.indexOf(" ");
  const status = STATUSES.get(line.slice(0, Math.max(0, space)));
  const said = line.slice(space + 1).trim();
  if (status === undefined || said === "" || said.startsWith("[")) return null;
  const at = findMessage(said);
  const message = at < 0 ? null : said.slice(at + 3).trim() || null;
  return makeTest(at < 0 ? said : said.slice(0, at), status, message);
}

function findMessage(said: string): number {
  const dash = said.indexOf(" - ");
  const bracket = said.indexOf("[");
  if (dash < 0 || bracket < 0 || bracket > dash) return dash;
  const end = said.indexOf("] - ", bracket);
  return end < 0 ? (said.endsWith("]") ? -1 : dash) : end + 1;
}

const PROGRESS_STATUS = / (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?= \(|$)/;

function readProgressLine(line: string): TestCase | null {
  const end = line.lastIndexOf(" [");
  if (end < 0 || !/^ \[ {0,2}\d{1,3}%\]$/.test(line.slice(end))) return null;
  const said = line.slice(0, end).trimEnd();
  const found = PROGRESS_STATUS.exec(said);
  const status = STATUSES.get(found?.[1] ?? "");
  if (found === null || status === undefined) return null;
  const name = said.slice(0, found.index);
  const bracket = name.indexOf("[");
  const path = bracket < 0 ? name : name.slice(0, bracket);
  // With `-s`, test output appears between name and status.
  if (!path.includes("::") || path.includes(" ")) return null;
  const why = said.slice(found.index + found[0].length).trim();
  return makeTest(name, status, why.length > 2 ? why.slice(1, -1) : null);
}

function makeTest(name: string, status: TestCase["status"], message: string | null): TestCase {
  return { name, status, durationMs: null, message, trace: null };
}
