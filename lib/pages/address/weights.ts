import type { SearchValues } from "./address";
import { number } from "./values";

/** By name of the dimension, never by place, which changes as a job grows. */
export type Weights = ReadonlyMap<string, number>;

export const NO_WEIGHTS: Weights = new Map();

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

export function writeWeights(weights: Weights = NO_WEIGHTS): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from(weights, ([name, weight]) => [nameWeight(name), weight]));
}
