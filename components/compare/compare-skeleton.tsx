import { SkeletonRows } from "@/components/ui/notice";
import { Table } from "@/components/ui/table";
import { PLOT_HEIGHT, PLOT_MARGINS } from "@/lib/charts/curve-layout";

import "./compare-skeleton.css";

const COLUMNS = ["Task", "Attempts", "", "Mean reward", "Difference"].map((label, index) => ({
  id: String(index),
  label,
}));

/** The page's parts at the sizes they will have. */
export function CompareSkeleton() {
  return (
    <div aria-hidden="true">
      <div className="compare-skeleton-verdict" />
      <section className="section">
        <h2>Curves</h2>
        <div className="curves curves-pair">
          {["pass@k", "Difference", "pass^k", "Difference"].map((title, index) => (
            <div key={index}>
              <p className="muted">{title}</p>
              <div
                className="compare-skeleton-plot"
                style={{ height: PLOT_HEIGHT + PLOT_MARGINS.top + PLOT_MARGINS.bottom }}
              />
            </div>
          ))}
        </div>
      </section>
      <section className="section">
        <h2>Tasks and attempts</h2>
        <Table caption="Tasks, being read" columns={COLUMNS} compact>
          <SkeletonRows rows={16} columns={COLUMNS.length} />
        </Table>
      </section>
    </div>
  );
}
