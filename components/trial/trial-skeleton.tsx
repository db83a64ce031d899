import { ReviewPanelSkeleton } from "@/components/annotations/review-form";
import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";

import "./trial.css";
import "./trajectory/trajectory.css";

const BARS = [70, 45, 88, 60, 76, 52, 64, 81];

/** Has the final heights, so that nothing moves when the page arrives. */
export function TrialSkeleton() {
  return (
    <PageFrame narrow crumbs={[RUNS, { label: "Trial" }]}>
      <div className="row trial-title">
        <h1>Trial</h1>
        <span className="muted">Reading the trial folder</span>
      </div>
      <div className="trial-cause" />
      <div className="step-strip" />
      <div className="flow trial-bar">
        <div className="step-tools" />
      </div>
      <div className="trial-columns" aria-hidden="true">
        <Bars />
        <Bars />
        <div className="trial-side">
          <ReviewPanelSkeleton />
        </div>
      </div>
    </PageFrame>
  );
}

function Bars() {
  return (
    <div className="trial-bars">
      {BARS.map((width) => (
        <span key={width} className="skeleton-bar" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
