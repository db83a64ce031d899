import type { Route } from "next";

import { JUDGMENTS } from "@/lib/domain/annotation";
import { buildHref } from "@/lib/format/href";
import { ANNOTATION_STANDINGS } from "@/lib/queries/annotations-page";
import type { AnnotationsFilter } from "@/lib/queries/annotations-page";

/** What the address of the annotations list says. */
export interface AnnotationsParams extends AnnotationsFilter {
  /** Version whose row is unfolded; blank for none. */
  readonly open: string;
}

type Search = Readonly<Record<string, string | string[] | undefined>>;

function readList(search: Search, name: string): readonly string[] {
  const value = search[name];
  return value === undefined ? [] : [value].flat();
}

function readText(search: Search, name: string): string {
  return (readList(search, name).at(-1) ?? "").trim().slice(0, 200);
}

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseAnnotationsParams(search: Search): AnnotationsParams {
  const judgments = readList(search, "judgment");
  const standings = readList(search, "standing");
  const page = Number(readText(search, "page"));
  return {
    text: readText(search, "q"),
    judgments: JUDGMENTS.filter((judgment) => judgments.includes(judgment)),
    reviewers: readList(search, "reviewer"),
    categories: readList(search, "category"),
    jobs: readList(search, "job"),
    standings: ANNOTATION_STANDINGS.filter((standing) => standings.includes(standing)),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    open: readText(search, "open"),
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
