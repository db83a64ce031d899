import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from "hyparquet-writer";

import type { ClockTime } from "@/lib/core/domain/clock-time";
import type { PyNumber } from "@/lib/core/scoring";

import { type ExportColumn, type ExportTable, readField } from "./table";

/** Rows of a group, which is encoded at once. It bounds memory and the time that a server is blocked. */
const GROUP_ROWS = 2_000;
/** Characters of a group's texts, so that rows with long texts make groups of fewer rows. */
const GROUP_CHARS = 4_000_000;

type Values = (string | number | bigint | boolean | null)[];

/** A column of the file. A table's column becomes two of them where it has both a number and a text. */
interface FileColumn<Row> {
  readonly element: SchemaElement;
  readonly read: (row: Row) => Values[number];
}

/**
 * Writes rows as a Parquet file, in pieces. Null is a missing value. Numbers keep every bit, integers are 64-bit, times are
 * microseconds UTC.
 * @param metadata - key-value pairs of the file, in addition to `assay.schema` and `assay.columns`
 */
export async function* writeParquet<Row>(
  table: ExportTable<Row>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  metadata: Readonly<Record<string, string>> = {},
): AsyncGenerator<Uint8Array, void> {
  const columns = table.columns.flatMap(toFileColumns);
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: "root", num_children: columns.length }, ...columns.map(({ element }) => element)],
    kvMetadata: describeFile(table, metadata),
    createdBy: "assay",
  });
  let group = startGroup(columns);
  for await (const row of rows) {
    addRow(group, columns, row);
    if (group.nRows < GROUP_ROWS && group.nChars < GROUP_CHARS) continue;
    yield writeGroup(file, writer, columns, group);
    group = startGroup(columns);
  }
  if (group.nRows > 0) yield writeGroup(file, writer, columns, group);
  await file.finish();
  yield takeBytes(writer);
}

interface Group {
  readonly values: readonly Values[];
  nRows: number;
  nChars: number;
}

function startGroup(columns: readonly unknown[]): Group {
  return { values: columns.map(() => []), nRows: 0, nChars: 0 };
}

function addRow<Row>(group: Group, columns: readonly FileColumn<Row>[], row: Row): void {
  columns.forEach(({ read }, index) => {
    const value = read(row);
    group.values[index]?.push(value);
    if (typeof value === "string") group.nChars += value.length;
  });
  group.nRows += 1;
}

function writeGroup<Row>(
  file: ParquetWriter,
  writer: ByteWriter,
  columns: readonly FileColumn<Row>[],
  { values, nRows }: Group,
): Uint8Array {
  const columnData = columns.map(({ element }, index): ColumnSource => ({
    name: element.name,
    data: values[index] ?? [],
    // A dictionary merges 0 and -0, and doubles must keep their bits.
    ...(element.type === "DOUBLE" ? { encoding: "PLAIN" } : {}),
  }));
  // Synchronous, since a ByteWriter does not wait.
  void file.write({ columnData, rowGroupSize: nRows });
  return takeBytes(writer);
}

/** Returns the bytes since the last call. The writer reuses its memory but keeps counting. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

function toFileColumns<Row>(column: ExportColumn<Row>): readonly FileColumn<Row>[] {
  const { name } = column;
  switch (column.type) {
    case "text":
      return [{ element: textElement(name), read: column.read }];
    case "integer":
      return [{ element: optional(name, { type: "INT64" }), read: (row) => toInt64(column.read(row)) }];
    case "real":
      return [{ element: optional(name, { type: "DOUBLE" }), read: column.read }];
    case "boolean":
      return [{ element: optional(name, { type: "BOOLEAN" }), read: column.read }];
    case "timestamp":
      return [
        { element: timeElement(name), read: (row) => toMicros(column.read(row)) },
        { element: textElement(column.textName), read: (row) => column.read(row)?.text ?? null },
      ];
    case "exact":
      return [
        { element: optional(name, { type: "DOUBLE" }), read: (row) => toDouble(column.read(row)) },
        { element: textElement(column.textName), read: (row) => readField(column, row) },
      ];
  }
}

function toDouble(value: PyNumber | null): number | null {
  return value === null ? null : Number(value);
}

function optional(name: string, element: Omit<SchemaElement, "name">): SchemaElement {
  return { name, repetition_type: "OPTIONAL", ...element };
}

function textElement(name: string): SchemaElement {
  return optional(name, { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } });
}

function timeElement(name: string): SchemaElement {
  return optional(name, {
    type: "INT64",
    converted_type: "TIMESTAMP_MICROS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  });
}

/** Agents may report any count. Only whole numbers within 53 bits fit the column. */
function toInt64(value: number | null): bigint | null {
  return value !== null && Number.isSafeInteger(value) ? BigInt(value) : null;
}

const SECOND_FRACTION = /[.,]\d{3}(\d{1,3})/;

/** Returns microseconds since 1970-01-01 UTC; null for a time in an unknown zone, which is not an instant. */
function toMicros(time: ClockTime | null): bigint | null {
  if (!time?.zoned) return null;
  const digits = SECOND_FRACTION.exec(time.text)?.[1] ?? "";
  return BigInt(time.epochMs) * 1000n + BigInt(digits.padEnd(3, "0"));
}

function describeFile<Row>(
  { schema, columns }: ExportTable<Row>,
  metadata: Readonly<Record<string, string>>,
) {
  const described = columns.map(({ name, type, unit, description }) => ({ name, type, unit, description }));
  const pairs = { "assay.schema": schema, ...metadata, "assay.columns": JSON.stringify(described) };
  return Object.entries(pairs).map(([key, value]) => ({ key, value }));
}
