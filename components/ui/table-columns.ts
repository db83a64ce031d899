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

/**
 * A place in the two-line row of a phone. First line: `score`, `first`, and `side` at its end. Second line: `below` the score,
 * any number of `second` (or `labelled`, with the heading) and `end`. `above` stands over both.
 */
export type PhonePlace = "above" | "score" | "first" | "side" | "below" | "second" | "labelled" | "end";

/** What a definition says of its column beside heading, cell and whether it can be hidden. */
export interface ColumnMeta {
  /** Its name in the menu of columns, where the heading is no plain text. */
  readonly label?: string;
  /** Explains the heading. */
  readonly title?: string;
  readonly numeric?: boolean;
  /** Of its cells: `name`, `wrap`, `muted`, `interval-cell`. */
  readonly className?: string;
  readonly width?: number | string;
  /** Whether its cells head their rows, which assistive technology reads with every other cell. */
  readonly isRowHeader?: boolean;
  /** Whether what the column draws is a whole `<td>`, as a cell that the browser draws. */
  readonly isOwnCell?: boolean;
  /** Left out below 1150 px of content; a `spare` one already below 1300 px. */
  readonly room?: "minor" | "spare";
  /** Its sort key in the address. */
  readonly sort?: string;
  /** Whether a first click sorts upwards, as names do; amounts start with the largest. */
  readonly ascends?: boolean;
  /** Its field in downloads of the same list. */
  readonly field?: string;
  /** Place in the two-line rows of a phone; without one it is left out there. */
  readonly phone?: PhonePlace;
}

type Reactivity = Parameters<typeof tableFeatures>[0]["coreReactivityFeature"];

/** The address holds the state of a table and every drawing builds its table, so no value ever changes under it. */
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

/** The definition of a column: heading, cell and whatever else there is to say of it, in one place. */
export interface DataColumn<Row> {
  /** Its name in the address. */
  readonly id: string;
  readonly header: ReactNode;
  /** What stands in its cell of a row. */
  readonly cell: (row: Row) => ReactNode;
  /** Whether it can be hidden and moved, as by default. */
  readonly enableHiding?: boolean;
  /** Whether it shows only where the address lists it. */
  readonly startsHidden?: boolean;
  /** Whether it has something to say of a row; it is left out where it has nothing to say of any. */
  readonly isFilled?: (row: Row) => boolean;
  readonly meta?: ColumnMeta;
}

/** How a table is sorted, and where its headings lead. */
export interface TableOrder<Sort extends string = string> {
  readonly sorts: readonly Sort[];
  readonly sort: Sort;
  readonly descending: boolean;
  readonly hrefOf: (order: { readonly sort: Sort; readonly descending: boolean }) => Route;
}

/** The name of a column in words. */
export function nameColumn<Row>({ header, meta }: DataColumn<Row>): string {
  return meta?.label ?? (typeof header === "string" ? header : "");
}

/** A table of the rows with the columns that the address wants, see {@link listShown}, less those without anything to say. */
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

/** A definition as the library takes it. A column that was asked for is not left out where room is short. */
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

/**
 * Ids of the columns to show: those that cannot be hidden, then the ones that the address lists, in its order. Null is all
 * that do not start hidden; a name that no column has is passed over.
 */
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

/** `columns` where the address lists a column that the table does not have, to be reported with its other unknown values. */
export function listUnknownColumns<Row extends RowData>(
  columns: readonly DataColumn<Row>[],
  wanted: readonly string[] | null,
): readonly string[] {
  const isKnown = (id: string) => id === "" || columns.some((column) => column.id === id);
  return (wanted ?? []).every(isKnown) ? [] : ["columns"];
}
