import type { ExportTable } from "./table";

const PIECE_CHARS = 64_000;

/**
 * The rows as one JSON document, one a line, in pieces; it is closed after the last row, so that a cut one cannot be read.
 */
export async function* writeJson<Row>(
  { schema, list, prepareJson }: ExportTable<Row>,
  rows: Iterable<Row> | AsyncIterable<Row>,
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
