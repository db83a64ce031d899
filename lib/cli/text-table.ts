import { makePrintable } from "./terminal";

/** Text is the heading of a column aligned left. */
type TextColumn = string | { readonly right: string };

export type Column<Row> = readonly [heading: TextColumn, read: (row: Row) => string];

/** A longer cell overflows its column, so that one long name does not widen every line. */
const MAX_WIDTH = 120;

/** Formats aligned columns two spaces apart, each line ended by `\n`; cells are made printable. */
export function formatTextTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [columns.map((column) => (typeof column === "string" ? column : column.right)), ...rows].map(
    (row) => row.map(makePrintable),
  );
  const widths = columns.map((_, at) =>
    Math.min(
      MAX_WIDTH,
      lines.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), 0),
    ),
  );
  const format = (line: readonly string[]) =>
    columns
      .map((column, at) => {
        const [cell = "", width = 0] = [line[at], widths[at]];
        return typeof column === "string" ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd();
  return lines.map((line) => `${format(line)}\n`).join("");
}

export function formatRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return formatTextTable(
    columns.map(([heading]) => heading),
    rows.map((row) => columns.map(([, read]) => read(row))),
  );
}
