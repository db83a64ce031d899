import type { LabelPlan } from "@/lib/core/stats";

import { placeOn, selectRoundValues, type Tick } from "./ticks";

export interface PlacedPoint {
  readonly nLabels: number;
  readonly halfWidth: number;
  readonly x: number;
  readonly y: number;
}

export interface PlanChart {
  /** For labels where they tell most, and in any order; omits points without a score. */
  readonly planned: readonly PlacedPoint[];
  readonly anyOrder: readonly PlacedPoint[];
  readonly next: PlacedPoint | null;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
}

const MOST_X_STEPS = 4;
const MOST_Y_STEPS = 4;

/** Half widths in points over further labels; null if no number of labels gives a score. */
export function preparePlanChart({ points, nNext }: LabelPlan): PlanChart | null {
  const values = points.flatMap(({ halfWidth, halfWidthAnyOrder }) =>
    [halfWidth ?? [], halfWidthAnyOrder ?? []].flat(),
  );
  const last = points.at(-1)?.nLabels ?? 0;
  if (values.length === 0 || last === 0) return null;
  const [least, most] = [Math.min(...values) * 100, Math.max(...values) * 100];
  const ys = most > least ? selectRoundValues(least, most, MOST_Y_STEPS) : [least - 1, least + 1];
  const xs = selectRoundValues(0, last, MOST_X_STEPS);
  const across = { low: 0, high: xs.at(-1) ?? last };
  const down = { low: ys.at(-1) ?? most, high: ys[0] ?? least };
  const place = (nLabels: number, halfWidth: number | null): readonly PlacedPoint[] =>
    halfWidth === null
      ? []
      : [{ nLabels, halfWidth, x: placeOn(nLabels, across), y: placeOn(halfWidth * 100, down) }];
  const planned = points.flatMap(({ nLabels, halfWidth }) => place(nLabels, halfWidth));
  return {
    planned,
    anyOrder: points.flatMap(({ nLabels, halfWidthAnyOrder }) => place(nLabels, halfWidthAnyOrder)),
    next: planned.find(({ nLabels }) => nLabels === nNext) ?? null,
    xTicks: xs.map((value) => ({ value, label: String(value), at: placeOn(value, across) })),
    yTicks: ys.map((value) => ({
      value,
      label: String(Number(value.toFixed(2))),
      at: placeOn(value, down),
    })),
  };
}

export interface LabelBar {
  readonly labelled: number;
  readonly next: number;
}

export function placeLabelBars(
  counts: readonly { readonly nLabels: number; readonly nNext: number }[],
): readonly LabelBar[] {
  const most = Math.max(1, ...counts.map(({ nLabels, nNext }) => nLabels + nNext));
  return counts.map(({ nLabels, nNext }) => ({ labelled: nLabels / most, next: nNext / most }));
}
