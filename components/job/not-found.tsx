"use client";

import { useParams } from "next/navigation";
import { useEffect, useState } from "react";

import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { withBasePath } from "@/lib/core/domain/base-path";
import { decodeSegment } from "@/lib/core/domain/segment";
import { jobHref } from "@/lib/pages/address/href";

/** Rendered in the browser: every page of a job carries its not-found view, and only the component's name is sent. */
export function JobNotFound() {
  const { job, trial } = useParams<{ job?: string; trial?: string }>();
  if (trial !== undefined) return <TrialNotFound jobKey={decodeSegment(job ?? "")} />;
  return (
    <PageFrame crumbs={[RUNS, { label: "Not found" }]}>
      <PageTitle title="Job not found" />
      <Notice title="No such job is open" actions={<ButtonLink href="/">All jobs</ButtonLink>}>
        No open folder has a job of this name. Its folder may have been deleted or renamed. Reviews of its
        trials are kept.
        <SimilarJobNames wanted={decodeSegment(job ?? "")} />
      </Notice>
    </PageFrame>
  );
}

interface SimilarName {
  readonly key: string;
  readonly name: string;
}

/** Suggestions are optional, so a failure omits them. */
function SimilarJobNames({ wanted }: { wanted: string }) {
  const [similar, setSimilar] = useState<readonly SimilarName[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const href = withBasePath(`/jobs/${encodeURIComponent(wanted)}/similar-names`);
    void fetch(href, { signal: stop.signal })
      .then(async (response) => (response.ok ? ((await response.json()) as readonly SimilarName[]) : []))
      .then(setSimilar, () => undefined);
    return () => stop.abort();
  }, [wanted]);
  if (similar.length === 0) return null;
  return (
    <>
      <p>{similar.length === 1 ? "Did you mean:" : "Did you mean one of these:"}</p>
      <ul>
        {similar.map(({ key, name }) => (
          <li key={key}>
            <Link href={jobHref(key)}>{name}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function TrialNotFound({ jobKey }: { jobKey: string }) {
  const job = jobHref(jobKey);
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
