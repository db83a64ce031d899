import { makePrintable } from "./terminal";

export interface TextColumn {
  readonly heading: string;
  readonly align?: "left" | "right";
}

/** A longer cell overflows its column, so that one long name does not widen every line. */
const MAX_WIDTH = 120;

/** Formats aligned columns two spaces apart, each line ended by `\n`; cells are made printable. */
export function formatTextTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [columns.map(({ heading }) => heading), ...rows].map((row) => row.map(makePrintable));
  const widths = columns.map((_, at) =>
    Math.min(
      MAX_WIDTH,
      lines.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), 0),
    ),
  );
  const format = (line: readonly string[]) =>
    columns
      .map(({ align }, at) => {
        const cell = line[at] ?? "";
        return align === "right" ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
      })
      .join("  ")
      .trimEnd();
  return lines.map((line) => `${format(line)}\n`).join("");
}
