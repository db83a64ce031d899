import type { Route } from "next";

import type { JobParams } from "@/lib/addresses/job";
import type { DistributionBin } from "@/lib/charts/distribution-plot";
import type { FamilySection } from "@/lib/queries/job/dimensions";
import type { JobGroup } from "@/lib/queries/job/page";

/** Which shares of a dimension the trials have. */
export type ShareRange = Partial<Pick<JobParams, "shareMin" | "shareMax" | "shareBelow" | "isShareMissing">>;

/** Where the trials behind a figure of a dimension are listed; without a group those of all of them. */
export type DimensionHref = (name: string, groupKey: string | null, range?: ShareRange) => Route;

/** The same for one dimension of one group. */
export type RangeHref = (range?: ShareRange) => Route;

/** What the dimensions of a family are drawn from, as histograms or counts. */
export interface DimensionTable {
  readonly section: FamilySection;
  /** Those of the family, in the order of its cells. */
  readonly groups: readonly JobGroup[];
  readonly caption: string;
  readonly hrefOf: DimensionHref;
}

/** The shares that fall into a bin. */
export function toRange({ from, to, isClosed }: DistributionBin): ShareRange {
  return isClosed ? { shareMin: from } : { shareMin: from, shareBelow: to };
}
