/** A group as a point: what it costs and how well it does. Null is unknown, which is not 0. */
export interface ParetoPoint {
  readonly name: string;
  readonly cost: number | null;
  readonly value: number | null;
}

export interface ParetoFrontier {
  /** Names by rising cost, and by rising value with it. Points that coincide are all on it. */
  readonly frontier: readonly string[];
  /** Points that another beats: no dearer, no worse, and better in one of the two. */
  readonly dominated: readonly { readonly name: string; readonly by: string }[];
  /** Points whose cost or value is unknown; nothing can be said of them. */
  readonly unknown: readonly string[];
}

/**
 * The points for which no other is at most as dear and at least as good; `by` is the cheapest point of them that beats
 * another.
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
