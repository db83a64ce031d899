import { type ClockInterval, type ClockTime, computeDurationMs } from "@/lib/core/domain/clock-time";
import type { Field, Fields } from "@/lib/core/fields/field";
import { JOB_FIELDS, type ListedGroup } from "@/lib/core/fields/jobs.fields";
import { type ExportedJudgment, JUDGMENT_FIELDS } from "@/lib/core/fields/judgments.fields";
import { formatInstant } from "@/lib/core/format/time";
import {
  type PyNumber,
  type RewardDict,
  dumpPythonJson,
  isPyNumber,
  parsePythonJson,
} from "@/lib/core/scoring";

interface ColumnBase {
  readonly name: string;
  /** Unit of a number; null for text, and for counts whose name is the unit. */
  readonly unit: string | null;
  readonly description: string;
}

/**
 * One column of a download. `read` returns null for a missing value. `exact`: a Python number with its text, which distinguishes
 * int from float. `timestamp`: an instant where its zone is known, and the text of the file.
 */
export type ExportColumn<Row> = ColumnBase &
  (
    | { readonly type: "text"; readonly read: (row: Row) => string | null }
    | { readonly type: "integer" | "real"; readonly read: (row: Row) => number | null }
    | { readonly type: "boolean"; readonly read: (row: Row) => boolean | null }
    | { readonly type: "timestamp"; readonly textName: string; readonly read: (row: Row) => ClockTime | null }
    | { readonly type: "exact"; readonly textName: string; readonly read: (row: Row) => PyNumber | null }
  );

/** A downloadable list. All formats share this description, so that they agree. */
export interface ExportTable<Row> {
  /** Name and version of the shape, such as `assay.trials/2`. */
  readonly schema: string;
  readonly list: string;
  readonly columns: readonly ExportColumn<Row>[];
  /** Returns one row of the JSON document, with null for values that JSON lacks. */
  readonly prepareJson: (row: Row) => object;
}

/** Returns the columns of fields that have a cell. */
export function toColumns<Row>(fields: Fields<Row>): readonly ExportColumn<Row>[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.form === "json" ? [] : [toColumn(name, field)],
  );
}

function toColumn<Row>(name: string, field: Field<Row>): ExportColumn<Row> {
  const { unit, description } = field;
  const base = { name, unit, description, textName: `${name}_text` };
  const asText = (read: (row: Row) => string | null) => ({ ...base, type: "text" as const, read });
  if (field.type === "exact")
    return { ...base, type: field.type, read: (row) => parseNumber(field.read(row)) };
  if (field.type === "rewards") return asText((row) => mapKnown(field.read(row), dumpPythonJson));
  if (field.type === "object")
    return asText((row) => mapKnown(field.read(row), (one) => JSON.stringify(one)));
  if (field.type === "texts") return asText((row) => field.read(row).join("; ") || null);
  return { ...base, ...field };
}

function mapKnown<Value, Written>(value: Value | null, write: (value: Value) => Written): Written | null {
  return value === null ? null : write(value);
}

/** Parses Python's text of a number, which distinguishes int and float. */
function parseNumber(text: string | null): PyNumber | null {
  const value = text === null ? null : parsePythonJson(text);
  return isPyNumber(value) ? value : null;
}

/** Returns a row of the JSON document: an exact number is `{value, text}`, a time ISO 8601 in UTC, a missing value null. */
export function toJson<Row>(
  fields: Fields<Row>,
  row: Row,
  nested: Readonly<Record<string, (row: Row) => object | null>> = {},
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (field.form === "cell") return [];
      if (field.form !== undefined) return [[name, nested[name]?.(row) ?? null]];
      return [[name, readJson(field, row)]];
    }),
  );
}

function readJson<Row>(field: Field<Row>, row: Row): unknown {
  if (field.type === "timestamp") return mapKnown(field.read(row), formatInstant);
  if (field.type === "exact") return mapKnown(parseNumber(field.read(row)), prepareValue);
  return field.type === "rewards" ? prepareRewards(field.read(row)) : field.read(row);
}

/** Returns a row's field for text formats: Python's text of an exact number, a time in UTC, null when missing. */
export function readField<Row>(column: ExportColumn<Row>, row: Row): string | number | boolean | null {
  if (column.type === "timestamp") {
    const read = column.read(row);
    return read && formatInstant(read);
  }
  if (column.type !== "exact") return column.read(row);
  const value = column.read(row);
  return value === null ? null : dumpPythonJson(value);
}

export const JOB_TABLE: ExportTable<ListedGroup> = {
  schema: "assay.jobs/2",
  list: "jobs",
  columns: toColumns(JOB_FIELDS),
  prepareJson: (row) => toJson(JOB_FIELDS, row),
};

export const JUDGMENT_TABLE: ExportTable<ExportedJudgment> = {
  schema: "assay.judgments/1",
  list: "judgments",
  columns: toColumns(JUDGMENT_FIELDS),
  prepareJson: ({ annotation }) => annotation,
};

/** A Python number for JSON: the nearest double, null where JSON has none (NaN, infinite), and Python's own text. */
interface JsonNumber {
  readonly value: number | null;
  readonly text: string;
}

/** Prepares one number. @example prepareValue(NaN) // { value: null, text: "NaN" } */
export function prepareValue(value: PyNumber): JsonNumber {
  const double = Number(value);
  return { value: Number.isFinite(double) ? double : null, text: dumpPythonJson(value) };
}

export function prepareRewards(rewards: RewardDict | null): (JsonNumber & { readonly key: string })[] | null {
  return rewards && [...rewards].map(([key, value]) => ({ key, ...prepareValue(value) }));
}

/** Returns start and end in UTC, and whole milliseconds between; every field null where the file lacks it. */
export function prepareInterval(interval: ClockInterval | null) {
  return {
    started_at: interval?.startedAt ? formatInstant(interval.startedAt) : null,
    finished_at: interval?.finishedAt ? formatInstant(interval.finishedAt) : null,
    duration_ms: computeDurationMs(interval),
  };
}
