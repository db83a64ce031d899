import type { TestCase } from "@/lib/domain/trial-file";

import type { TestTotals } from "./report";

export interface TextRun {
  readonly tool: string;
  /** Those that are named, of which there may be fewer than ran. */
  readonly tests: readonly TestCase[];
  readonly totals: TestTotals;
}

/** Finds the runs of one runner in a text, line after line. */
export interface RunReader {
  take: (line: string) => void;
  /** Once there are no more lines. */
  close: () => readonly TextRun[];
}

/** Tests that are remembered of one run. */
const MAX_NAMED = 20_000;

/** Tests of a run by name, of which each is said once. */
export class NamedTests {
  private readonly byName = new Map<string, TestCase>();

  get isEmpty(): boolean {
    return this.byName.size === 0;
  }

  get(name: string): TestCase | undefined {
    return this.byName.get(name);
  }

  set(test: TestCase): void {
    if (this.byName.size < MAX_NAMED || this.byName.has(test.name)) this.byName.set(test.name, test);
  }

  list(): readonly TestCase[] {
    return [...this.byName.values()];
  }
}

/** The whole number that a text is; null for any other, and for one that no run has. */
export function readCount(text: string | undefined): number | null {
  const count = /^\d{1,9}$/.test(text ?? "") ? Number(text) : null;
  return count;
}
