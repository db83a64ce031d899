import { AGENT_MARKER_PATHS } from "@/components/ui/agent-marker-paths";
import type { ChartGroup } from "@/lib/charts/chart-group";
import { IDENTITY_DASHES } from "@/lib/charts/identity";

import "./group-mark.css";

type GroupForm = Pick<ChartGroup, "identity" | "variant" | "isPlain">;

const VARIANT_DASHES = ["", "7 2 1.5 2", "3.5 2", "1.5 1.5"] as const;

/** The colour of a group: its agent's on every page. */
export function colourOf({ identity }: GroupForm): string {
  return identity === 0 ? "var(--ink)" : `var(--id-${identity})`;
}

/** The dash of a group's line, as `stroke-dasharray`; undefined for a solid one. */
export function dashOf({ identity, variant }: GroupForm): string | undefined {
  const dash = variant === 0 ? IDENTITY_DASHES[identity] : VARIANT_DASHES[Math.min(variant, 3)];
  return dash === "" ? undefined : dash;
}

/** A group's marker around the point 0, 0, for use inside a drawing. A second group of one agent is hollow. */
export function GroupShape({ group, size = 10 }: { group: GroupForm; size?: number }) {
  // The plain dot is the circle of identity 1 in ink.
  const path = AGENT_MARKER_PATHS[group.isPlain ? 1 : group.identity];
  const hasCore = group.variant > (group.identity === 0 ? 0 : 1);
  const isHollow = !group.isPlain && (group.variant > 0 || group.identity === 0);
  return (
    <g
      className={isHollow ? "group-shape group-hollow" : "group-shape"}
      style={{ color: colourOf(group) }}
      transform={`scale(${size / 12}) translate(-6 -6)`}
    >
      <path d={path} />
      {hasCore ? <circle className="group-core" cx="6" cy="6" r="1.6" /> : null}
    </g>
  );
}

/** A group's marker in text. Decoration: its name must stand beside it. */
export function GroupMark({ group, size = 12 }: { group: GroupForm; size?: number }) {
  return (
    <svg className="group-mark" width={size} height={size} viewBox="-6 -6 12 12" aria-hidden="true">
      <GroupShape group={group} size={11} />
    </svg>
  );
}

/** A group's marker and label. */
export function GroupName({ group }: { group: ChartGroup }) {
  return (
    <span className="group-name" title={group.label}>
      <GroupMark group={group} />
      <span className="cut">{group.label}</span>
    </span>
  );
}
