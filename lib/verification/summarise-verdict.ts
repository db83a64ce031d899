import type { Figure, CheckVerdict, Verdict, VerdictCounts } from "@/lib/domain/verification";

/** From the worst to the best; `not-recorded` is no judgment and stands apart. */
const WORST_FIRST = [
  "mismatch",
  "incomplete",
  "explained",
  "ulp",
  "exact",
] as const satisfies readonly Verdict[];

/** How many of the figures got each verdict. */
export function countVerdicts(figures: readonly Pick<Figure, "verdict">[]): VerdictCounts {
  const counts = { exact: 0, ulp: 0, explained: 0, mismatch: 0, "not-recorded": 0, incomplete: 0 };
  for (const figure of figures) counts[figure.verdict]++;
  return counts;
}

/** Worst verdict over some figures; `interim` while the job runs, `not-recorded` when none could be compared. */
export function summariseVerdict(
  figures: readonly Pick<Figure, "verdict">[],
  isInterim: boolean,
): CheckVerdict {
  if (isInterim) return "interim";
  const counts = countVerdicts(figures);
  return WORST_FIRST.find((verdict) => counts[verdict] > 0) ?? "not-recorded";
}
