import type { Outcome } from "@/lib/domain/trial";
import type { TestCase } from "@/lib/domain/trial-file";

/** The glyph of each test status; a skipped or pending test has none of the outcomes' verdicts. */
export const TEST_MARKS = {
  passed: "passed",
  failed: "failed",
  skipped: "unscored",
  pending: "missing",
  other: "missing",
} as const satisfies Record<TestCase["status"], Outcome>;

/** A test's own name without the file, suites and groups that runners put before it. */
export function shortTestName(name: string): string {
  return name.split(" > ").at(-1)?.split("::").slice(1).join("::") || (name.split(" > ").at(-1) ?? name);
}
