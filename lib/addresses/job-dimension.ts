import type { DimensionFilter } from "@/lib/domain/dimension-filter";
import type { Query } from "./href";
import { numberParam, type SearchValues } from "./params";

/** Before the name of a dimension, the name of the value that is its weight. */
const WEIGHT = "weight.";

/** The weights of an address, by name of the dimension: never by its place, which changes as a job grows. */
export function readWeights(search: SearchValues): ReadonlyMap<string, number> {
  const weights = Object.entries(search).flatMap(([name, value]): (readonly [string, number])[] => {
    const weight = name.startsWith(WEIGHT) ? numberParam.parse(value) : null;
    return weight === null ? [] : [[name.slice(WEIGHT.length), weight]];
  });
  return new Map(weights);
}

/** What {@link readWeights} reads. */
export function writeWeights(weights: ReadonlyMap<string, number>): Query {
  return Object.fromEntries(Array.from(weights, ([name, weight]) => [nameWeight(name), weight]));
}

/** The name under which an address has the weight of a dimension. */
export function nameWeight(dimension: string): string {
  return `${WEIGHT}${dimension}`;
}

/** The values of an address that say which trials by a dimension. */
interface DimensionParams {
  readonly family: string | null;
  readonly dim: string | null;
  readonly dim_min: number | null;
  readonly dim_max: number | null;
  readonly dim_below: number | null;
  readonly dim_missing: boolean;
}

/** A family without a dimension chooses what the dimensions tab shows; with one it belongs to the dimension. */
export function readDimension(params: DimensionParams): DimensionFilter | null {
  if (params.dim === null) return null;
  const isMissing = params.dim_missing;
  return {
    name: params.dim,
    family: params.family,
    min: isMissing ? null : params.dim_min,
    max: isMissing ? null : params.dim_max,
    below: isMissing ? null : params.dim_below,
    isMissing,
  };
}

/** What {@link readDimension} reads. */
export function writeDimension(dimension: DimensionFilter | null): Query {
  if (dimension === null) return {};
  const { name, family, min, max, below, isMissing } = dimension;
  return {
    family: family ?? undefined,
    dim: name,
    dim_min: min ?? undefined,
    dim_max: max ?? undefined,
    dim_below: below ?? undefined,
    dim_missing: isMissing ? 1 : undefined,
  };
}
