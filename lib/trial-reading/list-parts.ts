import type { BreakdownDimension, BreakdownSource } from "@/lib/domain/breakdown";
import { startOfPart } from "@/lib/domain/trial-lists";

/** Dimensions of one part, with the dimensions and files that they stand in. */
export interface DimensionPart {
  readonly sources: readonly BreakdownSource[];
  /** Rows of the whole breakdown: dimensions and their criteria. */
  readonly total: number;
  /** Rows of `sources` that belong to an earlier part and are here because later ones stand in them. */
  readonly nContext: number;
}

/**
 * The part of a breakdown that begins at a row, rows being dimensions and then their criteria and children, in the order of
 * the files; the very same sources where they fit.
 */
export function takeDimensions(
  sources: readonly BreakdownSource[],
  from: number,
  size: number,
): DimensionPart {
  const total = countRows(sources);
  if (total <= size) return { sources, total, nContext: 0 };
  const start = startOfPart(total, from);
  const rows = new RowRange(start, start + size);
  const taken = sources.flatMap((source) => {
    const dimensions = rows.take(source.dimensions);
    const isEmpty = source.dimensions.length === 0 && start === 0;
    return isEmpty || dimensions.length > 0 ? [{ ...source, dimensions }] : [];
  });
  return { sources: taken, total, nContext: rows.nContext };
}

/** Dimensions and criteria of a breakdown. */
export function countRows(sources: readonly BreakdownSource[]): number {
  return sources.reduce((sum, { dimensions }) => sum + countBelow(dimensions), 0);
}

function countBelow(dimensions: readonly BreakdownDimension[]): number {
  return dimensions.reduce(
    (sum, { criteria, children }) => sum + 1 + criteria.length + countBelow(children),
    0,
  );
}

/** Walks through rows and keeps those of a range. */
class RowRange {
  private at = 0;
  private readonly from: number;
  private readonly to: number;
  nContext = 0;

  constructor(from: number, to: number) {
    this.from = from;
    this.to = to;
  }

  take(dimensions: readonly BreakdownDimension[]): readonly BreakdownDimension[] {
    return dimensions.flatMap((dimension) => {
      const isHere = this.isNextInside();
      const criteria = dimension.criteria.filter(() => this.isNextInside());
      const children = this.take(dimension.children);
      if (!isHere && criteria.length === 0 && children.length === 0) return [];
      if (!isHere) this.nContext++;
      return [{ ...dimension, criteria, children }];
    });
  }

  private isNextInside(): boolean {
    const at = this.at++;
    return at >= this.from && at < this.to;
  }
}
