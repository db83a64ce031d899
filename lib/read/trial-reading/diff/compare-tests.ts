import { listsOwnTests, tallyTests } from "@/lib/core/domain/tally-tests";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import type { TestCase, TestReport } from "@/lib/core/domain/trial-file";
import { describePart, PART_SIZES, takePart } from "@/lib/core/domain/trial-lists";

export type TestResult = Pick<TestCase, "status" | "message">;

export interface ComparedTest {
  readonly name: string;
  readonly step: string | null;
  readonly a: TestResult | null;
  readonly b: TestResult | null;
}

const MAX_BYTES = 300_000;

/** Compares tests by step and name; repeated names match in order. Differing tests come first. */
export function compareTests(a: readonly TestReport[], b: readonly TestReport[], from: number) {
  const [casesA, casesB] = [listCases(a), listCases(b)];
  const names = new Set([...casesA.keys(), ...casesB.keys()]);
  const all = [...names].flatMap((key) => {
    const [one, other] = [casesA.get(key), casesB.get(key)];
    const known = one ?? other;
    if (known === undefined) return [];
    const { step, name } = known;
    return [{ step, name, a: one?.result ?? null, b: other?.result ?? null }];
  });
  const sorted = all.toSorted((one, other) => rank(one) - rank(other));
  const bounder = new TextBounder(PART_SIZES.tests, MAX_BYTES);
  const rows = bounder.bound(takePart(sorted, from, PART_SIZES.tests));
  const tallies = { a: tallyTests(a), b: tallyTests(b) };
  const isComparable = tallies.a !== null && tallies.b !== null;
  return {
    rows,
    part: describePart(sorted.length, from, rows.length),
    nDiffering: isComparable ? sorted.filter((test) => rank(test) < FIRST_EQUAL).length : null,
    tallies,
    cutNote: bounder.describe(),
  };
}

interface PlacedCase {
  readonly step: string | null;
  readonly name: string;
  readonly result: TestResult;
}

function listCases(reports: readonly TestReport[]): ReadonlyMap<string, PlacedCase> {
  const cases = new Map<string, PlacedCase>();
  const seen = new Map<string, number>();
  for (const { step, tests } of reports.filter(listsOwnTests)) {
    for (const { name, status, message } of tests) {
      const place = JSON.stringify([step, name]);
      const nBefore = seen.get(place) ?? 0;
      seen.set(place, nBefore + 1);
      cases.set(`${nBefore} ${place}`, { step, name, result: { status, message } });
    }
  }
  return cases;
}

const FIRST_EQUAL = 5;

function rank({ a, b }: ComparedTest): number {
  if (a === null || b === null) return b === null ? 3 : 4;
  if (a.status === b.status) return a.status === "failed" ? FIRST_EQUAL : FIRST_EQUAL + 1;
  if (a.status === "passed" && b.status === "failed") return 0;
  return a.status === "failed" && b.status === "passed" ? 1 : 2;
}
