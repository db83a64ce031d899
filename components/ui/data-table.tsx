import type { RowData } from "@tanstack/react-table";
import { ArrowDown, ArrowUp } from "lucide-react";
import { cloneElement, Fragment, isValidElement, type ReactNode } from "react";

import { Link } from "./link";
import { HeaderCell, TableFrame } from "./table";
import {
  type CellAttributes,
  type ColumnMeta,
  type DataColumn,
  makeTable,
  type TableColumn,
  type TableOrder,
} from "./table-columns";

interface DataTableProps<Row extends RowData, Sort extends string> {
  readonly caption: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string | number;
  readonly wanted?: readonly string[] | null;
  readonly order?: TableOrder<Sort>;
  readonly className?: string;
  readonly rowClass?: (row: Row) => string | undefined;
  readonly heading?: (row: Row, index: number) => ReactNode;
  /** Replaces the optional cells of a row; null for an ordinary row. */
  readonly note?: (row: Row) => ReactNode;
  readonly below?: (row: Row) => ReactNode;
}

/** Scrolls sideways; below 900 px the first column stays in view, and on a phone a row is two lines. Works on the server too. */
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
  const table = makeTable(columns, rows, wanted, order);
  const shown = table.getVisibleLeafColumns();
  const nFixed = shown.filter((column) => !column.getCanHide()).length;
  const attributesOf = new Map(columns.map(({ id, attributes }) => [id, attributes]));
  return (
    <TableFrame
      caption={caption}
      className={className}
      rooms={shown.flatMap((column) => column.columnDef.meta?.room ?? [])}
      head={table.getLeafHeaders().map((header) => (
        <SortCell key={header.id} column={header.column} order={order}>
          {draw(header.column.columnDef.header, header.getContext())}
        </SortCell>
      ))}
    >
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
                  <th scope="rowgroup" colSpan={shown.length}>
                    {above}
                  </th>
                </tr>
              )}
              <tr className={className.filter(Boolean).join(" ") || undefined}>
                {cells.map((cell) => {
                  const { id, columnDef } = cell.column;
                  const own = attributesOf.get(id)?.(original) ?? {};
                  return drawCell(id, columnDef.meta, own, draw(columnDef.cell, cell.getContext()));
                })}
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
    </TableFrame>
  );
}

function draw<Context>(template: string | ((context: Context) => ReactNode) | undefined, context: Context) {
  return typeof template === "function" ? template(context) : template;
}

/** Omits absent properties, because a server sends those of every cell. */
function drawCell(id: string, meta: ColumnMeta = {}, own: CellAttributes, children: ReactNode) {
  if (meta.isOwnCell === true && isValidElement(children)) return cloneElement(children, { key: id });
  const { phone, label, isRowHeader = false } = meta;
  const Tag = isRowHeader ? "th" : "td";
  const className = listClasses(meta, own).join(" ");
  return (
    <Tag
      key={id}
      {...(isRowHeader ? { scope: "row" } : {})}
      {...(className === "" ? {} : { className })}
      {...(own.title === undefined ? {} : { title: own.title })}
      {...(phone === "labelled" ? { "data-label": label } : {})}
    >
      {children}
    </Tag>
  );
}

function listClasses({ numeric = false, room, className, phone }: ColumnMeta, own: CellAttributes) {
  const line = phone === "labelled" ? "second" : phone;
  const names = [numeric ? "numeric" : "", room, className, own.className, line && `phone-${line}`];
  return names.filter(Boolean);
}

/** A link if it sorts; it reverses the order if the table is already sorted by it. */
function SortCell<Row extends RowData, Sort extends string>({
  column,
  order,
  children,
}: {
  column: TableColumn<Row>;
  order: TableOrder<Sort> | undefined;
  children: ReactNode;
}) {
  const { meta = {} } = column.columnDef;
  const sorted = column.getIsSorted();
  const sort = order?.sorts.find((one) => one === meta.sort);
  const Arrow = sorted === "desc" ? ArrowDown : ArrowUp;
  const words = (
    <>
      {children}
      {sorted === false ? null : <Arrow size={11} aria-hidden />}
    </>
  );
  return (
    <HeaderCell meta={meta} descending={sorted === false ? null : sorted === "desc"}>
      {order === undefined || sort === undefined ? (
        words
      ) : (
        <Link
          href={order.hrefOf({ sort, descending: column.getNextSortingOrder() === "desc" })}
          mode="replace"
        >
          {words}
        </Link>
      )}
    </HeaderCell>
  );
}
