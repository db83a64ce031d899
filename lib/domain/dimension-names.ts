import type { BreakdownDimension, BreakdownSource, DimensionShare } from "./breakdown";

/** What stands before the names of a source's dimensions: the step of a multi-step trial. */
export function namesAbove({ step }: Pick<BreakdownSource, "step">): string {
  return step === null ? "" : `${step}: `;
}

/** What stands before the names of a group's dimensions; null where it has a score, so that they are not counted themselves. */
export function namesBelow(above: string, { name, scoreText, children }: BreakdownDimension): string | null {
  return scoreText === null && children.length > 0 ? `${above}${name}.` : null;
}

/** The dimensions of a source that are counted over trials, in file order: those with a score, groups of them taken apart. */
export function listShares(
  source: Pick<BreakdownSource, "step" | "dimensions">,
): readonly [string, DimensionShare][] {
  return listBelow(source.dimensions, namesAbove(source));
}

/** True if a dimension and the reward key of its name print the same, so that they are one row. */
export function isSameAsKey(share: number, value: number): boolean {
  return Math.abs(share - value) < 0.005;
}

function listBelow(
  dimensions: readonly BreakdownDimension[],
  above: string,
): readonly [string, DimensionShare][] {
  return dimensions.flatMap((dimension): readonly [string, DimensionShare][] => {
    const below = namesBelow(above, dimension);
    if (below !== null) return listBelow(dimension.children, below);
    const { name, scoreText, normalised: share, weight } = dimension;
    return scoreText === null ? [] : [[above + name, { share, weight }]];
  });
}
