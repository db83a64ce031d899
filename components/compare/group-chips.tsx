import { AgentMark } from "@/components/ui/agent-mark";
import { FilterChip } from "@/components/ui/filter-bar";
import { Link } from "@/components/ui/link";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { FoundGroup } from "@/lib/pages/compare/page";

export function GroupChips({ chosen, params }: { chosen: readonly FoundGroup[]; params: CompareParams }) {
  if (chosen.length === 0) return null;
  return (
    <div className="picker-chosen" role="group" aria-label="Chosen groups">
      {chosen.map((group, at) => (
        <FilterChip
          key={group.id}
          removeHref={compareParamsHref(params, {
            refs: chosen.flatMap(({ id, refs }) => (id === group.id ? [] : refs)),
            picking: true,
          })}
        >
          <AgentMark {...group} size={12} />
          {group.label}
          {at === 0 ? null : (
            <Link
              href={compareParamsHref(params, { refs: joinBefore(chosen, group), picking: true })}
              title={`Count ${group.label} together with ${chosen[at - 1]?.label ?? ""}`}
            >
              join
            </Link>
          )}
          <span className="muted">{group.runs.map(({ job }) => job.name).join(", ")}</span>
        </FilterChip>
      ))}
    </div>
  );
}

function joinBefore(chosen: readonly FoundGroup[], joined: FoundGroup): readonly string[] {
  return chosen.flatMap(({ id, refs, runs }) => (id === joined.id ? runs.map(({ ref }) => `+${ref}`) : refs));
}
