/** A group's cost and value. Null is unknown, which is not 0. */
export interface ParetoPoint {
  readonly name: string;
  readonly cost: number | null;
  readonly value: number | null;
}

export interface ParetoFrontier {
  /** Names by rising cost, and so by rising value. Points that coincide are all included. */
  readonly frontier: readonly string[];
  /** Dominated points: another one costs no more, scores no less, and is better in one of the two. */
  readonly dominated: readonly { readonly name: string; readonly by: string }[];
  readonly unknown: readonly string[];
}

/**
 * Returns the points that no other point dominates. `by` is the cheapest frontier point that beats another.
 * @remarks O(points squared)
 */
export function computeParetoFrontier(points: readonly ParetoPoint[]): ParetoFrontier {
  const known = points.filter(isKnown);
  const beats = (a: (typeof known)[number], b: (typeof known)[number]) =>
    a.cost <= b.cost && a.value >= b.value && (a.cost < b.cost || a.value > b.value);
  const frontier = known
    .filter((point) => !known.some((other) => beats(other, point)))
    .toSorted((a, b) => a.cost - b.cost || a.value - b.value);
  return {
    frontier: frontier.map(({ name }) => name),
    dominated: known.flatMap((point) => {
      const by = frontier.find((other) => beats(other, point));
      return by === undefined ? [] : [{ name: point.name, by: by.name }];
    }),
    unknown: points.filter((point) => !isKnown(point)).map(({ name }) => name),
  };
}

type KnownPoint = ParetoPoint & { readonly cost: number; readonly value: number };

function isKnown(point: ParetoPoint): point is KnownPoint {
  const { cost, value } = point;
  return cost !== null && value !== null && !Number.isNaN(cost) && !Number.isNaN(value);
}
