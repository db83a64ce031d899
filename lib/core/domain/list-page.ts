/** Rows of a page of a list. */
export const PAGE_ROWS = 50;

/** Rows of a list without pages; filters find the others. */
export const LIST_ROWS = 100;

export interface ListRange {
  readonly from: number;
  readonly limit: number;
}

export interface PagePlace {
  readonly nBefore: number;
  readonly nMatching: number;
  readonly size: number;
}

export interface ListPage<Row> extends PagePlace {
  readonly rows: readonly Row[];
}

/** @param page - from 1 */
export function rangeOfPage(page: number, size: number): ListRange {
  return { from: (page - 1) * size, limit: size };
}

/** Falls back to the last page if the list is shorter. */
export function placeInList({ from, limit }: ListRange, nMatching: number): PagePlace {
  const lastStart = Math.max(0, (Math.ceil(nMatching / limit) - 1) * limit);
  return { nBefore: from < nMatching ? from : lastStart, nMatching, size: limit };
}

export function takePage<Row>(rows: readonly Row[], range: ListRange): ListPage<Row> {
  const place = placeInList(range, rows.length);
  return { rows: rows.slice(place.nBefore, place.nBefore + place.size), ...place };
}

export interface ListPart {
  readonly from: number;
  readonly shown: number;
  readonly total: number;
}
