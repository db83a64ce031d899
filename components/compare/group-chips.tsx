import { compareParamsHref, type CompareParams } from "@/lib/addresses/compare";
import { AgentMark } from "@/components/ui/agent-mark";
import { FilterChip } from "@/components/ui/filter-bar";
import type { FoundGroup } from "@/lib/queries/compare/page";

/** The chosen groups in their order, each with a cross that takes it off. */
export function GroupChips({ chosen, params }: { chosen: readonly FoundGroup[]; params: CompareParams }) {
  if (chosen.length === 0) return null;
  return (
    <div className="picker-chosen" role="group" aria-label="Chosen groups">
      {chosen.map((group) => (
        <FilterChip
          key={group.id}
          removeHref={compareParamsHref(params, {
            refs: params.refs.filter((ref) => ref !== group.id),
            picking: true,
          })}
        >
          <AgentMark {...group} size={12} />
          {group.label}
          <span className="muted">{group.job.name}</span>
        </FilterChip>
      ))}
    </div>
  );
}
