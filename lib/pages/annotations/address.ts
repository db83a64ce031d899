import type { Route } from "next";

import { JUDGMENT_FORMATS } from "@/lib/core/domain/export-format";
import { JUDGMENTS } from "@/lib/core/domain/judgment";

import { type AddressValues, createAddress, readFileSearch } from "../address/address";
import { names, pageNumber, someOf, text, name, flag, oneOf } from "../address/values";

/**
 * `disagrees`: contradicts the current outcome. `agrees`: does not. `stale`: outcome, reward, result or trajectory changed since.
 * `lost`: its trial is not in the open folders. `conflict`: the trial's reviewers differ, without a decision. `decided`: with one.
 */
const ANNOTATION_STANDINGS = [
  "disagrees",
  "agrees",
  "conflict",
  "decided",
  "stale",
  "lost",
  "withdrawn",
] as const;

export type AnnotationStanding = (typeof ANNOTATION_STANDINGS)[number];

export const annotationsAddress = createAddress(
  {
    text,
    judgments: someOf(JUDGMENTS),
    reviewers: names,
    categories: names,
    jobs: names,
    standings: someOf(ANNOTATION_STANDINGS),
    page: pageNumber,
    open: text,
  },
  {
    text: "q",
    judgments: "judgment",
    reviewers: "reviewer",
    categories: "category",
    jobs: "job",
    standings: "standing",
  },
);

export type AnnotationsParams = AddressValues<typeof annotationsAddress>;

export type AnnotationsFilter = Omit<AnnotationsParams, "open">;

/** A new filter starts at page 1, expanding a row does not. */
export function annotationsHref(params: Partial<AnnotationsParams>, change: Partial<AnnotationsParams> = {}) {
  const isOtherList = Object.keys(change).some((name) => name !== "open");
  const page = isOtherList ? 1 : params.page;
  return annotationsAddress.href("/annotations", { ...params, page, ...change });
}

export const recordedAddress = createAddress({ job: name, page: pageNumber });

export function recordedHref(job: string | null, page = 1): Route {
  return recordedAddress.href("/annotations/recorded", { job, page });
}

const exportAddress = createAddress({
  format: oneOf(JUDGMENT_FORMATS),
  history: flag("1"),
  queue: name,
  job: name,
  reviewer: name,
});

export type ExportParams = AddressValues<typeof exportAddress>;

export function exportHref(params: Partial<ExportParams> = {}): Route {
  return exportAddress.href("/annotations/export", params);
}

export function readExportRequest(url: string): ExportParams {
  return exportAddress.read(readFileSearch(url, exportAddress));
}
