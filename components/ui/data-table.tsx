import { ArrowDown, ArrowUp } from "lucide-react";
import { cloneElement, Fragment, isValidElement, type ReactNode } from "react";

import { Link } from "./link";
import { HeaderCell, TableFrame } from "./table";
import {
  type CellAttributes,
  type ColumnMeta,
  type DataColumn,
  nameColumn,
  selectColumns,
  type TableOrder,
} from "./table-columns";

interface DataTableProps<Row, Sort extends string> {
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
export function DataTable<Row, Sort extends string = string>({
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
  const shown = selectColumns(columns, rows, wanted, order);
  const fixed = shown.filter(({ enableHiding = true }) => !enableHiding);
  return (
    <TableFrame
      caption={caption}
      className={className}
      rooms={shown.flatMap(({ meta }) => meta?.room ?? [])}
      head={shown.map((column) => (
        <SortCell key={column.id} column={column} order={order} />
      ))}
    >
      <tbody>
        {rows.map((row, index) => {
          const above = heading?.(row, index) ?? null;
          const instead = note?.(row) ?? null;
          const detail = below?.(row) ?? null;
          const className = [rowClass?.(row), detail === null ? "" : "continued"];
          return (
            <Fragment key={rowKey(row, index)}>
              {above === null ? null : (
                <tr className="group-row">
                  <th scope="rowgroup" colSpan={shown.length}>
                    {above}
                  </th>
                </tr>
              )}
              <tr className={className.filter(Boolean).join(" ") || undefined}>
                {(instead === null ? shown : fixed).map((column) => drawCell(column, row))}
                {instead === null ? null : (
                  <td className="phone-second" colSpan={shown.length - fixed.length}>
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

/** Omits absent properties, because a server sends those of every cell. */
function drawCell<Row>(column: DataColumn<Row>, row: Row) {
  const { id, meta = {}, attributes } = column;
  const children = column.cell(row);
  if (meta.isOwnCell === true && isValidElement(children)) return cloneElement(children, { key: id });
  const own = attributes?.(row) ?? {};
  const { phone, isRowHeader = false } = meta;
  const Tag = isRowHeader ? "th" : "td";
  const className = listClasses(meta, own).join(" ");
  return (
    <Tag
      key={id}
      {...(isRowHeader ? { scope: "row" } : {})}
      {...(className === "" ? {} : { className })}
      {...(own.title === undefined ? {} : { title: own.title })}
      {...(phone === "labelled" ? { "data-label": nameColumn(column) } : {})}
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
function SortCell<Row, Sort extends string>({
  column: { header, meta = {} },
  order,
}: {
  column: DataColumn<Row>;
  order: TableOrder<Sort> | undefined;
}) {
  const sort = order?.sorts.find((one) => one === meta.sort);
  const descending = meta.sort !== undefined && meta.sort === order?.sort ? order.descending : null;
  const Arrow = descending === true ? ArrowDown : ArrowUp;
  const words = (
    <>
      {header}
      {descending === null ? null : <Arrow size={11} aria-hidden />}
    </>
  );
  return (
    <HeaderCell meta={meta} descending={descending}>
      {order === undefined || sort === undefined ? (
        words
      ) : (
        <Link
          href={order.hrefOf({ sort, descending: descending === null ? meta.ascends !== true : !descending })}
          mode="replace"
        >
          {words}
        </Link>
      )}
    </HeaderCell>
  );
}
