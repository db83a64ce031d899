import type { Generated } from "kysely";

import type { Json } from "./codec";

/** A column: what the database keeps, and for TypeScript alone what its values are. */
export interface Column<Value = unknown> {
  readonly type: "id" | "integer" | "real" | "text" | "json";
  readonly isNullable: boolean;
  /** Never there: it carries the type. */
  readonly value?: Value;
}

/** A number that the database gives to every new row. */
export const id = (): Column<Generated<number>> => ({ type: "id", isNullable: false });
/** A whole number. */
export const integer = (): Column<number> => ({ type: "integer", isNullable: false });
/** A double. NaN is unknown there, as nothing sorts before or after it. */
export const real = (): Column<number> => ({ type: "real", isNullable: false });
/** A text, of a closed list where that is named: the indexer writes its members only. */
export const text = <Value extends string = string>(): Column<Value> => ({ type: "text", isNullable: false });
/** A value of the domain as `encodeValue` writes it. */
export const json = <Value>(): Column<Json<Value>> => ({ type: "json", isNullable: false });
/** A column that may hold nothing. */
export const orNull = <Value>({ type }: Column<Value>): Column<Value | null> => ({ type, isNullable: true });

/** What rows are found and ordered by, besides the key. */
interface Index<Name extends string> {
  readonly columns: readonly Name[];
  readonly isUnique?: true;
  /** Only rows that hold something there. */
  readonly where?: Name;
  /** What PostgreSQL looks up instead: its sorted indexes refuse texts of some kilobytes, as names in files may be. */
  readonly postgres?: { readonly column: Name; readonly isHashed: boolean };
  /** Of {@link Table.rows}, for this index; every index of a table with many rows has them. */
  readonly rows?: string;
}

interface TableOptions<Name extends string> {
  /** Columns that tell a row from others; those of a job begin with it and the row's place. */
  readonly key?: readonly Name[];
  /**
   * What SQLite is told of a usual index before the table holds anything: rows in all, then rows that share the key's first
   * column, its first two, and so on. Told nothing, it takes a job for ten rows and reads all of its trials to find one.
   */
  readonly rows?: string;
  readonly indexes?: readonly Index<Name>[];
}

/** A table with its key and indexes. */
export interface Table<
  Columns extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>,
> extends TableOptions<string> {
  readonly columns: Columns;
}

/** Declares a table. */
export function table<Columns extends Readonly<Record<string, Column>>>(
  columns: Columns,
  options: TableOptions<Extract<keyof Columns, string>> = {},
): Table<Columns> {
  return { columns, ...options };
}

/** The rows of a table as Kysely knows them. */
export type RowsOf<T> =
  T extends Table<infer Columns>
    ? { [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never }
    : never;
