import { AGENT_MARKER_PATHS } from "@/components/ui/agent-marker-paths";
import { type ChartGroup, selectForm } from "@/lib/charts/chart-group";

import "./group-mark.css";

type FormedGroup = Pick<ChartGroup, "identity" | "variant" | "isPlain">;

/** The colour of a group: its agent's on every page. */
export function colourOf({ identity }: FormedGroup): string {
  return identity === 0 ? "var(--ink)" : `var(--id-${identity})`;
}

/** A group's marker around the point 0, 0, for use inside a drawing. */
export function GroupShape({ group, size = 10 }: { group: FormedGroup; size?: number }) {
  const { marker, isHollow, core } = selectForm(group);
  return (
    <g
      className={isHollow ? "group-shape group-hollow" : "group-shape"}
      style={{ color: colourOf(group) }}
      transform={`scale(${size / 12}) translate(-6 -6)`}
    >
      <path d={AGENT_MARKER_PATHS[marker]} />
      {core === null ? null : <path className="group-core" d={core} />}
    </g>
  );
}

/** A group's marker in text. Decoration: its name must stand beside it. */
export function GroupMark({ group, size = 12 }: { group: FormedGroup; size?: number }) {
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
