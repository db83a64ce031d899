"use client";

import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, useState } from "react";

import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { LOAD_ISSUE_CODES, type LoadIssue } from "@/lib/domain/load-issue";
import { LOAD_ADVICE } from "@/lib/format/load-advice";

import "@/components/ui/table.css";

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});

const column = createColumnHelper<typeof features, LoadIssue>();

const columns = column.columns([
  column.accessor((issue) => LOAD_ISSUE_CODES[issue.code], {
    id: "level",
    header: "Level",
    sortFn: "alphanumeric",
    cell: ({ getValue }) => <Level level={getValue()} />,
  }),
  column.accessor("code", {
    header: "Code",
    sortFn: "alphanumeric",
    cell: ({ getValue }) => <code>{getValue()}</code>,
  }),
  column.accessor("path", {
    header: "Where",
    sortFn: "alphanumeric",
    cell: ({ getValue }) => <code>{getValue()}</code>,
  }),
  column.accessor("detail", { header: "What is the case", sortFn: "alphanumeric" }),
  column.accessor((issue) => LOAD_ADVICE[issue.code], {
    id: "advice",
    header: "What was done, what to do",
    sortFn: "alphanumeric",
    cell: ({ getValue }) => <span className="muted">{getValue()}</span>,
  }),
]);

/** Columns of free text, which may take several lines. */
const WRAPPED: ReadonlySet<string> = new Set(["path", "detail", "advice"]);

const ROW_HEIGHT = 33;
/** Rows in the server's answer, before the window's height is known. */
const FIRST_HEIGHT = 30 * ROW_HEIGHT;

function Level({ level }: { level: "problem" | "note" }) {
  return level === "problem" ? (
    <span className="status-word">
      <Mark status="errored" />
      problem
    </span>
  ) : (
    <span className="muted">note</span>
  );
}

/** Load issues, sortable by each column; only the rows in view are drawn, so that thousands of them stay quick. */
export function LoadReport({ issues }: { issues: readonly LoadIssue[] }) {
  "use no memo";
  const [offsetTop, setOffsetTop] = useState(0);
  const table = useTable({ features, columns, data: issues, enableSortingRemoval: true });
  const { rows } = table.getRowModel();
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    scrollMargin: offsetTop,
    initialRect: { width: 0, height: FIRST_HEIGHT },
  });
  if (issues.length === 0) return <Notice title="No issue matches this filter" />;
  const items = virtual.getVirtualItems();
  const before = (items[0]?.start ?? 0) - virtual.options.scrollMargin;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0) + virtual.options.scrollMargin;
  return (
    <div
      ref={(box) => setOffsetTop(box?.offsetTop ?? 0)}
      className="table-scroll"
      role="region"
      aria-label="Load issues"
      tabIndex={0}
    >
      <table className="table table-compact" aria-rowcount={rows.length + 1}>
        <caption className="screen-reader">Load issues</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <SortHeading
                  key={header.id}
                  sorted={header.column.getIsSorted()}
                  onSort={header.column.getToggleSortingHandler()}
                >
                  <table.FlexRender header={header} />
                </SortHeading>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          <Spacer height={before} />
          {items.map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <tr
                key={row.id}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-rowindex={item.index + 2}
              >
                {row.getAllCells().map((cell) => (
                  <td key={cell.id} className={WRAPPED.has(cell.column.id) ? "wrap" : undefined}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
  );
}

function SortHeading({
  sorted,
  onSort,
  children,
}: {
  sorted: false | "asc" | "desc";
  onSort: ((event: unknown) => void) | undefined;
  children: ReactNode;
}) {
  const order = sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : undefined;
  return (
    <th scope="col" className={sorted ? "sorted" : undefined} aria-sort={order}>
      <button type="button" className="sort-button" onClick={onSort}>
        {children}
        {sorted === "asc" ? <ArrowUp size={11} aria-hidden /> : null}
        {sorted === "desc" ? <ArrowDown size={11} aria-hidden /> : null}
      </button>
    </th>
  );
}

/** Holds the place of the rows that are not drawn. */
function Spacer({ height }: { height: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden="true">
      <td style={{ height, padding: 0, border: 0 }} colSpan={columns.length} />
    </tr>
  );
}
