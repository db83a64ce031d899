import type { LostKind, LostPart } from "@/lib/core/domain/lost-part";

import { formatCost, formatCount, formatPlural, MISSING } from "./number";

export const LOST_WORDS: Readonly<Record<LostKind, string>> = {
  retried: "Retried attempts",
  cancelled: "Cancelled trials",
  "no-result": "Trials without a result",
  "named-only": "In result.json without a folder",
  "never-begun": "Planned, with no sign of a start",
  unnamed: "Folders that result.json does not name",
  earlier: "Started before the job’s own start",
};

export function explainLost({ kind, counts, example }: LostPart): string {
  const such = example === null ? "" : `, such as ${example}`;
  switch (kind) {
    case "retried":
      return explainRetried(counts);
    case "cancelled":
      return `Cancelled, according to the trial or job.log${such}`;
    case "no-result":
      return `The folder has no readable result.json${such}`;
    case "named-only":
      return `Their folders are missing${such}`;
    case "never-begun":
      return "Listed in the plan only";
    case "unnamed":
      return `They have results that the job’s figures exclude${such}`;
    case "earlier":
      return `They started before the start in result.json${such}. The job was resumed, or they are from elsewhere. Interrupted trials leave no result file`;
  }
}

function explainRetried(counts: LostPart["counts"]): string {
  const { recorded = null, logged = null, kept = 0 } = counts ?? {};
  const said = [
    ...(recorded === null ? [] : [`result.json counts ${formatCount(recorded)}`]),
    ...(logged === null ? [] : [`job.log has lines for ${formatCount(logged)}`]),
    kept === 0 ? "none is kept" : `${formatCount(kept)} kept`,
  ];
  return said.join("; ");
}

export function formatLostCost({ costUsd, nWithCost, n }: LostPart): string {
  if (costUsd === null) return MISSING;
  return nWithCost < n
    ? `${formatCost(costUsd)} for ${formatPlural(nWithCost, "known cost")}`
    : formatCost(costUsd);
}
