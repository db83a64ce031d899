"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { Route } from "next";
import { type ReactNode, useMemo, useState } from "react";

import { Mark } from "@/components/ui/mark";
import { compareNames } from "@/lib/domain/compare-text";
import { LOAD_ISSUE_CODES, type LoadIssue } from "@/lib/domain/load-issue";
import { LOAD_ADVICE } from "@/lib/format/load-advice";

import "@/components/ui/table.css";

/** An issue, and where what it is about can be looked at; null where it cannot. */
export interface ReportIssue extends LoadIssue {
  readonly link: { readonly href: Route; readonly isFile: boolean } | null;
}

interface ReportColumn {
  readonly id: string;
  readonly label: string;
  /** What the column sorts by. */
  readonly read: (issue: LoadIssue) => string;
  /** What it shows where that is more than the text. */
  readonly draw?: (issue: ReportIssue) => ReactNode;
  /** Free text, which may take several lines. */
  readonly wraps?: true;
}

const COLUMNS: readonly ReportColumn[] = [
  {
    id: "level",
    label: "Level",
    read: ({ code }) => LOAD_ISSUE_CODES[code],
    draw: ({ code }) => <Level level={LOAD_ISSUE_CODES[code]} />,
  },
  { id: "code", label: "Code", read: ({ code }) => code, draw: ({ code }) => <code>{code}</code> },
  {
    id: "path",
    label: "Where",
    read: ({ path }) => path,
    draw: (issue) => <Place issue={issue} />,
    wraps: true,
  },
  { id: "detail", label: "Problem", read: ({ detail }) => detail, wraps: true },
  {
    id: "advice",
    label: "What Assay did, what you can do",
    read: ({ code }) => LOAD_ADVICE[code],
    draw: ({ code }) => <span className="muted">{LOAD_ADVICE[code]}</span>,
    wraps: true,
  },
];

interface Sort {
  readonly column: ReportColumn;
  readonly descending: boolean;
}

function sortIssues(issues: readonly ReportIssue[], sort: Sort | null): readonly ReportIssue[] {
  if (sort === null) return issues;
  const { column, descending } = sort;
  const sign = descending ? -1 : 1;
  return issues.toSorted((a, b) => sign * compareNames(column.read(a), column.read(b)));
}

/** Upwards, downwards, and as it came. */
function nextSort(sort: Sort | null, column: ReportColumn): Sort | null {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? null : { column, descending: true };
}

const ROW_HEIGHT = 33;
/** Rows in the server's answer, before the window's height is known. */
const FIRST_HEIGHT = 30 * ROW_HEIGHT;

/** Where it is: a file to download, or the page of the job or trial. */
function Place({ issue: { path, link } }: { issue: ReportIssue }) {
  if (link === null) return <code>{path}</code>;
  return (
    <a href={link.href} download={link.isFile} data-row-link="">
      <code>{path}</code>
    </a>
  );
}

function Level({ level }: { level: string }) {
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
export function LoadReport({ issues }: { issues: readonly ReportIssue[] }) {
  "use no memo";
  const [offsetTop, setOffsetTop] = useState(0);
  const [sort, setSort] = useState<Sort | null>(null);
  const rows = useMemo(() => sortIssues(issues, sort), [issues, sort]);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    scrollMargin: offsetTop,
    initialRect: { width: 0, height: FIRST_HEIGHT },
  });
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
          <tr>
            {COLUMNS.map((column) => (
              <SortHeading
                key={column.id}
                sorted={sort?.column === column ? (sort.descending ? "desc" : "asc") : false}
                onSort={() => setSort(nextSort(sort, column))}
              >
                {column.label}
              </SortHeading>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} />
          {items.map((item) => {
            const issue = rows[item.index];
            return issue === undefined ? null : (
              <tr
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-rowindex={item.index + 2}
              >
                {COLUMNS.map(({ id, read, draw, wraps }) => (
                  <td key={id} className={wraps ? "wrap" : undefined}>
                    {draw === undefined ? read(issue) : draw(issue)}
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
  onSort: () => void;
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
      <td style={{ height, padding: 0, border: 0 }} colSpan={COLUMNS.length} />
    </tr>
  );
}
