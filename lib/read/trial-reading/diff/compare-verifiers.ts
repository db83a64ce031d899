import type { BreakdownDimension, BreakdownSource } from "@/lib/core/domain/breakdown";
import { namesAbove, namesBelow } from "@/lib/core/domain/dimension-names";
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

const MAX_TESTS_BYTES = 300_000;

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
  const sorted = all.toSorted((one, other) => rankTest(one) - rankTest(other));
  const bounder = new TextBounder(PART_SIZES.tests, MAX_TESTS_BYTES);
  const rows = bounder.bound(takePart(sorted, from, PART_SIZES.tests));
  const tallies = { a: tallyTests(a), b: tallyTests(b) };
  const isComparable = tallies.a !== null && tallies.b !== null;
  return {
    rows,
    part: describePart(sorted.length, from, rows.length),
    nDiffering: isComparable ? sorted.filter((test) => rankTest(test) < FIRST_EQUAL).length : null,
    tallies,
    cutNote: bounder.describe(),
  };
}

function listCases(reports: readonly TestReport[]) {
  const cases = new Map<string, Pick<ComparedTest, "step" | "name"> & { readonly result: TestResult }>();
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

function rankTest({ a, b }: ComparedTest): number {
  if (a === null || b === null) return b === null ? 3 : 4;
  if (a.status === b.status) return a.status === "failed" ? FIRST_EQUAL : FIRST_EQUAL + 1;
  if (a.status === "passed" && b.status === "failed") return 0;
  return a.status === "failed" && b.status === "passed" ? 1 : 2;
}

export type DimensionScore = Pick<BreakdownDimension, "score" | "scoreText" | "maxScore">;

const RELATIONS = ["differs", "only-a", "only-b", "same"] as const;
/** Scores are the same if their texts and maxima are equal. */
type DimensionRelation = (typeof RELATIONS)[number];

const MAX_DIMENSIONS = 400;
const MAX_DIMENSIONS_BYTES = 100_000;

/** Compares dimensions by name. If several files name one, the first decides. Lists differing scores first, equal ones last. */
export function compareDimensions(a: readonly BreakdownSource[], b: readonly BreakdownSource[]) {
  const [scoresA, scoresB] = [listScores(a), listScores(b)];
  const all = [...new Set([...scoresA.keys(), ...scoresB.keys()])].map((name) => {
    const [one, other] = [scoresA.get(name) ?? null, scoresB.get(name) ?? null];
    return { name, a: one, b: other, relation: relate(one, other) };
  });
  const rank = ({ relation }: (typeof all)[number]) => RELATIONS.indexOf(relation);
  const sorted = all.toSorted((one, other) => rank(one) - rank(other));
  return {
    rows: new TextBounder(MAX_DIMENSIONS, MAX_DIMENSIONS_BYTES).bound(sorted),
    total: all.length,
    nDiffering:
      scoresA.size === 0 || scoresB.size === 0
        ? null
        : all.filter(({ relation }) => relation !== "same").length,
  };
}

function relate(a: DimensionScore | null, b: DimensionScore | null): DimensionRelation {
  if (a === null || b === null) return b === null ? "only-a" : "only-b";
  return a.scoreText === b.scoreText && a.maxScore === b.maxScore ? "same" : "differs";
}

function listScores(sources: readonly BreakdownSource[]): ReadonlyMap<string, DimensionScore> {
  const scores = new Map<string, DimensionScore>();
  const add = (dimensions: readonly BreakdownDimension[], above: string): void => {
    for (const dimension of dimensions) {
      const below = namesBelow(above, dimension);
      const { name, score, scoreText, maxScore, children } = dimension;
      if (below !== null) add(children, below);
      else if (!scores.has(above + name)) scores.set(above + name, { score, scoreText, maxScore });
    }
  };
  for (const source of sources) add(source.dimensions, namesAbove(source));
  return scores;
}
