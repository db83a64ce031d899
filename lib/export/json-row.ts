import { formatInstant } from "@/lib/format/time";

import { prepareValue } from "./json-values";
import type { ExportColumn } from "./table";

/** A row as a flat JSON object: an exact number is `{value, text}`, a time ISO 8601 in UTC, a missing value null. */
export function prepareJsonRow<Row>(columns: readonly ExportColumn<Row>[], row: Row): object {
  return Object.fromEntries(columns.map((column) => [column.name, readJsonValue(column, row)]));
}

function readJsonValue<Row>(column: ExportColumn<Row>, row: Row) {
  switch (column.type) {
    case "timestamp": {
      const time = column.read(row);
      return time && formatInstant(time);
    }
    case "exact": {
      const value = column.read(row);
      return value === null ? null : prepareValue(value);
    }
    case "text":
    case "integer":
    case "real":
    case "boolean":
      return column.read(row);
  }
}
