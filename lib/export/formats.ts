import type { ExportFormat } from "@/lib/domain/export-format";
import { formatCsvLine } from "@/lib/format/csv";

import { type ExportTable, readField } from "./table";
import { writeParquet } from "./write-parquet";

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

/** Characters that are put together before they are handed on: lines one by one cost more than they hold. */
const PIECE_CHARS = 64_000;

/** The rows as CSV (RFC 4180) in whole lines; a missing value is empty, what would run as a formula gets an apostrophe. */
async function* writeCsv<Row>({ columns }: ExportTable<Row>, rows: Rows<Row>): AsyncGenerator<string, void> {
  let piece = formatCsvLine(columns.map(({ name }) => name));
  for await (const row of rows) {
    piece += formatCsvLine(columns.map((column) => readField(column, row)));
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** The rows as one JSON document, one a line; it is closed after the last row, so that a cut one cannot be read. */
async function* writeJson<Row>(
  { schema, list, prepareJson }: ExportTable<Row>,
  rows: Rows<Row>,
): AsyncGenerator<string, void> {
  let piece = `{"schema": ${JSON.stringify(schema)}, ${JSON.stringify(list)}: [`;
  let separator = "\n";
  for await (const row of rows) {
    piece += separator + JSON.stringify(prepareJson(row));
    separator = ",\n";
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}\n]}\n`;
}
