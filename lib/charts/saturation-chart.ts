import { formatCsvLine } from "@/lib/format/csv";
import { formatPlural } from "@/lib/format/number";
import type { Saturation } from "@/lib/stats";

import { placeOn, selectRoundValues, type Tick } from "./ticks";

/** Fewest reviews of which a curve says anything: fewer than these are all recent. */
const FEWEST_REVIEWS = 20;

/** Corners of the line that a drawing has at most. */
const MOST_CORNERS = 500;

/** The curve of distinct categories over reviews, placed; it places nothing by itself. */
export interface SaturationChart {
  readonly kind: "chart";
  /** `2 new in the last 20 reviews`. */
  readonly recent: string;
  /** Said to screen readers instead of the drawing. */
  readonly summary: string;
  /** Corners of the line from left to right, as shares of the plot's width and of its height from above. */
  readonly corners: readonly { readonly at: number; readonly top: number }[];
  /** The same corners in values: reviews so far, and different categories so far. */
  readonly points: readonly { readonly review: number; readonly count: number }[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
}

/** Why no curve is drawn. */
interface NoSaturation {
  readonly kind: "unavailable";
  readonly reason: string;
}

/** Prepares the saturation curve; refused with fewer than 20 reviews or without any category. */
export function prepareSaturation(saturation: Saturation): SaturationChart | NoSaturation {
  const { nReviews, nCategories, cumulative, nRecent, nNewInRecent } = saturation;
  const reviews = formatPlural(nReviews, "review");
  if (nReviews < FEWEST_REVIEWS)
    return {
      kind: "unavailable",
      reason: `The curve needs at least ${String(FEWEST_REVIEWS)} reviews; there ${nReviews === 1 ? "is" : "are"} ${reviews === "0 reviews" ? "none" : reviews}.`,
    };
  if (nCategories === 0)
    return { kind: "unavailable", reason: `None of the ${reviews} has a category, so there is no curve.` };
  const xAxis = { low: 0, high: nReviews };
  const yValues = selectRoundValues(0, nCategories, 4).filter((value) => Number.isInteger(value));
  const yAxis = { low: 0, high: Math.max(nCategories, yValues.at(-1) ?? 0) };
  const place = ({ review, count }: SaturationChart["points"][number]) => ({
    at: placeOn(review, xAxis),
    top: 1 - placeOn(count, yAxis),
  });
  const steps = cumulative.flatMap((count, index) =>
    count === (cumulative[index - 1] ?? 0) ? [] : [{ review: index + 1, count }],
  );
  const stride = Math.ceil(steps.length / MOST_CORNERS);
  const kept = steps.filter((_, index) => index % stride === 0);
  const points = [{ review: 0, count: 0 }, ...kept, { review: nReviews, count: nCategories }];
  const xValues = selectRoundValues(0, nReviews, 5).filter(
    (value) => Number.isInteger(value) && value <= nReviews,
  );
  const recent = `${formatPlural(nNewInRecent, "new category", "new categories")} in the last ${formatPlural(nRecent, "review")}`;
  return {
    kind: "chart",
    recent,
    summary: `Distinct categories after each review: ${String(nCategories)} after ${reviews}, ${recent}.`,
    corners: points.map(place),
    points,
    xTicks: xValues.map((value) => ({
      value,
      label: value.toLocaleString("en-US"),
      at: placeOn(value, xAxis),
    })),
    yTicks: yValues.map((value) => ({ value, label: String(value), at: placeOn(value, yAxis) })),
  };
}

/** The curve as CSV: reviews so far and different categories so far, a line wherever it goes up, with both ends. */
export function formatSaturationCsv({ points }: Pick<SaturationChart, "points">): string {
  const lines = points.map(({ review, count }) => formatCsvLine([review, count]));
  return [formatCsvLine(["reviews", "categories"]), ...lines].join("");
}
