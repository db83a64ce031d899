import type { Generated } from "kysely";

import type { Json } from "./codec";

export interface Column<Value = unknown> {
  readonly type: "id" | "integer" | "real" | "text" | "json";
  readonly isNullable: boolean;
  /** True for the position of a trial in its job: a row is hidden with its trial. */
  readonly isOfTrial?: true;
  /** Never set; carries the type. */
  readonly value?: Value;
}

export const id = (): Column<Generated<number>> => ({ type: "id", isNullable: false });
export const integer = (): Column<number> => ({ type: "integer", isNullable: false });
export const trialPosition = (): Column<number> => ({ ...integer(), isOfTrial: true });
/** A double. NaN is stored as null, since it has no order. */
export const real = (): Column<number> => ({ type: "real", isNullable: false });
/** A text. A closed list of values holds because only the indexer writes it. */
export const text = <Value extends string = string>(): Column<Value> => ({ type: "text", isNullable: false });
export const json = <Value>(): Column<Json<Value>> => ({ type: "json", isNullable: false });
export const orNull = <Value>(column: Column<Value>): Column<Value | null> => ({
  ...column,
  isNullable: true,
});

export interface Index<Name extends string> {
  readonly columns: readonly Name[];
  readonly isUnique?: true;
  readonly where?: Name;
  /** The only column on PostgreSQL. Its sorted indexes refuse texts of some kilobytes, such as names in files. */
  readonly postgres?: readonly [method: "hash" | "btree", column: Name];
  /** Like {@link Table.rows}, for this index. Required on tables with many rows. */
  readonly rows?: string;
}

interface TableOptions<Name extends string> {
  /** Unique columns; those of a job start with the job and the row's position. */
  readonly key?: readonly Name[];
  /**
   * Statistics for SQLite before the table has rows: total rows, then rows per value of the first key column, of the first two,
   * and so on. Without them it assumes ten rows per job and reads all trials of a job to find one.
   */
  readonly rows?: string;
  readonly indexes?: readonly Index<Name>[];
  /** True if every user sees all rows; else they see those of visible jobs, see `limited-store.ts`. */
  readonly isForAll?: true;
}

export interface Table<
  Columns extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>,
> extends TableOptions<string> {
  readonly columns: Columns;
}

export function table<Columns extends Readonly<Record<string, Column>>>(
  columns: Columns,
  options: TableOptions<Extract<keyof Columns, string>> = {},
): Table<Columns> {
  return { columns, ...options };
}

export type RowsOf<T> =
  T extends Table<infer Columns>
    ? { [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never }
    : never;
