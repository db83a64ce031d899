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

/** Returns null if invalid or implausibly large. */
export function readCount(text: string | undefined): number | null {
  const count = /^\d{1,9}$/.test(text ?? "") ? Number(text) : null;
  return count;
}
