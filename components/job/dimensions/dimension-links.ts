import type { Route } from "next";

import { type JobParams, jobTrialsHref } from "@/lib/addresses/job";
import type { DistributionBin } from "@/lib/charts/distribution-plot";

/** Which shares of a dimension the trials have. */
export type ShareRange = Partial<Pick<JobParams, "shareMin" | "shareMax" | "shareBelow" | "isShareMissing">>;

/** Where the trials behind a figure of a dimension are listed; without a group those of all of them. */
export type DimensionHref = (name: string, groupKey: string | null, range?: ShareRange) => Route;

/** The same for one dimension of one group. */
export type RangeHref = (range?: ShareRange) => Route;

/** Links to the trials of one family; null for the only family of a job. */
export function linkDimensions(jobKey: string, family: string | null): DimensionHref {
  return (name, groupKey, range = {}) =>
    jobTrialsHref(jobKey, {
      dimension: name,
      family,
      ...range,
      groups: groupKey === null ? [] : [groupKey],
    });
}

/** The shares that fall into a bin. */
export function toRange({ from, to, isClosed }: DistributionBin): ShareRange {
  return isClosed ? { shareMin: from } : { shareMin: from, shareBelow: to };
}
