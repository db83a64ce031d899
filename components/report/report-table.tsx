import type { ReactNode } from "react";

export interface ReportColumn {
  readonly label: ReactNode;
  readonly className?: "number" | "axis";
}

interface ReportTableProps {
  readonly caption: string;
  readonly columns: readonly ReportColumn[];
  readonly className?: string;
  readonly children: ReactNode;
}

export function ReportTable({ caption, columns, className, children }: ReportTableProps) {
  return (
    // A scrolling region must be reachable by keyboard.
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

export function ReportValue({ value, range }: { value: string | null; range?: string | null | undefined }) {
  return (
    <td className="number">
      {value ?? "—"}
      {range == null ? null : <small>{range}</small>}
    </td>
  );
}
