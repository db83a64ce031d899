/** Values of an order's columns in one row: the place in the list that a page begins behind, or ends before. */
export type Cursor = readonly (string | number | null)[];

/** Which page of a list: the first, the one behind a row, the one before a row, or the last. */
export type PagePlace =
  | { readonly kind: "first" }
  | { readonly kind: "after"; readonly cursor: Cursor }
  | { readonly kind: "before"; readonly cursor: Cursor }
  | { readonly kind: "last" };

/** A part of a list that is read whole each time: `shown` of its `total` entries, from the 0-based `from` on. */
export interface ListPart {
  readonly from: number;
  readonly shown: number;
  readonly total: number;
}

/** The beginning of a list. */
export const FIRST_PAGE: PagePlace = { kind: "first" };

/** Names in an address that say which page of a list it shows; whatever else changes, they are to be dropped. */
export const PLACE_PARAMS = ["after", "before", "last"] as const;
