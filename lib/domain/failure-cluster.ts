import type { Outcome } from "./trial";

/** What is known of how a trial failed. */
export interface FailureTraits {
  readonly outcome: Outcome;
  readonly exceptionType: string | null;
  readonly exceptionMessage: string | null;
  /** Failed tests as the index stores them; null where no report names any. */
  readonly failedTests: string | null;
  /** Dimensions below their full share, in any order. */
  readonly failedDimensions: readonly string[];
}

/** More of a line than this tells no two failures apart. */
const LINE_AT_MOST = 200;

/**
 * Names the kind of failure that a trial belongs to: the exception's type with the first line of its message, numbers and
 * hexadecimal ids left out; without an exception the failed tests, else the failed dimensions, else the outcome alone.
 * Null for a trial that passed.
 */
export function findFailureCluster(traits: FailureTraits): string | null {
  const { outcome, exceptionType, exceptionMessage, failedTests, failedDimensions } = traits;
  if (outcome === "passed") return null;
  if (exceptionType !== null) return JSON.stringify([exceptionType, normaliseLine(exceptionMessage ?? "")]);
  if (failedTests !== null) return JSON.stringify(["tests", failedTests]);
  if (failedDimensions.length > 0) return JSON.stringify(["dimensions", ...failedDimensions.toSorted()]);
  return JSON.stringify([outcome]);
}

function normaliseLine(message: string): string {
  const [line = ""] = message.trimStart().slice(0, LINE_AT_MOST).split("\n", 1);
  return line
    .toLowerCase()
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]+\b|\d+/g, "#")
    .replace(/\s+/g, " ")
    .trim();
}
