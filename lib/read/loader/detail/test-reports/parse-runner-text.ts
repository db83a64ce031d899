import { stripVTControlCharacters } from "node:util";

import type { TestCase } from "@/lib/core/domain/trial-file";

import { PytestReader } from "./pytest-text";
import {
  makeReport,
  type ReadReport,
  type ReportPlace,
  type TestTotals,
  UNKNOWN_TOTALS,
  putTest,
  readCount,
  type RunReader,
  type TextRun,
} from "./report";

const MAX_LINE = 4_000;

/** The result may be incomplete or wrong, because any program can print such lines. Totals are unknown if any run has none. */
export function parseRunnerText(text: string, place: ReportPlace): ReadReport | null {
  const readers = [new PytestReader(), new PlaywrightReader()];
  for (let at = 0; at < text.length;) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    if (end - at <= MAX_LINE) {
      const line = cleanLine(text.slice(at, end));
      for (const reader of readers) reader.take(line);
    }
    at = end + 1;
  }
  const runs = readers.flatMap((reader) => reader.close());
  if (runs.length === 0) return null;
  const tool = [...new Set(runs.map((run) => run.tool))].join(", ");
  const tests = runs.flatMap((run) => run.tests);
  return makeReport(place, { form: "text", tool }, tests, addTotals(runs.map((run) => run.totals)));
}

function cleanLine(raw: string): string {
  const line = stripVTControlCharacters(raw).trimEnd();
  return line.slice(line.lastIndexOf("\r") + 1);
}

function addTotals(all: readonly TestTotals[]): TestTotals {
  let [nTests, nPassed, nFailed] = [0, 0, 0];
  for (const totals of all) {
    if (totals.nTests === null || totals.nPassed === null || totals.nFailed === null) return UNKNOWN_TOTALS;
    nTests += totals.nTests;
    nPassed += totals.nPassed;
    nFailed += totals.nFailed;
  }
  return { nTests, nPassed, nFailed };
}

const START = /^Running \d+ tests? using \d+ workers?$/;
const TEST = /^ +(✓|✘|-|ok|x) +\d+ (\S.*)$/u;
const TOTAL = /^ {2}(\d+) (passed|failed|flaky|skipped|interrupted|did not run)(?: \([^()]*\))?$/;
const TRAILING = / \(([^()]*)\)$/;
const DURATION = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)$/;
const RETRY = /^retry #\d+$/;

const MARKS: ReadonlyMap<string, TestCase["status"]> = new Map([
  ["✓", "passed"],
  ["ok", "passed"],
  ["✘", "failed"],
  ["x", "failed"],
  ["-", "skipped"],
]);
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/**
 * Reads Playwright's list reporter: `Running 2 tests using 1 worker`, `✓ 1 [project] › file:3:1 › title (12ms)` and the
 * final totals (`  1 failed`, `  3 passed (2.1s)`). The last try of a test counts; `flaky` counts as passed.
 * @see playwright 1.57 packages/playwright/src/reporters/list.ts and base.ts, `generateSummaryMessage`
 */
class PlaywrightReader implements RunReader {
  private readonly runs: TextRun[] = [];
  private named = new Map<string, TestCase>();
  private readonly totals = new Map<string, number>();
  private isOpen = false;

  take(line: string): void {
    if (START.test(line)) {
      this.endRun();
      this.isOpen = true;
      return;
    }
    if (!this.isOpen) return;
    const [, count, word] = TOTAL.exec(line) ?? [];
    const total = readCount(count);
    if (word !== undefined && total !== null) {
      this.totals.set(word, total);
      return;
    }
    const test = readTestLine(line);
    if (test !== null) putTest(this.named, test);
  }

  close(): readonly TextRun[] {
    this.endRun();
    return this.runs;
  }

  private endRun(): void {
    const { totals } = this;
    const count = (word: string): number => totals.get(word) ?? 0;
    if (this.isOpen && (totals.size > 0 || this.named.size > 0))
      this.runs.push({
        tool: "Playwright",
        tests: [...this.named.values()],
        totals:
          totals.size === 0
            ? UNKNOWN_TOTALS
            : {
                nTests: [...totals.values()].reduce((sum, total) => sum + total, 0),
                nPassed: count("passed") + count("flaky"),
                nFailed: count("failed"),
              },
      });
    this.named = new Map<string, TestCase>();
    totals.clear();
    this.isOpen = false;
  }
}

function readTestLine(line: string): TestCase | null {
  const [, mark, said] = TEST.exec(line) ?? [];
  const status = MARKS.get(mark ?? "");
  if (status === undefined || said === undefined || !said.includes(" › ")) return null;
  const [timed, duration] = splitTrailing(said, DURATION);
  const [name] = splitTrailing(timed, RETRY);
  const [, amount, unit] = DURATION.exec(duration) ?? [];
  const unitMs = UNIT_MS.get(unit ?? "");
  return {
    name: name.replaceAll(" › ", " > "),
    status,
    durationMs: unitMs === undefined ? null : Number(amount) * unitMs,
    message: null,
    trace: null,
  };
}

function splitTrailing(text: string, pattern: RegExp): readonly [rest: string, trailing: string] {
  const found = TRAILING.exec(text);
  const inside = found?.[1] ?? "";
  return found !== null && pattern.test(inside) ? [text.slice(0, found.index), inside] : [text, ""];
}
