import type { TestCase } from "@/lib/core/domain/trial-file";

import type { TestTotals } from "./report";

export interface TextRun {
  readonly tool: string;
  readonly tests: readonly TestCase[];
  readonly totals: TestTotals;
}

export interface RunReader {
  take: (line: string) => void;
  close: () => readonly TextRun[];
}

const MAX_NAMED = 20_000;

/** Keeps the last result of each test. */
export function putTest(named: Map<string, TestCase>, test: TestCase): void {
  if (named.size < MAX_NAMED || named.has(test.name)) named.set(test.name, test);
}

/** Returns null if invalid or implausibly large. */
export function readCount(text: string | undefined): number | null {
  return /^\d{1,9}$/.test(text ?? "") ? Number(text) : null;
}
