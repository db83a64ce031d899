import type { BreakdownDimension, BreakdownSource, DimensionShare } from "./breakdown";

export function namesAbove({ step }: Pick<BreakdownSource, "step">): string {
  return step === null ? "" : `${step}: `;
}

/** Returns the prefix for a group's dimensions; null if the group has a score, since they are then not counted. */
export function namesBelow(above: string, { name, scoreText, children }: BreakdownDimension): string | null {
  return scoreText === null && children.length > 0 ? `${above}${name}.` : null;
}

/** Returns the dimensions with a score, in file order. A group without one is replaced by its own dimensions. */
export function listShares(
  source: Pick<BreakdownSource, "step" | "dimensions">,
): readonly [string, DimensionShare][] {
  return listBelow(source.dimensions, namesAbove(source));
}

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
