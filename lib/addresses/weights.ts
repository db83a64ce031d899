import type { SearchValues } from "./address";
import { number } from "./values";

/** Weights of a rubric's dimensions, by their names: never by their place, which changes as a job grows. */
export type Weights = ReadonlyMap<string, number>;

/** No weight that differs from those of the details. */
export const NO_WEIGHTS: Weights = new Map();

/** The name under which an address has the weight of a dimension. */
export function nameWeight(dimension: string): string {
  return `weight.${dimension}`;
}

export function readWeights(search: SearchValues): Weights {
  const prefix = nameWeight("");
  return new Map(
    Object.entries(search).flatMap(([key, value]): (readonly [string, number])[] => {
      const weight = key.startsWith(prefix) ? number.parse([value].flat()[0] ?? "") : null;
      return weight === null ? [] : [[key.slice(prefix.length), weight]];
    }),
  );
}

/** The values of an address that {@link readWeights} reads. */
export function writeWeights(weights: Weights = NO_WEIGHTS): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from(weights, ([name, weight]) => [nameWeight(name), weight]));
}
