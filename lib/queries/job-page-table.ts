import "server-only";

/** A value to filter by and how many rows carry it. */
export interface FacetValue<T extends string> {
  readonly value: T;
  readonly count: number;
}

/** One page of a table's rows. */
export interface TablePage<Row> {
  readonly rows: readonly Row[];
  /** From 1; the last page when a later one was asked for. */
  readonly page: number;
  readonly nPages: number;
  /** Rows over all pages. */
  readonly nMatching: number;
}

/** The rows of one page. There is always at least page 1, which may be empty. */
export function paginate<Row>(rows: readonly Row[], page: number, size: number): TablePage<Row> {
  const nPages = Math.max(1, Math.ceil(rows.length / size));
  const current = Math.min(page, nPages);
  return {
    rows: rows.slice((current - 1) * size, current * size),
    page: current,
    nPages,
    nMatching: rows.length,
  };
}

/** How many rows carry each value, a value counting once a row; most frequent first, then by name. */
export function countValues<Row, T extends string>(
  rows: readonly Row[],
  read: (row: Row) => readonly T[],
): FacetValue<T>[] {
  const counts = new Map<T, number>();
  for (const row of rows) {
    const values = read(row);
    for (const value of values.length < 2 ? values : new Set(values))
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** Sorts by a key; rows of equal keys keep their order, unknown keys (null) come last either way. */
export function sortByKey<Row>(
  rows: readonly Row[],
  read: (row: Row) => number | string | null,
  descending: boolean,
): readonly Row[] {
  const sign = descending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: read(row) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return a.key < b.key ? -sign : a.key > b.key ? sign : 0;
  });
  return keyed.map(({ row }) => row);
}
