import { PLAIN, Strip, StripMark, StripNumbers } from "@/components/ui/interval-plot";
import { selectOuterTicks } from "@/lib/core/charts/ticks";
import { formatSize } from "@/lib/core/format/number";
import type { Report } from "@/lib/output/report";

import { ReportTable, ReportValue } from "./report-table";

type Pair = Report["pairs"][number];

export function ReportVerdict({ report: { pairs, adjustment } }: { report: Report }) {
  const hasRuns = pairs.some(({ words }) => words.runInterval !== null);
  const axis = pairs.find((pair) => pair.axis !== null)?.axis ?? null;
  const isRate = pairs.every(({ comparison }) => comparison.kind === "unavailable" || comparison.isRate);
  return (
    <section aria-label="Verdict">
      {pairs.map(({ first, second, words }) => (
        <div key={`${first} ${second}`}>
          <p className={pairs.length === 1 ? "verdict" : undefined}>{words.sentence}</p>
          {words.detail === null ? null : <p className="muted">{words.detail}</p>}
        </div>
      ))}
      <ReportTable
        caption="Differences"
        columns={[
          { label: "Group" },
          { label: "Against" },
          { label: "Verdict" },
          { label: isRate ? "Difference, points" : "Difference", className: "number" },
          { label: "95 % interval", className: "number" },
          ...(hasRuns ? [{ label: "With run to run", className: "number" as const }] : []),
          { label: "p-value", className: "number" },
          { label: "Smallest detectable difference", className: "number" },
          {
            label: axis === null ? "" : <StripNumbers ticks={selectOuterTicks(axis.ticks)} />,
            className: "axis",
          },
        ]}
      >
        {pairs.map((pair) => (
          <PairRow key={`${pair.first} ${pair.second}`} pair={pair} hasRuns={hasRuns} />
        ))}
      </ReportTable>
      <p className="muted">
        {adjustment === null ? null : `${adjustment} `}Differences are the group minus its baseline. Smallest
        detectable: the true difference that 80 of 100 such comparisons would detect.
      </p>
    </section>
  );
}

function PairRow({
  pair: { first, second, words, comparison, axis },
  hasRuns,
}: {
  pair: Pair;
  hasRuns: boolean;
}) {
  const { verdict } = words;
  const detectable = comparison.kind === "computed" ? comparison.detectable : comparison;
  return (
    <tr>
      <th scope="row">{first}</th>
      <td>{second}</td>
      <td className={verdict === "better" || verdict === "worse" ? verdict : undefined}>{verdict}</td>
      <ReportValue value={words.difference} />
      <ReportValue value={words.interval} />
      {hasRuns ? <ReportValue value={words.runInterval?.value ?? null} /> : null}
      <ReportValue value={words.pValue} />
      <ReportValue
        value={
          detectable.kind === "computed" && comparison.kind === "computed"
            ? formatSize(detectable.difference, comparison.isRate)
            : null
        }
      />
      <td className="axis">
        {axis === null ? null : (
          <Strip title={axis.summary} height={24} ticks={axis.ticks}>
            <StripMark interval={axis.interval} group={PLAIN} y={12} size={11} />
          </Strip>
        )}
      </td>
    </tr>
  );
}
