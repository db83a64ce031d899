import type { ChartGroup } from "@/lib/charts/chart-group";
import { placeOn } from "@/lib/charts/ticks";

import { GroupShape } from "./group-mark";

import "./share-strip.css";

const INSET = 8;
const HEIGHT = 27;

/** One group's mean on a strip; null when it has none. */
export interface StripMark {
  readonly group: ChartGroup;
  readonly value: number | null;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

/**
 * Groups on one scale as wide as the column, joined from lowest to highest: a dumbbell for two. Equal values stand one
 * above the other, since moving them aside would state a wrong value.
 */
export function ShareStrip({
  marks,
  scale,
  title,
}: {
  marks: readonly StripMark[];
  scale: { readonly low: number; readonly high: number };
  title: string;
}) {
  const placed = marks.flatMap(({ group, value }) =>
    value === null ? [] : [{ group, at: placeOn(value, scale) }],
  );
  const places = placed.map(({ at }) => at);
  return (
    <svg
      className="strip"
      style={{ width: `calc(100% - ${2 * INSET}px)` }}
      height={HEIGHT}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      {[0, 0.5, 1].map((share) => (
        <line key={share} className="strip-grid" x1={percent(share)} x2={percent(share)} y1={0} y2={HEIGHT} />
      ))}
      {placed.length > 1 ? (
        <line
          className="strip-link"
          x1={percent(Math.min(...places))}
          x2={percent(Math.max(...places))}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
        />
      ) : null}
      {placed.map(({ group, at }) => {
        const stack = placed.filter((other) => Math.abs(other.at - at) < 1e-9);
        const step = Math.min(10, 20 / stack.length);
        const offset =
          (stack.findIndex((other) => other.group.id === group.id) - (stack.length - 1) / 2) * step;
        return (
          <svg key={group.id} className="strip-place" x={percent(at)} y={HEIGHT / 2 + offset}>
            <GroupShape group={group} size={stack.length > 2 ? 8.5 : 11} />
          </svg>
        );
      })}
    </svg>
  );
}
