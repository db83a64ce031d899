import type { ExportFormat } from "@/lib/core/domain/export-format";
import { formatCsvLine } from "@/lib/core/format/csv";

import { type ExportTable, readField } from "./table";
import { writeParquet } from "./write-parquet";

export const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Writes rows in any format, one piece or one Parquet group at a time. @param metadata - key-value pairs of a Parquet file */
export function writeExport<Row>(
  format: ExportFormat,
  table: ExportTable<Row>,
  rows: Rows<Row>,
  metadata: Readonly<Record<string, string>> = {},
): AsyncGenerator<string | Uint8Array, void> {
  if (format === "parquet") return writeParquet(table, rows, metadata);
  return format === "csv" ? writeCsv(table, rows) : writeJson(table, rows);
}

/** Characters per piece: sending lines one by one costs more than their content. */
const PIECE_CHARS = 64_000;

/**
 * Writes CSV (RFC 4180) in whole lines. A missing value is empty; a value that a spreadsheet would run as a formula gets an
 * apostrophe.
 */
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

/** Writes one JSON document, one row per line. It is closed after the last row, so that a truncated one is invalid. */
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

const encoder = new TextEncoder();

/** Returns a response body that makes pieces on demand. A failure aborts it: a truncated file must never look complete. */
export function makeByteStream(pieces: AsyncGenerator<string | Uint8Array, void>) {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        // In-process databases answer without a pause, so this pause lets other requests run.
        await new Promise((settle) => setImmediate(settle));
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      },
      cancel: async () => {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
