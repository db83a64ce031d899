import type { TrialRecord } from "@/lib/domain/trial";
import type { Figure, FigureKind } from "@/lib/domain/verification";

import { listNames } from "./list-names";

/** Figures that single trials contradict, each on its own. */
const SINGLE: ReadonlySet<FigureKind> = new Set(["reward-stats", "exception-stats", "reward-file"]);
/** Figures that are computed over many trials. */
const COMPUTED: ReadonlySet<FigureKind> = new Set(["metric", "pass-at-k", "outcome"]);

/** Names in every mismatch of a figure over many trials those of them that contradict result.json elsewhere, if any do. */
export function nameContradictions(figures: readonly Figure[], trials: readonly TrialRecord[]): Figure[] {
  const mismatches = figures.filter((figure) => figure.verdict === "mismatch");
  const single = mismatches.filter((figure) => SINGLE.has(figure.kind));
  if (single.length === 0 || single.length === mismatches.length) return [...figures];
  const names = new Map(trials.map((trial) => [trial.key, trial.trialName]));
  const byGroup = Map.groupBy(single, ({ group }) => group);
  return figures.map((figure) => {
    if (figure.verdict !== "mismatch" || !COMPUTED.has(figure.kind)) return figure;
    const contradicting = figure.group === null ? single : (byGroup.get(figure.group) ?? []);
    const keys = new Set(contradicting.flatMap(({ trialKeys }) => trialKeys));
    if (keys.size === 0) return figure;
    const differing = listNames([...keys].map((key) => names.get(key) ?? key));
    const reason = `${figure.reason ?? ""} Single trials that differ: ${differing}.`;
    return { ...figure, reason, trialKeys: [...keys] };
  });
}
