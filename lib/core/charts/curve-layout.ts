import type { ChartGroup } from "./chart-group";
import { measureText, shortenNames } from "./text-fit";

/** In pixels; the page sets the width. */
export const PLOT_HEIGHT = 188;

/** In pixels, for the numbers of the axes and a marker at the right edge. */
export const PLOT_MARGINS = { top: 10, bottom: 42, left: 40, right: 12 } as const;

export const LABEL_GAP_PX = 16;

export const LABEL_PLACES = { marker: 14, text: 22, gap: 5 } as const;

export interface EndLabel {
  readonly group: ChartGroup;
  readonly value: string;
  readonly top: number;
}

const LABEL_GAP = LABEL_GAP_PX / PLOT_HEIGHT;

interface Ended {
  readonly group: ChartGroup;
  readonly points: readonly { readonly k: number; readonly value: number; readonly top: number }[];
}

/** Places labels at the last point of each series, at least a line apart inside the plot; none if not all fit. */
export function spreadLabels(series: readonly Ended[], maxK: number): readonly EndLabel[] {
  const labels = series
    .flatMap(({ group, points }) => {
      const last = points.at(-1);
      if (last === undefined) return [];
      const where = last.k < maxK ? ` at ${last.k}` : "";
      return [{ group, value: `${last.value.toFixed(3)}${where}`, top: last.top }];
    })
    .sort((a, b) => a.top - b.top);
  if ((labels.length - 1) * LABEL_GAP > 1) return [];
  const tops = labels.map((label) => label.top);
  for (let i = 1; i < tops.length; i++) tops[i] = Math.max(tops[i] ?? 0, (tops[i - 1] ?? 0) + LABEL_GAP);
  let limit = 1;
  for (let i = tops.length - 1; i >= 0; i--) {
    tops[i] = Math.min(tops[i] ?? 0, limit);
    limit = (tops[i] ?? 0) - LABEL_GAP;
  }
  return labels.map((label, index) => ({ ...label, top: tops[index] ?? label.top }));
}

export type FittedLabels = ReturnType<typeof fitLabels>;

export function fitLabels({ endLabels }: { readonly endLabels: readonly EndLabel[] }, most: number) {
  if (endLabels.length === 0) return { labels: [], room: PLOT_MARGINS.right };
  const valueRoom = Math.max(...endLabels.map(({ value }) => measureText(value, { isBold: true })));
  const fixed = LABEL_PLACES.text + LABEL_PLACES.gap + valueRoom;
  const names = shortenNames(
    endLabels.map(({ group }) => group.label),
    most - fixed,
  );
  const room = Math.ceil(fixed + Math.max(...names.map((name) => measureText(name))));
  return { labels: endLabels.map((label, index) => ({ ...label, name: names[index] ?? "" })), room };
}
