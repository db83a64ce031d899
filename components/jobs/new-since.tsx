"use client";

import { useEffect } from "react";

import { Link } from "@/components/ui/link";
import { createStoredText, useSignal } from "@/components/ui/signal";
import { TimeText } from "@/components/ui/time-text";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";

const lastVisit = createStoredText("assay-last-visit");
const thisVisit = createStoredText("assay-visit");
/** A visit ends this long after its last list of jobs. */
const VISIT_MS = 30 * 60_000;

let endedMs: number | null = null;

/** Returns when the visit before this one ended, in milliseconds since 1970; 0 if there was none. */
function readLastVisit(): number {
  if (endedMs !== null) return endedMs;
  const seenMs = Number(thisVisit.get());
  if (seenMs > 0 && Date.now() - seenMs > VISIT_MS) lastVisit.set(String(seenMs));
  endedMs = Number(lastVisit.get()) || 0;
  return endedMs;
}

/** Returns {@link readLastVisit}, and 0 on the server. */
export function useLastVisit(): number {
  return useSignal({ ...lastVisit, get: readLastVisit }, 0);
}

export function NewSince({ params, newestMs }: { params: JobsParams; newestMs: number }) {
  const sinceMs = useLastVisit();
  useEffect(() => thisVisit.set(String(Date.now())));
  if (sinceMs === 0 || newestMs <= sinceMs) return null;
  const text = new Date(sinceMs).toISOString();
  return (
    <Link className="chip jobs-new" href={jobsHref(params, { since: text })}>
      New since <TimeText time={{ text, epochMs: sinceMs, zoned: true }} precision="day" narrow />
    </Link>
  );
}
