import type { Route } from "next";
import { z } from "zod";

import { type Judgment, JUDGMENTS } from "@/lib/domain/judgment";
import { buildHref } from "./href";
import { listParam, pageParam, type SearchValues, someOf, textParam } from "./params";

/** What the annotations list is asked to show. Empty lists mean no filter. */
export interface AnnotationsFilter {
  readonly text: string;
  readonly judgments: readonly Judgment[];
  readonly reviewers: readonly string[];
  readonly categories: readonly string[];
  readonly jobs: readonly string[];
  /** Relations to the verifier and the folders: see {@link ANNOTATION_STANDINGS}. */
  readonly standings: readonly AnnotationStanding[];
  /** 1-based. */
  readonly page: number;
}

/** `disagrees`: contradicts the outcome as it is now. `agrees`: does not. `stale`: the outcome or reward changed since. `lost`: its trial is not in the open folders. `withdrawn`: taken back. */
export const ANNOTATION_STANDINGS = ["disagrees", "agrees", "stale", "lost", "withdrawn"] as const;

/** One of {@link ANNOTATION_STANDINGS}. */
export type AnnotationStanding = (typeof ANNOTATION_STANDINGS)[number];

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
