import type { ClockTime } from "@/lib/domain/clock-time";
import { formatInstant } from "@/lib/format/time";
import { dumpPythonJson, type PyNumber } from "@/lib/scoring";

interface ColumnBase {
  readonly name: string;
  /** Unit of a number, or null for text and for what is counted by its name. */
  readonly unit: string | null;
  /** What it says, in one line for the documentation that a Parquet file carries. */
  readonly description: string;
}

/**
 * One column of a download. `read` gives null for a missing value. `exact`: a Python number, written with its text, which
 * tells int from float. `timestamp`: an instant where its zone is known, and the text of the file.
 */
export type ExportColumn<Row> = ColumnBase &
  (
    | { readonly type: "text"; readonly read: (row: Row) => string | null }
    | { readonly type: "integer" | "real"; readonly read: (row: Row) => number | null }
    | { readonly type: "boolean"; readonly read: (row: Row) => boolean | null }
    | { readonly type: "timestamp"; readonly textName: string; readonly read: (row: Row) => ClockTime | null }
    | { readonly type: "exact"; readonly textName: string; readonly read: (row: Row) => PyNumber | null }
  );

/** A list that can be downloaded: one shape for every format, so that they cannot say different things. */
export interface ExportTable<Row> {
  /** Name and version of the shape, such as `assay.trials/2`. */
  readonly schema: string;
  /** Name of the list in the JSON document. */
  readonly list: string;
  readonly columns: readonly ExportColumn<Row>[];
  /** One row of the JSON document; a value that JSON lacks is already null. */
  readonly prepareJson: (row: Row) => object;
}

export function text<Row>(
  name: string,
  description: string,
  read: (row: Row) => string | null,
): ExportColumn<Row> {
  return { name, type: "text", unit: null, description, read };
}

/** A column of times, with the text of the file in a second one. */
export function time<Row>(
  name: string,
  description: string,
  read: (row: Row) => ClockTime | null,
): ExportColumn<Row> {
  return { name, textName: `${name}_text`, type: "timestamp", unit: null, description, read };
}

/** A column of whole numbers; `unit` is null for what is counted by its name. */
export function integer<Row>(
  name: string,
  unit: string | null,
  description: string,
  read: (row: Row) => number | null,
): ExportColumn<Row> {
  return { name, type: "integer", unit, description, read };
}

/** A column of doubles. */
export function real<Row>(
  name: string,
  unit: string,
  description: string,
  read: (row: Row) => number | null,
): ExportColumn<Row> {
  return { name, type: "real", unit, description, read };
}

/** A column of yes or no. */
export function flag<Row>(
  name: string,
  description: string,
  read: (row: Row) => boolean | null,
): ExportColumn<Row> {
  return { name, type: "boolean", unit: null, description, read };
}

/** The field of a row as text formats write it: Python's text of an exact number, a time in UTC, null when missing. */
export function readField<Row>(column: ExportColumn<Row>, row: Row): string | number | boolean | null {
  if (column.type === "timestamp") {
    const read = column.read(row);
    return read && formatInstant(read);
  }
  if (column.type !== "exact") return column.read(row);
  const value = column.read(row);
  return value === null ? null : dumpPythonJson(value);
}
