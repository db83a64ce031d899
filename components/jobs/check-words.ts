import type { CheckVerdict } from "@/lib/core/domain/verification";
import { formatVerdict, VERDICT_MEANINGS } from "@/lib/core/format/words";

export function describeCheck({
  own,
  verdict,
  ulps,
  hasRecordedMetric,
}: {
  readonly own: CheckVerdict | null;
  readonly verdict: CheckVerdict;
  readonly ulps: number | null;
  readonly hasRecordedMetric: boolean;
}): { readonly words: string; readonly meaning: string | undefined } {
  if (own !== null) {
    // A running job is interim in every figure.
    if (own === "interim") return { words: formatVerdict(own), meaning: VERDICT_MEANINGS[own] };
    return {
      words: own === "mismatch" ? "job counter" : `job: ${formatVerdict(own)}`,
      meaning: `Of a figure of the whole job, not of this group. ${VERDICT_MEANINGS[own]}`,
    };
  }
  if (verdict === "exact")
    return { words: hasRecordedMetric ? formatVerdict(verdict) : "files exact", meaning: undefined };
  return { words: formatVerdict(verdict, ulps), meaning: VERDICT_MEANINGS[verdict] };
}
