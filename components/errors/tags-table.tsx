import type { Route } from "next";

import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Table } from "@/components/ui/table";
import { countPageBytes, takeFitting } from "@/lib/domain/page-bytes";
import { formatCount } from "@/lib/format/number";
import type { TagRow } from "@/lib/queries/errors/tags";

import { describeRate, formatRate, SOURCE_WORDS } from "./error-words";
import { RatePlot, RateScale, selectRateEnd } from "./rate-plot";

/** Bytes of all rows, and of a row beside its texts. */
const MAX_ROWS_BYTES = 200_000;
const ROW_BYTES = 1_000;

/** Categories with their source, counts and rates; `hrefOf` leads to the trials behind a row, null where several jobs hold them. */
export function TagsTable({
  caption,
  rows: all,
  nChecked,
  withSource,
  hrefOf,
}: {
  caption: string;
  rows: readonly TagRow[];
  nChecked: number;
  withSource: boolean;
  hrefOf: (row: TagRow) => Route | null;
}) {
  const rows = takeFitting(
    all,
    MAX_ROWS_BYTES,
    (row) => ROW_BYTES + countPageBytes(row.category) + countPageBytes(hrefOf(row) ?? ""),
  );
  const end = selectRateEnd(rows.map(({ rate }) => rate));
  return (
    <>
      <Table
        caption={caption}
        compact
        columns={[
          { id: "category", label: "Category" },
          ...(withSource ? [{ id: "source", label: "Source" }] : []),
          { id: "trials", label: "Trials", numeric: true },
          { id: "rate", label: `% of ${formatCount(nChecked)}`, numeric: true },
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
      <CutNote shown={rows.length} total={all.length}>
        Choose jobs or agents above to see the others.
      </CutNote>
    </>
  );
}

function TagLink({ href, count }: { href: Route | null; count: number }) {
  if (href === null) return formatCount(count);
  return <Link href={href}>{formatCount(count)}</Link>;
}
