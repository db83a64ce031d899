import type { ClockTime } from "../domain/clock-time";
import type { RewardDict } from "../scoring";

/**
 * Format of a value. `exact`: Python's text of a number, which distinguishes int from float. `rewards`, `object` and `texts`
 * are lists and objects in JSON, and a text in a cell. `read` returns null for a missing value.
 */
type FieldValue<Row> =
  | { readonly type: "text"; readonly read: (row: Row) => string | null }
  | { readonly type: "exact"; readonly read: (row: Row) => string | null }
  | { readonly type: "integer" | "real"; readonly read: (row: Row) => number | null }
  | { readonly type: "boolean"; readonly read: (row: Row) => boolean | null }
  | { readonly type: "timestamp"; readonly read: (row: Row) => ClockTime | null }
  | { readonly type: "rewards"; readonly read: (row: Row) => RewardDict | null }
  | { readonly type: "object"; readonly read: (row: Row) => object | null }
  | { readonly type: "texts"; readonly read: (row: Row) => readonly string[] };

interface FieldWords {
  readonly description: string;
  /** Unit of a number; null for text, and for counts whose name is the unit. */
  readonly unit: string | null;
  /** True if no row lacks it. */
  readonly always?: boolean;
  /** All values of a text. */
  readonly values?: readonly string[];
}

/**
 * One value of each row of a list. `form`: without it the same in all formats, `cell` only a cell of CSV and Parquet, `nested` a
 * cell and an object in JSON, which lib/output/export reads and lib/output/api describes.
 */
export type Field<Row> = FieldWords & FieldValue<Row> & { readonly form?: "cell" | "nested" };

/** An object of the JSON document that has no cell. */
interface JsonField {
  readonly form: "json";
  readonly description: string;
}

/** By name, in the order of the document or file. */
export type Fields<Row> = Readonly<Record<string, Field<Row> | JsonField>>;

/** Names of fields with an object of their own in JSON. */
export type NestedName<F> = {
  [Name in keyof F]: F[Name] extends { readonly form: "json" | "nested" } ? Name : never;
}[keyof F];

type Options = Pick<FieldWords, "always" | "values"> & { readonly form?: "cell" | "nested" };

/** Returns makers of fields of one kind of row. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it types the readers that the makers take
export function makeFields<Row>() {
  type Reader<Value> = (row: Row) => Value | null;
  const make =
    <const Type extends FieldValue<Row>["type"], Value>(type: Type) =>
    <const Own extends Options = object>(description: string, read: Reader<Value>, own?: Own) => ({
      type,
      unit: null,
      description,
      read,
      ...(own as Own),
    });
  const measure =
    <const Type extends "integer" | "real">(type: Type) =>
    <const Own extends Options = object>(
      unit: string | null,
      description: string,
      read: Reader<number>,
      own?: Own,
    ) => ({ type, unit, description, read, ...(own as Own) });
  return {
    text: make<"text", string>("text"),
    flag: make<"boolean", boolean>("boolean"),
    time: make<"timestamp", ClockTime>("timestamp"),
    rewards: make<"rewards", RewardDict>("rewards"),
    object: make<"object", object>("object"),
    integer: measure("integer"),
    real: measure("real"),
    json: (description: string): JsonField => ({ form: "json", description }),
  };
}

/** Words of both orders of a sorted column, ascending first. */
export const SORT_WORDS = {
  names: ["A to Z", "Z to A"],
  amounts: ["lowest first", "highest first"],
  lengths: ["shortest first", "longest first"],
  times: ["oldest first", "newest first"],
} as const;

/** Place in a phone's two-line row. Line 1: `score`, `first`, `side`. Line 2: `below`, `second` or `labelled`, `end`. `above`: both. */
export type PhonePlace = "above" | "score" | "first" | "side" | "below" | "second" | "labelled" | "end";

/** Appearance of a field in a list, independent of the component. */
export interface ColumnLook {
  readonly label?: string;
  readonly title?: string;
  readonly numeric?: boolean;
  /** Class of its cells: `name`, `wrap`, `muted`, `interval-cell`. */
  readonly className?: string;
  readonly width?: number | string;
  /** Hidden below 1150 px of content; `spare` already below 1300 px. */
  readonly room?: "minor" | "spare";
  /** True if the first click sorts ascending, as for names; amounts start with the largest. */
  readonly ascends?: boolean;
  readonly phone?: PhonePlace;
}

/** A column of a list's table. Its key names it in addresses, for the order too. */
export interface ListColumn extends ColumnLook {
  readonly heading: string;
  /** Words of its orders if the list can be ordered by it. */
  readonly sort?: readonly [string, string];
  /** Field of downloads that it shows. */
  readonly field?: string;
  readonly startsHidden?: boolean;
  /** True if it always shows, in front. */
  readonly isFixed?: boolean;
}

/** Names of columns by which a list can be ordered. */
export type SortName<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends { readonly sort: readonly string[] } ? Name : never;
}[keyof Columns] &
  string;

/** Returns the names of columns by which a list can be ordered, the usual one first. */
export function listSorts<const Columns extends Readonly<Record<string, ListColumn>>>(
  columns: Columns,
  usual: SortName<Columns>,
): readonly [SortName<Columns>, ...SortName<Columns>[]] {
  const others = Object.keys(columns).filter((name) => columns[name]?.sort !== undefined && name !== usual);
  return [usual, ...(others as SortName<Columns>[])]; // Keys of the object itself.
}
