import type { BreakdownDimension, BreakdownSource } from "@/lib/domain/breakdown";
import { countPageBytes } from "@/lib/domain/page-bytes";
import { startOfPart } from "@/lib/domain/trial-lists";

/** Bytes of the names of one part, each of which stands in three places. */
const MAX_NAMES_BYTES = 500_000;

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
 * the files; the very same sources where they fit. It ends early where the names are more than a page holds.
 */
export function takeDimensions(
  sources: readonly BreakdownSource[],
  from: number,
  size: number,
): DimensionPart {
  const total = countRows(sources);
  const start = total <= size ? 0 : startOfPart(total, from);
  const rows = new RowRange(start, start + size);
  const taken = sources.flatMap((source) => {
    const dimensions = rows.take(source.dimensions);
    const isEmpty = source.dimensions.length === 0 && start === 0;
    return isEmpty || dimensions.length > 0 ? [{ ...source, dimensions }] : [];
  });
  return { sources: rows.nTaken === total ? sources : taken, total, nContext: rows.nContext };
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

/** Walks through rows and keeps those of a range, as far as there is room for their names. */
class RowRange {
  private at = 0;
  private readonly from: number;
  private to: number;
  private room = MAX_NAMES_BYTES;
  nTaken = 0;
  nContext = 0;

  constructor(from: number, to: number) {
    this.from = from;
    this.to = to;
  }

  take(dimensions: readonly BreakdownDimension[]): readonly BreakdownDimension[] {
    return dimensions.flatMap((dimension) => {
      const isHere = this.takeNext(dimension.name);
      const criteria = dimension.criteria.filter(({ name }) => this.takeNext(name));
      const children = this.take(dimension.children);
      if (!isHere && criteria.length === 0 && children.length === 0) return [];
      if (!isHere) this.nContext++;
      return [{ ...dimension, criteria, children }];
    });
  }

  private takeNext(name: string): boolean {
    const at = this.at++;
    if (at < this.from || at >= this.to) return false;
    this.room -= 3 * countPageBytes(name);
    // One row at least, so that every part has a next one.
    if (this.room < 0 && at > this.from) {
      this.to = at;
      return false;
    }
    this.nTaken++;
    return true;
  }
}
