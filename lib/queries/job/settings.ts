import "server-only";

import type { FigureRow, GroupSummary, JobHead } from "@/lib/store";

/** Whether a group can be shown divided by the settings of its agents. */
export function isDividedGroup({ setups }: Pick<GroupSummary, "setups">): boolean {
  return setups !== null && setups.parts.length > 0;
}

/** Whether any group of a job can be shown divided by the settings of its agents. */
export function isAnyDivided({ groups }: Pick<JobHead, "groups">): boolean {
  return groups.some(isDividedGroup);
}

/** A group, or a part of one, with its figures. */
export interface ShownGroup {
  readonly summary: GroupSummary;
  /** Key of the evals group in the paths of its figures. */
  readonly figureKey: string;
  readonly figures: readonly FigureRow[];
}

/** The groups of a job as a page shows them: where it is asked for, each part of a divided group in the place of the group. */
export function listShownGroups(
  { groups }: Pick<JobHead, "groups">,
  figures: ReadonlyMap<string | null, readonly FigureRow[]>,
  isDivided: boolean,
): readonly ShownGroup[] {
  return groups.flatMap((summary) => {
    const { key } = summary.group;
    const parts = isDivided ? (summary.setups?.parts ?? []) : [];
    if (parts.length === 0) return { summary, figureKey: key, figures: figures.get(key) ?? [] };
    return parts.map((part) => ({
      summary: part.summary,
      figureKey: key,
      figures: part.figures.map((figure) => toUnrecorded(figure, part.summary)),
    }));
  });
}

function toUnrecorded(
  figure: Pick<FigureRow, "kind" | "path" | "recomputed">,
  { group, nTrials }: GroupSummary,
): FigureRow {
  return {
    ...figure,
    group: group.key,
    recorded: null,
    verdict: "not-recorded",
    ulps: null,
    rule: null,
    reason: "Computed from the trials with these settings; Harbor records the group as a whole.",
    nTrials,
  };
}
