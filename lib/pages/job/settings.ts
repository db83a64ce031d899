import "server-only";
import type { FigureRow, GroupSummary, JobHead } from "@/lib/store/tables";

export function isDividedGroup({ setups }: Pick<GroupSummary, "setups">): boolean {
  return setups !== null && setups.parts.length > 0;
}

export function isAnyDivided({ groups }: Pick<JobHead, "groups">): boolean {
  return groups.some(isDividedGroup);
}

export interface ShownGroup {
  readonly summary: GroupSummary;
  readonly figureKey: string;
  readonly figures: readonly FigureRow[];
}

/** Lists the groups of a job. On request, a divided group is replaced by its parts. */
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
