import type { LostKind, LostPart } from "@/lib/core/domain/lost-part";

import { formatCost, formatCount, formatPlural, MISSING } from "./number";

export const LOST_WORDS: Readonly<Record<LostKind, string>> = {
  retried: "Retried attempts",
  cancelled: "Cancelled trials",
  "no-result": "Trials without a result",
  "named-only": "In result.json without a folder",
  "never-begun": "Planned and never begun, as far as files say",
  unnamed: "Folders that result.json does not name",
  earlier: "Begun before the job’s own start",
};

export function explainLost({ kind, counts, example }: LostPart): string {
  const such = example === null ? "" : `, such as ${example}`;
  switch (kind) {
    case "retried":
      return explainRetried(counts);
    case "cancelled":
      return `They ended with a cancellation or job.log says so${such}`;
    case "no-result":
      return `The folder has no result.json that can be read${such}`;
    case "named-only":
      return `Their folders are missing${such}`;
    case "never-begun":
      return "Nothing but the plan speaks of them";
    case "unnamed":
      return `They have results that the job’s figures leave out${such}`;
    case "earlier":
      return `They began before the start that result.json states${such}: the job was resumed, or they are from elsewhere; what an interruption ended is in no file`;
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
    ? `${formatCost(costUsd)} for ${formatPlural(nWithCost, "known one")}`
    : formatCost(costUsd);
}
