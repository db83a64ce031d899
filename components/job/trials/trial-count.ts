import { countAbsentTrials, haveAllBegun } from "@/lib/core/domain/job";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { describePlan } from "@/lib/core/format/words";
import type { JobPage } from "@/lib/pages/job/page";

type CountedJob = Pick<JobPage["job"], "nTrials" | "state" | "planned"> & {
  readonly groups: readonly Pick<JobPage["job"]["groups"][number], "nFinished">[];
};

export function describeTrialCount({ planned, state, nTrials, groups }: CountedJob): string {
  if (planned !== null && state === "running") {
    const nDone = groups.reduce((sum, { nFinished }) => sum + nFinished, 0);
    return `${formatCount(nDone)} of ${formatPlural(Math.max(planned.count, nTrials), "trial")} done`;
  }
  if (planned === null || countAbsentTrials(planned, nTrials) === 0) return formatPlural(nTrials, "trial");
  const verb = nTrials === 1 || planned.count === 1 ? "is" : "are";
  return `${formatCount(nTrials)} of ${formatPlural(planned.count, "trial")} ${verb} here`;
}

/** Explains absent trials without a full stop; null if none is known, or if a running job may have yet to start them. */
export function explainAbsentTrials({ planned, state, nTrials }: CountedJob): string | null {
  const nAbsent = countAbsentTrials(planned, nTrials);
  if (planned === null || nAbsent === 0 || state === "running") return null;
  const plan = describePlan(planned);
  const hasBegun = haveAllBegun(planned, state);
  if (nTrials === 0)
    return `${plan}, ${hasBegun ? "but there is no trial folder" : "which may never have started"}`;
  return hasBegun
    ? `${plan}; the folders of the other ${formatCount(nAbsent)} are missing`
    : `${plan}; the other ${formatCount(nAbsent)} may never have started`;
}
