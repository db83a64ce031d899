import type { Route } from "next";
import Link from "next/link";

import type { OutlineEntry } from "@/lib/domain/trajectory";
import { formatCount } from "@/lib/format/number";

/** The parts of a trajectory, each a link to its first step. */
export function Outline({
  entries,
  total,
  currentKey,
  hrefOf,
}: {
  entries: readonly OutlineEntry[];
  total: number;
  currentKey: string | null;
  hrefOf: (key: string) => Route;
}) {
  return (
    <>
      <ol className="outline">
        {entries.map((entry) => (
          <li key={entry.key}>
            <Link
              href={hrefOf(entry.key)}
              scroll={false}
              prefetch={false}
              aria-current={entry.key === currentKey ? "step" : undefined}
            >
              <span className="cut" title={entry.title}>
                {entry.title}
              </span>
              {entry.marked ? (
                <svg className="mark-errored" width={12} height={12} role="img" aria-label="marked">
                  <use href="#mark-errored" />
                </svg>
              ) : null}
              <span>{entry.key}</span>
            </Link>
          </li>
        ))}
      </ol>
      {total > entries.length ? (
        <p className="caption">
          {entries.length} of {formatCount(total)} parts.
        </p>
      ) : null}
    </>
  );
}
