import { ReviewPanelSkeleton } from "@/components/annotations/review-panel";
import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";

import "./trial.css";

const BARS = [70, 45, 88, 60, 76, 52, 64, 81];

export function TrialSkeleton() {
  return (
    <PageFrame narrow crumbs={[{ label: "Jobs", href: "/" }, { label: "Trial" }]}>
      <div className="trial-title">
        <PageTitle title="Trial" summary="Reading the trial folder" />
      </div>
      <div className="flow result-strip" />
      <div className="trial-columns" aria-hidden="true">
        <Bars />
        <Bars />
        <ReviewPanelSkeleton />
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
