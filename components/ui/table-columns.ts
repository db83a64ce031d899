import {
  columnOrderingFeature,
  columnVisibilityFeature,
  constructTable,
  type DisplayColumnDef,
  metaHelper,
  type RowData,
  tableFeatures,
} from "@tanstack/react-table";
import type { Route } from "next";
import type { ReactNode } from "react";

/** Place in a phone's two-line row. Line 1: `score`, `first`, `side`. Line 2: `below`, `second` or `labelled`, `end`. `above`: both. */
export type PhonePlace = "above" | "score" | "first" | "side" | "below" | "second" | "labelled" | "end";

export interface ColumnMeta {
  readonly label?: string;
  readonly title?: string;
  readonly numeric?: boolean;
  /** Class of its cells: `name`, `wrap`, `muted`, `interval-cell`. */
  readonly className?: string;
  readonly width?: number | string;
  /** True if its cells are row headers, which assistive technology reads with every other cell. */
  readonly isRowHeader?: boolean;
  /** True if the cell renders its own `<td>`, as cells rendered in the browser do. */
  readonly isOwnCell?: boolean;
  /** Hidden below 1150 px of content; `spare` already below 1300 px. */
  readonly room?: "minor" | "spare";
  readonly sort?: string;
  /** True if the first click sorts ascending, as for names; amounts start with the largest. */
  readonly ascends?: boolean;
  readonly field?: string;
  readonly phone?: PhonePlace;
}

type Reactivity = Parameters<typeof tableFeatures>[0]["coreReactivityFeature"];

/** The URL holds the table's state and each render builds its table, so no value changes within one. */
const STATIC: NonNullable<Reactivity> = {
  createOptionsStore: false,
  wrapExternalAtoms: false,
  addSubscription: () => undefined,
  createWritableAtom: (value) => makeStatic(() => value),
  createReadonlyAtom: makeStatic,
  untrack: (read) => read(),
  batch: (change) => change(),
  schedule: () => undefined,
};

function makeStatic<T>(get: () => T) {
  return { get, set: () => undefined, subscribe: () => ({ unsubscribe: () => undefined }) };
}

const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  coreReactivityFeature: STATIC,
  columnMeta: metaHelper<ColumnMeta>(),
});

export interface DataColumn<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** True by default: it can be hidden and moved. */
  readonly enableHiding?: boolean;
  readonly startsHidden?: boolean;
  readonly isFilled?: (row: Row) => boolean;
  readonly meta?: ColumnMeta;
}

export interface TableOrder<Sort extends string = string> {
  readonly sorts: readonly Sort[];
  readonly sort: Sort;
  readonly descending: boolean;
  readonly hrefOf: (order: { readonly sort: Sort; readonly descending: boolean }) => Route;
}

export function nameColumn<Row>({ header, meta }: DataColumn<Row>): string {
  return meta?.label ?? (typeof header === "string" ? header : "");
}

/** Columns are those of {@link listShown}, without empty ones. */
export function makeTable<Row extends RowData>(
  columns: readonly DataColumn<Row>[],
  rows: readonly Row[],
  wanted: readonly string[] | null,
) {
  const filled = columns.filter(({ isFilled }) => isFilled === undefined || rows.some(isFilled));
  const shown = listShown(filled, wanted);
  return constructTable({
    features,
    columns: columns.map((column) => describe(column, wanted !== null)),
    data: rows,
    initialState: {
      columnOrder: [...shown],
      columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, shown.includes(id)])),
    },
  });
}

/** A requested column is not hidden in narrow windows. */
function describe<Row extends RowData>(
  column: DataColumn<Row>,
  isWanted: boolean,
): DisplayColumnDef<typeof features, Row> {
  const { id, header, cell, enableHiding = true, meta: { room, ...meta } = {} } = column;
  return {
    id,
    header: () => header,
    cell: ({ row }) => cell(row.original),
    enableHiding,
    meta: { ...meta, ...(isWanted || room === undefined ? {} : { room }), label: nameColumn(column) },
  };
}

/** Returns fixed columns, then those of the URL in its order; null means all that do not start hidden. Ignores unknown names. */
export function listShown<Row extends RowData>(
  columns: readonly DataColumn<Row>[],
  wanted: readonly string[] | null,
): readonly string[] {
  const fixed = columns.filter(({ enableHiding = true }) => !enableHiding);
  const hideable = columns.filter(({ enableHiding = true }) => enableHiding);
  const chosen =
    wanted === null
      ? hideable.filter(({ startsHidden = false }) => !startsHidden)
      : [...new Set(wanted)].flatMap((id) => hideable.find((column) => column.id === id) ?? []);
  return [...fixed, ...chosen].map(({ id }) => id);
}

export function listUnknownColumns<Row extends RowData>(
  columns: readonly DataColumn<Row>[],
  wanted: readonly string[] | null,
): readonly string[] {
  const isKnown = (id: string) => id === "" || columns.some((column) => column.id === id);
  return (wanted ?? []).every(isKnown) ? [] : ["columns"];
}
