import type { BreakdownDimension, BreakdownSource } from "@/lib/core/domain/breakdown";
import { namesAbove, namesBelow } from "@/lib/core/domain/dimension-names";
import { TextBounder } from "@/lib/core/domain/text-bounder";

export type DimensionScore = Pick<BreakdownDimension, "score" | "scoreText" | "maxScore">;

const RELATIONS = ["differs", "only-a", "only-b", "same"] as const;
/** Scores are the same if their texts and maxima are equal. */
type DimensionRelation = (typeof RELATIONS)[number];

const MAX_ROWS = 400;
const MAX_BYTES = 100_000;

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
    rows: new TextBounder(MAX_ROWS, MAX_BYTES).bound(sorted),
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
