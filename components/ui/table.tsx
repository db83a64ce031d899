import { ArrowDown, ArrowUp } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";

import { SoftLink } from "./soft-link";

import "./table.css";

/** A column's heading. With `sortHref` it sorts; `sorted` says how the table is sorted by it now. */
export interface Column {
  readonly id: string;
  readonly label: ReactNode;
  readonly numeric?: boolean;
  readonly title?: string;
  readonly sortHref?: Route;
  readonly sorted?: "asc" | "desc" | null;
  /** Dropped where the content is narrower than 1150 px; the table then says how many columns it left out. */
  readonly minor?: boolean;
  /** Dropped where the content is narrower than 1230 px, before the minor ones. */
  readonly spare?: boolean;
  readonly width?: number | string;
}

/**
 * The one table. Rows are plain `<tr>`s given as children, so that a page decides what a row is.
 * It scrolls sideways by itself, and its first column stays in view below 900 px.
 */
export function Table({
  caption,
  columns,
  compact = false,
  className,
  rowCount,
  children,
}: {
  caption: string;
  columns: readonly Column[];
  compact?: boolean;
  className?: string;
  /** Rows of the whole list, its heading among them, where only some are in the document. */
  rowCount?: number;
  children: ReactNode;
}) {
  const nSpare = columns.filter((column) => column.spare).length;
  const nMinor = columns.filter((column) => column.minor).length + nSpare;
  return (
    <>
      <div className="table-scroll" role="region" aria-label={caption} tabIndex={0}>
        <table
          className={["table", compact ? "table-compact" : "", className ?? ""].filter(Boolean).join(" ")}
          aria-rowcount={rowCount}
        >
          <caption className="screen-reader">{caption}</caption>
          <thead>
            <tr aria-rowindex={rowCount === undefined ? undefined : 1}>
              {columns.map((column) => (
                <HeaderCell key={column.id} column={column} />
              ))}
            </tr>
          </thead>
          {children}
        </table>
      </div>
      <LeftOut className="table-spare" count={nSpare} />
      <LeftOut className="table-narrow" count={nMinor} />
    </>
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

function HeaderCell({ column }: { column: Column }) {
  const classes = [
    column.numeric ? "numeric" : "",
    column.minor ? "minor" : "",
    column.spare ? "spare" : "",
    column.sorted ? "sorted" : "",
  ];
  const sort = column.sorted === "asc" ? "ascending" : column.sorted === "desc" ? "descending" : undefined;
  return (
    <th
      scope="col"
      className={classes.filter(Boolean).join(" ")}
      aria-sort={sort}
      title={column.title}
      style={column.width === undefined ? undefined : { width: column.width }}
    >
      {column.sortHref === undefined ? (
        column.label
      ) : (
        <SoftLink href={column.sortHref} way="replace">
          {column.label}
          {column.sorted === "asc" ? <ArrowUp size={11} aria-hidden /> : null}
          {column.sorted === "desc" ? <ArrowDown size={11} aria-hidden /> : null}
        </SoftLink>
      )}
    </th>
  );
}
