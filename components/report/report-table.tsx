import type { ReactNode } from "react";

/** A column of a report's table. */
export interface ReportColumn {
  readonly label: ReactNode;
  readonly className?: "number" | "axis";
}

/** A table that scrolls by itself where the page is narrow; the first cell of each row names it. */
export function ReportTable({
  caption,
  columns,
  className,
  children,
}: {
  caption: string;
  columns: readonly ReportColumn[];
  className?: string;
  children: ReactNode;
}) {
  return (
    // A region that scrolls is reached by keyboard.
    <div className="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table className={className} aria-label={caption}>
        <thead>
          <tr>
            {columns.map(({ label, className: kind }, at) => (
              <th key={at} scope="col" className={kind}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A figure with what belongs beside it below. */
export function ReportValue({ value, range }: { value: string | null; range?: string | null | undefined }) {
  return (
    <td className="number">
      {value ?? "—"}
      {range == null ? null : <small>{range}</small>}
    </td>
  );
}
