import type { Route } from "next";
import { z } from "zod";

import { JUDGMENTS } from "@/lib/domain/annotation";
import { buildHref } from "@/lib/format/href";
import { ANNOTATION_STANDINGS } from "@/lib/queries/annotations-page";
import type { AnnotationsFilter } from "@/lib/queries/annotations-page";
import { listParam, pageParam, type SearchValues, someOf, textParam } from "@/lib/schema/address";

/** What the address of the annotations list says. */
export interface AnnotationsParams extends AnnotationsFilter {
  /** Version whose row is unfolded; blank for none. */
  readonly open: string;
}

const schema = z.object({
  q: textParam,
  judgment: someOf(JUDGMENTS),
  reviewer: listParam,
  category: listParam,
  job: listParam,
  standing: someOf(ANNOTATION_STANDINGS),
  page: pageParam,
  open: textParam,
});

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseAnnotationsParams(search: SearchValues): AnnotationsParams {
  const params = schema.parse(search);
  return {
    text: params.q,
    judgments: params.judgment,
    reviewers: params.reviewer,
    categories: params.category,
    jobs: params.job,
    standings: params.standing,
    page: params.page,
    open: params.open,
  };
}

/** The address of the list with some values changed; defaults are not written, and a new filter starts at page 1. */
export function annotationsHref(params: AnnotationsParams, change: Partial<AnnotationsParams> = {}): Route {
  const isSamePage = "open" in change || Object.keys(change).length === 0;
  const next = { ...params, page: isSamePage ? params.page : 1, ...change };
  return buildHref("/annotations", {
    q: next.text,
    judgment: next.judgments,
    reviewer: next.reviewers,
    category: next.categories,
    job: next.jobs,
    standing: next.standings,
    page: next.page === 1 ? undefined : next.page,
    open: next.open,
  });
}
