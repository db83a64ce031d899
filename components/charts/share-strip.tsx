import type { ChartGroup } from "@/lib/charts/chart-group";
import { placeOn } from "@/lib/charts/ticks";

import { GroupShape } from "./group-mark";

import "./share-strip.css";

const INSET = 8;
const HEIGHT = 26;

/** One group's mean on a strip; null when it has none. */
export interface StripMark {
  readonly group: ChartGroup;
  readonly value: number | null;
}

/**
 * Groups on one scale, joined from lowest to highest: a dumbbell for two. Equal values stand one above the other, since
 * moving them aside would state a wrong value.
 */
export function ShareStrip({
  marks,
  scale,
  width,
  title,
}: {
  marks: readonly StripMark[];
  scale: { readonly low: number; readonly high: number };
  width: number;
  title: string;
}) {
  const place = (value: number) => INSET + placeOn(value, scale) * (width - 2 * INSET);
  const placed = marks.flatMap(({ group, value }) => (value === null ? [] : [{ group, x: place(value) }]));
  const xs = placed.map(({ x }) => x);
  return (
    <svg className="strip" width={width} height={HEIGHT} role="img" aria-label={title}>
      <title>{title}</title>
      {[0, 0.5, 1].map((share) => {
        const x = Math.round(INSET + share * (width - 2 * INSET));
        return <line key={share} className="strip-grid" x1={x} x2={x} y1={0} y2={HEIGHT} />;
      })}
      {placed.length > 1 ? (
        <line
          className="strip-link"
          x1={Math.min(...xs)}
          x2={Math.max(...xs)}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
        />
      ) : null}
      {placed.map(({ group, x }) => {
        const stack = placed.filter((other) => Math.abs(other.x - x) < 0.5);
        const step = Math.min(9, 20 / stack.length);
        const offset =
          (stack.findIndex((other) => other.group.id === group.id) - (stack.length - 1) / 2) * step;
        return (
          <g key={group.id} transform={`translate(${x} ${HEIGHT / 2 + offset})`}>
            <GroupShape group={group} size={stack.length > 2 ? 8 : 9.5} />
          </g>
        );
      })}
    </svg>
  );
}
