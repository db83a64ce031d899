import type { RowData } from "@tanstack/react-table";
import type { ComponentProps, ReactNode } from "react";

import { LIST_ROWS } from "@/lib/core/domain/list-page";

import { CutNote } from "./cut-note";
import { DataTable } from "./data-table";
import { Section } from "./page-title";

/** A section with the first `most` rows of a compact table, or `empty` without any. */
export function TableSection<Row extends RowData>({
  title,
  caption = title,
  note,
  empty = null,
  most = LIST_ROWS,
  cut,
  rows,
  children,
  ...table
}: Omit<ComponentProps<typeof DataTable<Row>>, "caption" | "note"> & {
  title: string;
  caption?: string;
  note?: ReactNode;
  empty?: string | null;
  most?: number;
  /** Says where the other rows are. */
  cut?: ReactNode;
  children?: ReactNode;
}) {
  const shown = rows.slice(0, most);
  return (
    <Section title={title} note={note}>
      {rows.length > 0 ? (
        <DataTable caption={caption} className="table-compact" rows={shown} {...table} />
      ) : empty === null ? null : (
        <p className="muted">{empty}</p>
      )}
      <CutNote shown={shown.length} total={rows.length}>
        {cut}
      </CutNote>
      {children}
    </Section>
  );
}
