import "server-only";
import { describeBasis, describeUnavailable, type MeanInterval, type Unavailable } from "@/lib/core/stats";

export function describeMeanBasis(mean: MeanInterval | Unavailable): string {
  if (mean.kind === "unavailable") return `No interval: ${describeUnavailable(mean.reason)}`;
  return mean.bounds.kind === "unavailable"
    ? `No interval: ${describeUnavailable(mean.bounds.reason)}`
    : describeBasis(mean.bounds, mean);
}
