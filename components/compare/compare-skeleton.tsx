import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";
import { PLOT_HEIGHT, PLOT_MARGINS } from "@/lib/core/charts/curve-layout";

import "./compare-skeleton.css";

export function CompareSkeleton() {
  return (
    <PageFrame crumbs={[{ label: "Compare" }]}>
      <PageTitle title="Compare" summary="Reading the groups and resampling their tasks" />
      <Parts />
    </PageFrame>
  );
}

function Parts() {
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
    </div>
  );
}
