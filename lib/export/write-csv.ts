import { formatCsvLine } from "@/lib/format/csv";

import { type ExportTable, readField } from "./table";

/** Characters that are put together before they are handed on: lines one by one cost more than they hold. */
const PIECE_CHARS = 64_000;

/** The rows as CSV (RFC 4180) in whole lines; a missing value is empty, what would run as a formula gets an apostrophe. */
export async function* writeCsv<Row>(
  { columns }: ExportTable<Row>,
  rows: Iterable<Row> | AsyncIterable<Row>,
): AsyncGenerator<string, void> {
  let piece = formatCsvLine(columns.map(({ name }) => name));
  for await (const row of rows) {
    piece += formatCsvLine(columns.map((column) => readField(column, row)));
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}
