"use client";

import { useParams } from "next/navigation";

import { PageFrame } from "@/components/shell/page-frame";
import { TrialNotFound } from "@/components/trial/trial-not-found";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { decodeSegment } from "@/lib/core/domain/segment";

import { SimilarJobNames } from "./similar-names";

/** Rendered in the browser: every page of a job carries its not-found view, and only the component's name is sent. */
export function JobNotFound() {
  const { job, trial } = useParams<{ job?: string; trial?: string }>();
  if (trial !== undefined) return <TrialNotFound jobKey={decodeSegment(job ?? "")} />;
  return (
    <PageFrame crumbs={[{ label: "Jobs", href: "/" }, { label: "Not found" }]}>
      <PageTitle title="Job not found" />
      <Notice title="No such job is open" actions={<ButtonLink href="/">All jobs</ButtonLink>}>
        No open folder has a job of this name. If the job was here a moment ago, its folder was deleted or
        renamed on disk; reviews of its trials are kept.
        <SimilarJobNames wanted={decodeSegment(job ?? "")} />
      </Notice>
    </PageFrame>
  );
}
