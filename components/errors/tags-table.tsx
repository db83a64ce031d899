import type { Route } from "next";

import { SoftLink } from "@/components/ui/soft-link";
import { Table } from "@/components/ui/table";
import { formatCount } from "@/lib/format/number";
import type { TagRow } from "@/lib/queries/errors-page-tags";

import { describeRate, formatRate, SOURCE_WORDS } from "./error-words";
import { RatePlot, RateScale, selectRateEnd } from "./rate-plot";

/** Categories with their source, counts and rates; `hrefOf` leads to the trials behind a row, null where several jobs hold them. */
export function TagsTable({
  caption,
  rows,
  nLooked,
  withSource,
  hrefOf,
}: {
  caption: string;
  rows: readonly TagRow[];
  nLooked: number;
  withSource: boolean;
  hrefOf: (row: TagRow) => Route | null;
}) {
  const end = selectRateEnd(rows.map(({ rate }) => rate));
  return (
    <Table
      caption={caption}
      compact
      columns={[
        { id: "category", label: "Category" },
        ...(withSource ? [{ id: "source", label: "Source" }] : []),
        { id: "trials", label: "Trials", numeric: true },
        { id: "rate", label: `% of ${formatCount(nLooked)}`, numeric: true },
        { id: "interval", label: <RateScale end={end} width={140} /> },
      ]}
    >
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.source} ${row.category}`}>
            <td className="wrap">{row.category}</td>
            {withSource ? <td>{SOURCE_WORDS[row.source]}</td> : null}
            <td className="numeric">
              <TagLink href={hrefOf(row)} count={row.nTrials} />
            </td>
            <td className="numeric" title={describeRate(row.rate)}>
              {formatRate(row.rate)}
            </td>
            <td className="interval-cell">
              <RatePlot rate={row.rate} end={end} width={140} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function TagLink({ href, count }: { href: Route | null; count: number }) {
  if (href === null) return formatCount(count);
  return <SoftLink href={href}>{formatCount(count)}</SoftLink>;
}
