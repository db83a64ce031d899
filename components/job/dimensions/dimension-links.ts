import type { Route } from "next";

import { jobTrialsHref } from "@/lib/addresses/job";
import type { DistributionBin } from "@/lib/charts/distribution-plot";
import type { DimensionFilter } from "@/lib/domain/dimension-filter";

type Range = Partial<Pick<DimensionFilter, "min" | "max" | "below" | "isMissing">>;

/** Where the trials behind a figure of a dimension are listed; without a group those of all of them. */
export type DimensionHref = (name: string, groupKey: string | null, range?: Range) => Route;

const ANY_SHARE = { min: null, max: null, below: null, isMissing: false } as const;

/** Links to the trials of one family; null for the only family of a job. */
export function linkDimensions(jobKey: string, family: string | null): DimensionHref {
  return (name, groupKey, range = {}) =>
    jobTrialsHref(jobKey, {
      dimension: { name, family, ...ANY_SHARE, ...range },
      groups: groupKey === null ? [] : [groupKey],
    });
}

/** The shares that fall into a bin. */
export function toRange({ from, to, isClosed }: DistributionBin): Range {
  return isClosed ? { min: from } : { min: from, below: to };
}
