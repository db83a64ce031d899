import type { RowData } from "@tanstack/react-table";
import { ArrowDown, ArrowUp } from "lucide-react";
import { Fragment, type ReactNode } from "react";

import { SoftLink } from "./soft-link";
import { type ColumnMeta, type DataColumn, makeTable, type TableOrder } from "./table-columns";

import "./table.css";

interface DataTableProps<Row extends RowData, Sort extends string> {
  readonly caption: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string | number;
  /** Ids of the columns that the address lists, in their order; null for all. */
  readonly wanted?: readonly string[] | null;
  /** Absent where headings do not sort. */
  readonly order?: TableOrder<Sort>;
  readonly className?: string;
  readonly rowClass?: (row: Row) => string | undefined;
  /** A line above a row, across the table, such as the first of a section. */
  readonly heading?: (row: Row, index: number) => ReactNode;
  /** In place of the cells of a row that can be hidden; null for an ordinary row. */
  readonly note?: (row: Row) => ReactNode;
  /** Below a row, across the table, such as what it unfolds to; null for nothing. */
  readonly below?: (row: Row) => ReactNode;
}

/**
 * The one table: draws rows by the definitions of their columns. It scrolls sideways by itself, its first column stays in
 * view below 900 px, and on a phone a row is two lines. Works on the server and in the browser alike.
 */
export function DataTable<Row extends RowData, Sort extends string = string>({
  caption,
  columns,
  rows,
  rowKey,
  wanted = null,
  order,
  className = "",
  rowClass,
  heading,
  note,
  below,
}: DataTableProps<Row, Sort>) {
  const table = makeTable(columns, rows, wanted);
  const shown = table.getVisibleLeafColumns();
  const rooms = shown.flatMap((column) => column.columnDef.meta?.room ?? []);
  const nFixed = shown.filter((column) => !column.getCanHide()).length;
  return (
    <>
      <div className="table-scroll" role="region" aria-label={caption} tabIndex={0}>
        <table className={`table ${className}`}>
          <caption className="screen-reader">{caption}</caption>
          <thead>
            <tr>
              {table.getLeafHeaders().map((header) => (
                <HeaderCell key={header.id} meta={header.column.columnDef.meta} order={order}>
                  {draw(header.column.columnDef.header, header.getContext())}
                </HeaderCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row, index) => {
              const { original } = row;
              const above = heading?.(original, index) ?? null;
              const instead = note?.(original) ?? null;
              const detail = below?.(original) ?? null;
              const className = [rowClass?.(original), detail === null ? "" : "continued"];
              const cells = row.getVisibleCells().slice(0, instead === null ? undefined : nFixed);
              return (
                <Fragment key={rowKey(original, index)}>
                  {above === null ? null : (
                    <tr className="group-row">
                      <td colSpan={shown.length}>{above}</td>
                    </tr>
                  )}
                  <tr className={className.filter(Boolean).join(" ") || undefined}>
                    {cells.map((cell) => (
                      <Cell key={cell.column.id} meta={cell.column.columnDef.meta}>
                        {draw(cell.column.columnDef.cell, cell.getContext())}
                      </Cell>
                    ))}
                    {instead === null ? null : (
                      <td className="phone-second" colSpan={shown.length - nFixed}>
                        {instead}
                      </td>
                    )}
                  </tr>
                  {detail === null ? null : (
                    <tr className="detail-row">
                      <td colSpan={shown.length}>{detail}</td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
      <LeftOut className="table-spare" count={rooms.filter((room) => room === "spare").length} />
      <LeftOut className="table-narrow" count={rooms.length} />
    </>
  );
}

/** A template of a definition: a text, or a function of what stands where. */
function draw<Context>(template: string | ((context: Context) => ReactNode) | undefined, context: Context) {
  return typeof template === "function" ? template(context) : template;
}

function Cell({ meta = {}, children }: { meta: ColumnMeta | undefined; children: ReactNode }) {
  const { numeric = false, room, className, phone, label, isRowHeader = false } = meta;
  const Tag = isRowHeader ? "th" : "td";
  const line = phone === "labelled" ? "second" : phone;
  const names = [numeric ? "numeric" : "", room, className, line === undefined ? "" : `phone-${line}`];
  return (
    <Tag
      scope={isRowHeader ? "row" : undefined}
      className={names.filter(Boolean).join(" ") || undefined}
      data-label={phone === "labelled" ? label : undefined}
    >
      {children}
    </Tag>
  );
}

function LeftOut({ className, count }: { className: string; count: number }) {
  if (count === 0) return null;
  return (
    <p className={`${className} caption`}>
      {count === 1 ? "1 column is" : `${count} columns are`} left out at this width.
    </p>
  );
}

function HeaderCell<Sort extends string>({
  meta = {},
  order,
  children,
}: {
  meta: ColumnMeta | undefined;
  order: TableOrder<Sort> | undefined;
  children: ReactNode;
}) {
  const { numeric = false, room, title, width } = meta;
  const sorted = meta.sort === undefined || order?.sort !== meta.sort ? null : order.descending;
  const names = [numeric ? "numeric" : "", room, sorted === null ? "" : "sorted"];
  return (
    <th
      scope="col"
      className={names.filter(Boolean).join(" ") || undefined}
      aria-sort={sorted === null ? undefined : sorted ? "descending" : "ascending"}
      title={title}
      style={{ width }}
    >
      <SortLink meta={meta} order={order}>
        {children}
        {sorted === null ? null : sorted ? (
          <ArrowDown size={11} aria-hidden />
        ) : (
          <ArrowUp size={11} aria-hidden />
        )}
      </SortLink>
    </th>
  );
}

/** What a heading says, as a link where it sorts: the other way round where the table is sorted by it already. */
function SortLink<Sort extends string>({
  meta,
  order,
  children,
}: {
  meta: ColumnMeta;
  order: TableOrder<Sort> | undefined;
  children: ReactNode;
}) {
  const sort = order?.sorts.find((one) => one === meta.sort);
  if (order === undefined || sort === undefined) return children;
  const descending = order.sort === sort ? !order.descending : meta.ascends !== true;
  return (
    <SoftLink href={order.hrefOf({ sort, descending })} way="replace">
      {children}
    </SoftLink>
  );
}
