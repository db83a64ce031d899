import type { Route } from "next";

import type { DistributionBin } from "@/lib/core/charts/distribution-plot";
import type { JobParams } from "@/lib/pages/job/address";
import type { FamilySection } from "@/lib/pages/job/dimensions";
import type { JobGroup } from "@/lib/pages/job/page";

export type ShareRange = Partial<Pick<JobParams, "shareMin" | "shareMax" | "shareBelow" | "isShareMissing">>;

export type DimensionHref = (name: string, groupKey: string | null, range?: ShareRange) => Route;

export type RangeHref = (range?: ShareRange) => Route;

export interface DimensionTable {
  readonly section: FamilySection;
  readonly groups: readonly JobGroup[];
  readonly caption: string;
  readonly hrefOf: DimensionHref;
}

export function toRange({ from, to, isClosed }: DistributionBin): ShareRange {
  return isClosed ? { shareMin: from } : { shareMin: from, shareBelow: to };
}
