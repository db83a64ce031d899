import {
  type AccessorFnColumnDef,
  type Column,
  columnOrderingFeature,
  columnVisibilityFeature,
  constructTable,
  metaHelper,
  type RowData,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import { storeReactivityBindings } from "@tanstack/table-core/store-reactivity-bindings";
import type { Route } from "next";
import type { ReactNode } from "react";

import type { ColumnLook, ListColumn } from "@/lib/core/fields/field";

export interface ColumnMeta extends ColumnLook {
  /** True if its cells are row headers, which assistive technology reads with every other cell. */
  readonly isRowHeader?: boolean;
  /** True if the cell renders its own `<td>`, as cells rendered in the browser do. */
  readonly isOwnCell?: boolean;
  readonly sort?: string;
}

const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
  // Each render makes its own table, on the server too, where there are no hooks.
  coreReactivityFeature: storeReactivityBindings(),
  columnMeta: metaHelper<ColumnMeta>(),
});

export type TableColumn<Row extends RowData> = Column<typeof features, Row>;

export interface CellAttributes {
  readonly title?: string | undefined;
  readonly className?: string | undefined;
}

export interface DataColumn<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** True by default: it can be hidden and moved. */
  readonly enableHiding?: boolean;
  readonly startsHidden?: boolean;
  readonly isFilled?: (row: Row) => boolean;
  readonly attributes?: (row: Row) => CellAttributes;
  readonly meta?: ColumnMeta;
}

/** A column that its heading names. Columns of a list that can be hidden and moved come from {@link listColumns}. */
export function column<Row>(
  header: string,
  cell: DataColumn<Row>["cell"],
  meta: ColumnMeta = {},
  attributes?: DataColumn<Row>["attributes"],
): DataColumn<Row> {
  return { id: header, header, cell, meta, ...(attributes === undefined ? {} : { attributes }) };
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

/** A cell, with the header and the rule of hiding that its column has instead. */
export type Drawn<Row> =
  | DataColumn<Row>["cell"]
  | (Pick<DataColumn<Row>, "cell"> & Partial<Pick<DataColumn<Row>, "header" | "isFilled">>);

/** Returns the columns of a list, each with its cell and, where they are not those of the list, its header. */
export function listColumns<Row, Name extends string>(
  columns: Readonly<Record<Name, ListColumn>>,
  cells: Readonly<Record<Name, Drawn<Row>>>,
): readonly (DataColumn<Row> & { readonly id: Name })[] {
  const entries = Object.entries(columns) as [Name, ListColumn][]; // Keys of the object itself.
  return entries.map(([id, { heading, sort, startsHidden = false, isFixed = false, field: _, ...look }]) => {
    const own: Drawn<Row> = cells[id];
    return {
      id,
      header: heading,
      enableHiding: !isFixed,
      startsHidden,
      meta: { ...look, ...(sort === undefined ? {} : { sort: id }) },
      ...(typeof own === "function" ? { cell: own } : own),
    };
  });
}

/** Columns are those of {@link listShown}, without empty ones that were neither added nor order the rows; rows come in the order of the address. */
export function makeTable<Row extends RowData, Sort extends string>(
  columns: readonly DataColumn<Row>[],
  rows: readonly Row[],
  wanted: readonly string[] | null,
  order?: TableOrder<Sort>,
) {
  const isAsked = (id: string) => wanted?.includes(id) === true || order?.sort === id;
  const filled = columns.filter(
    ({ id, isFilled }) => isFilled === undefined || isAsked(id) || rows.some(isFilled),
  );
  const shown = listShown(filled, wanted);
  const sorted = columns.filter(({ meta }) => meta?.sort !== undefined && meta.sort === order?.sort);
  return constructTable({
    features,
    columns: columns.map((column) => describe(column, wanted !== null || sorted.includes(column))),
    data: rows,
    manualSorting: true,
    enableSortingRemoval: false,
    initialState: {
      columnOrder: [...shown],
      columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, shown.includes(id)])),
      sorting: sorted.map(({ id }) => ({ id, desc: order?.descending === true })),
    },
  });
}

/** A column that was requested, or that orders the rows, is not hidden in narrow windows. */
function describe<Row extends RowData>(
  column: DataColumn<Row>,
  isWanted: boolean,
): AccessorFnColumnDef<typeof features, Row> {
  const { id, header, cell, enableHiding = true, meta: { room, ...meta } = {} } = column;
  return {
    id,
    accessorFn: (row) => row,
    header: () => header,
    cell: ({ row }) => cell(row.original),
    enableHiding,
    sortDescFirst: meta.ascends !== true,
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
