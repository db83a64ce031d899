/** Some rows of a list: those from the 0-based `from` on, at most `limit`. */
export interface ListRange {
  readonly from: number;
  readonly limit: number;
}

/** Where the rows of a page stand in their list. */
export interface PagePlace {
  /** Rows of the list before this page, and in all. */
  readonly nBefore: number;
  readonly nMatching: number;
  /** Rows of a full page. */
  readonly size: number;
}

export interface ListPage<Row> extends PagePlace {
  readonly rows: readonly Row[];
}

/** The rows of a page. @param page - from 1 */
export function rangeOfPage(page: number, size: number): ListRange {
  return { from: (page - 1) * size, limit: size };
}

/** Where a page of a list of this length stands: the last page where the list is not that long. */
export function placeInList({ from, limit }: ListRange, nMatching: number): PagePlace {
  const lastStart = Math.max(0, (Math.ceil(nMatching / limit) - 1) * limit);
  return { nBefore: from < nMatching ? from : lastStart, nMatching, size: limit };
}

export function takePage<Row>(rows: readonly Row[], range: ListRange): ListPage<Row> {
  const place = placeInList(range, rows.length);
  return { rows: rows.slice(place.nBefore, place.nBefore + place.size), ...place };
}

/** A part of a list that is read whole each time: `shown` of its `total` entries, from the 0-based `from` on. */
export interface ListPart {
  readonly from: number;
  readonly shown: number;
  readonly total: number;
}
