import "server-only";

import { describeBasis, describeUnavailable, type MeanInterval, type Unavailable } from "@/lib/stats";

/** Basis of a mean and its interval, in words, or why there is no interval. */
export function describeMeanBasis(mean: MeanInterval | Unavailable): string {
  if (mean.kind === "unavailable") return `No interval: ${describeUnavailable(mean.reason)}`;
  return mean.bounds.kind === "unavailable"
    ? `No interval: ${describeUnavailable(mean.bounds.reason)}`
    : describeBasis(mean.bounds, mean);
}
