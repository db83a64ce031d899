import type { Comparison } from "@/lib/pages/compare/page";

import { DifferencePlot } from "./difference-plot";
import { RowBaseline } from "./row-baseline";

export function Differences({ comparison }: { comparison: Comparison }) {
  const { groups, pairs, adjustment, answer } = comparison;
  const { rows, ticks, isRate } = answer.differences;
  if (rows.length === 0) return null;
  const candidate = pairs.length === 1 ? (pairs[0]?.first.label ?? "") : "candidate";
  return (
    <section className="differences" aria-label="Differences">
      <RowBaseline groups={groups.map(({ refs }) => refs)}>
        <DifferencePlot
          rows={rows}
          ticks={ticks}
          sides={[groups[0]?.label ?? "", candidate]}
          isRate={isRate}
        />
      </RowBaseline>
      {adjustment === null ? null : (
        <p className="caption table-note">Filled: clear. Hollow: no clear difference. {adjustment}</p>
      )}
    </section>
  );
}
