import type { Route } from "next";

import { ReviewPanelSkeleton } from "@/components/annotations/review-form";
import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { jobHref } from "@/lib/pages/address/href";

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

export function TrialNotFound({ jobKey }: { jobKey: string }) {
  const job: Route = jobHref(jobKey);
  return (
    <PageFrame crumbs={[RUNS, { label: jobKey, href: job }, { label: "Not found" }]}>
      <PageTitle title="Trial not found" />
      <Notice
        title="This trial is not in the open folders"
        actions={
          <>
            <ButtonLink href={job}>Its job</ButtonLink>
            <ButtonLink href="/">All jobs</ButtonLink>
          </>
        }
      >
        The link may be incomplete, its folder was deleted, a resumed job replaced the trial, or its job is
        not in the open folders. Its reviews are kept.
      </Notice>
    </PageFrame>
  );
}
