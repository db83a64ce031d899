import type { ReactNode } from "react";

import type { ColumnMeta } from "./table-columns";

/** Scrolls sideways, and says how many columns are hidden in narrow windows. */
export function TableFrame({
  caption,
  className,
  rooms,
  head,
  children,
}: {
  caption: string;
  className: string;
  rooms: readonly NonNullable<ColumnMeta["room"]>[];
  head: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <div className="table-scroll" role="group" aria-label={caption} tabIndex={0}>
        <table className={`table ${className}`}>
          <caption className="screen-reader">{caption}</caption>
          <thead>
            <tr>{head}</tr>
          </thead>
          {children}
        </table>
      </div>
      <LeftOut className="table-spare" count={rooms.filter((room) => room === "spare").length} />
      <LeftOut className="table-narrow" count={rooms.length} />
    </>
  );
}

function LeftOut({ className, count }: { className: string; count: number }) {
  if (count === 0) return null;
  return (
    <p className={`${className} caption`}>
      {count === 1 ? "1 column is" : `${count} columns are`} hidden at this width.
    </p>
  );
}

export function HeaderCell({
  meta: { numeric = false, room, title, width },
  descending = null,
  children,
}: {
  meta: Pick<ColumnMeta, "numeric" | "room" | "title" | "width">;
  descending?: boolean | null;
  children: ReactNode;
}) {
  const names = [numeric ? "numeric" : "", room, descending === null ? "" : "sorted"];
  return (
    <th
      scope="col"
      className={names.filter(Boolean).join(" ") || undefined}
      aria-sort={descending === null ? undefined : descending ? "descending" : "ascending"}
      title={title}
      style={{ width }}
    >
      {children}
    </th>
  );
}
