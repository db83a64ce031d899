import type { ExportFormat } from "@/lib/domain/export-format";

import type { ExportTable } from "./table";
import { writeCsv } from "./write-csv";
import { writeJson } from "./write-json";
import { writeParquet } from "./write-parquet";

/** Content types by format. */
export const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

/** Rows as a list, or made one by one. */
type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** The rows as text, a piece at a time: no more than one piece is in memory. */
export function writeTextExport<Row>(
  format: "csv" | "json",
  table: ExportTable<Row>,
  rows: Rows<Row>,
): AsyncGenerator<string, void> {
  return format === "csv" ? writeCsv(table, rows) : writeJson(table, rows);
}

/** The rows in any format, a piece or one Parquet group at a time. `metadata` is what a Parquet file says of itself. */
export function writeExport<Row>(
  format: ExportFormat,
  table: ExportTable<Row>,
  rows: Rows<Row>,
  metadata: Readonly<Record<string, string>> = {},
): AsyncGenerator<string | Uint8Array, void> {
  return format === "parquet" ? writeParquet(table, rows, metadata) : writeTextExport(format, table, rows);
}
