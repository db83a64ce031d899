import type { ClockTime } from "@/lib/core/domain/clock-time";
import { formatInstant } from "@/lib/core/format/time";
import { dumpPythonJson, type PyNumber } from "@/lib/core/scoring";

interface ColumnBase {
  readonly name: string;
  /** Unit of a number; null for text, and for counts whose name is the unit. */
  readonly unit: string | null;
  readonly description: string;
}

/**
 * One column of a download. `read` returns null for a missing value. `exact`: a Python number with its text, which distinguishes
 * int from float. `timestamp`: an instant where its zone is known, and the text of the file.
 */
export type ExportColumn<Row> = ColumnBase &
  (
    | { readonly type: "text"; readonly read: (row: Row) => string | null }
    | { readonly type: "integer" | "real"; readonly read: (row: Row) => number | null }
    | { readonly type: "boolean"; readonly read: (row: Row) => boolean | null }
    | { readonly type: "timestamp"; readonly textName: string; readonly read: (row: Row) => ClockTime | null }
    | { readonly type: "exact"; readonly textName: string; readonly read: (row: Row) => PyNumber | null }
  );

/** A downloadable list. All formats share this description, so that they agree. */
export interface ExportTable<Row> {
  /** Name and version of the shape, such as `assay.trials/2`. */
  readonly schema: string;
  readonly list: string;
  readonly columns: readonly ExportColumn<Row>[];
  /** Returns one row of the JSON document, with null for values that JSON lacks. */
  readonly prepareJson: (row: Row) => object;
}

export function text<Row>(
  name: string,
  description: string,
  read: (row: Row) => string | null,
): ExportColumn<Row> {
  return { name, type: "text", unit: null, description, read };
}

/** A column of times, with the text of the file in a second column. */
export function time<Row>(
  name: string,
  description: string,
  read: (row: Row) => ClockTime | null,
): ExportColumn<Row> {
  return { name, textName: `${name}_text`, type: "timestamp", unit: null, description, read };
}

/** A column of whole numbers; `unit` is null for counts whose name is the unit. */
export function integer<Row>(
  name: string,
  unit: string | null,
  description: string,
  read: (row: Row) => number | null,
): ExportColumn<Row> {
  return { name, type: "integer", unit, description, read };
}

export function real<Row>(
  name: string,
  unit: string,
  description: string,
  read: (row: Row) => number | null,
): ExportColumn<Row> {
  return { name, type: "real", unit, description, read };
}

export function flag<Row>(
  name: string,
  description: string,
  read: (row: Row) => boolean | null,
): ExportColumn<Row> {
  return { name, type: "boolean", unit: null, description, read };
}

/** Returns a row's field for text formats: Python's text of an exact number, a time in UTC, null when missing. */
export function readField<Row>(column: ExportColumn<Row>, row: Row): string | number | boolean | null {
  if (column.type === "timestamp") {
    const read = column.read(row);
    return read && formatInstant(read);
  }
  if (column.type !== "exact") return column.read(row);
  const value = column.read(row);
  return value === null ? null : dumpPythonJson(value);
}
