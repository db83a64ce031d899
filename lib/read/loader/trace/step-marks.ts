import type { StepMark } from "@/lib/core/domain/trajectory";

// Search only the edges of output for an exit code; in the middle it is usually printed text.
const EDGE_CHARS = 400;
const SCAN_CHARS = 64 * 1024;

const EXIT =
  /\bexit(?:ed)?(?: with)?(?: code| status)[:=]?\s+(-?\d+)|<returncode>(-?\d+)<\/returncode>|^\[exit(?: code)?:? (-?\d+)\]$/imu;
const SUMMARY_CHARS = 500;
const TESTS_FAILED =
  /^=*\s*(\d+) failed\b.*\bin [\d.]+ ?m?s|^Tests:\s+(\d+) failed|^test result: FAILED\. (?:\d+ passed; )?(\d+) failed|^FAILED \(.*?(?:failures|errors)=(\d+)/u;
const COMPILE_ERROR = /^\S{1,300}:\d{1,7}:(?:\d{1,5}:)? (?:fatal )?error: /mu;
const TRACEBACK = /^Traceback \(most recent call last\):/mu;

export interface ResultSigns {
  readonly text: string;
  readonly exitCode: number | null;
  readonly toolError: boolean;
}

/** Returns distinct marks, stated ones first. Marks found in text are hints. */
export function findStepMarks(results: readonly ResultSigns[]): readonly StepMark[] {
  const marks = new Map<string, StepMark>();
  for (const result of results) {
    const exit = result.exitCode ?? findExit(result.text);
    if (exit !== null && exit !== 0)
      addMark(marks, "exit", `exit ${exit}`, result.exitCode !== null || result.toolError);
    else if (result.toolError) addMark(marks, "tool-error", "tool error", true);
    const failed = findFailedTests(cutMiddle(result.text, SCAN_CHARS));
    if (failed !== null && Number(failed) !== 0) addMark(marks, "tests-failed", `${failed} failed`, false);
    if (result.exitCode !== 0 && COMPILE_ERROR.test(cutMiddle(result.text, SCAN_CHARS)))
      addMark(marks, "tool-error", "compile error", false);
    if (TRACEBACK.test(cutMiddle(result.text, SCAN_CHARS))) addMark(marks, "traceback", "traceback", false);
  }
  return [...marks.values()].sort((a, b) => Number(b.stated) - Number(a.stated));
}

function findExit(text: string): number | null {
  const stated = findGroup(EXIT, cutMiddle(text, EDGE_CHARS));
  return stated === null ? null : Number(stated);
}

function findFailedTests(text: string): string | null {
  for (const line of text.split("\n")) {
    const failed = /^[=\s\dTtF]/u.test(line) ? findGroup(TESTS_FAILED, line.slice(0, SUMMARY_CHARS)) : null;
    if (failed !== null) return failed;
  }
  return null;
}

function cutMiddle(text: string, edge: number): string {
  return text.length > 2 * edge ? `${text.slice(0, edge)}\n${text.slice(-edge)}` : text;
}

function findGroup(pattern: RegExp, text: string): string | null {
  return pattern.exec(text)?.slice(1).filter(Boolean)[0] ?? null;
}

function addMark(marks: Map<string, StepMark>, kind: StepMark["kind"], label: string, stated: boolean): void {
  if (!marks.has(label)) marks.set(label, { kind, label, stated });
}

/** False for a bare `exit 1`, which also means "grep found nothing". */
export function isStrongMark(mark: StepMark): boolean {
  return mark.label !== "exit 1";
}
