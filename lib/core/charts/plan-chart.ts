import { formatCount, formatSize } from "@/lib/core/format/number";
import type { LabelPlan } from "@/lib/core/stats";

import { withBounds } from "./interval-strip";
import { type PlaneChart, type PlaneLine, preparePlane } from "./plane-chart";
import { selectRoundValues } from "./ticks";

const MOST_Y_STEPS = 4;

const INK = { id: "plan", label: "all agents", identity: 0, isPlain: true } as const;

/** Half widths in points over further labels; null if no number of labels gives a score. */
export function preparePlanChart({ points, nNext }: LabelPlan): PlaneChart | null {
  const list = (key: "halfWidth" | "halfWidthAnyOrder") =>
    points.flatMap(({ nLabels, [key]: half }) => (half === null ? [] : [[nLabels, half * 100] as const]));
  const [planned, anyOrder] = [list("halfWidth"), list("halfWidthAnyOrder")];
  const values = [...planned, ...anyOrder].map(([, half]) => half);
  if (values.length === 0 || (points.at(-1)?.nLabels ?? 0) === 0) return null;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const yRound = most > least ? selectRoundValues(least, most, MOST_Y_STEPS) : [least - 1, least + 1];
  const next = planned.find(([nLabels]) => nLabels === nNext);
  const named = [...new Set([planned[0], next, planned.at(-1)])].flatMap((corner) =>
    corner === undefined ? [] : [{ corner, name: formatSize(corner[1] / 100, true) }],
  );
  const words = named.map(
    ({ corner: [n], name }) => `${name} points ${n === 0 ? "now" : `after ${formatCount(n)} more labels`}`,
  );
  const lines: PlaneLine[] = [
    { id: "any order", kind: "sweep", group: null, corners: anyOrder },
    { id: "planned", kind: "series", group: { ...INK, id: "curve" }, corners: planned },
  ];
  if (next !== undefined) {
    const corners = [yRound[0] ?? least, yRound.at(-1) ?? most].map((y) => [nNext, y] as const);
    lines.push({ id: "next", kind: "sweep", group: { ...INK, id: "curve" }, corners });
  }
  return preparePlane(
    named.map(({ corner: [x, y], name }, at) => ({
      group: INK,
      name,
      x: withBounds(x),
      y: withBounds(y),
      isFaint: false,
      title: words[at] ?? "",
    })),
    lines,
    {
      title: "Half the 95 % interval, points",
      xTitle: "further labels",
      summary: `Half the 95 % interval of the corrected score: ${words.join(", ")}`,
      yRound,
    },
  );
}

export function placeLabelBars(counts: readonly { readonly nLabels: number; readonly nNext: number }[]) {
  const most = Math.max(1, ...counts.map(({ nLabels, nNext }) => nLabels + nNext));
  return counts.map(({ nLabels, nNext }) => ({ labelled: nLabels / most, next: nNext / most }));
}
