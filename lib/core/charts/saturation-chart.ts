import { formatCsvLine } from "@/lib/core/format/csv";
import { formatPlural } from "@/lib/core/format/number";
import type { Saturation } from "@/lib/core/stats";

import { placeOn, selectRoundValues, type Tick } from "./ticks";

/** With fewer reviews, all are recent. */
const FEWEST_REVIEWS = 20;

const MOST_CORNERS = 500;

export interface SaturationChart {
  readonly kind: "chart";
  readonly recent: string;
  readonly summary: string;
  /** From left to right, as shares of the plot's width and of its height from above. */
  readonly corners: readonly { readonly at: number; readonly top: number }[];
  readonly points: readonly { readonly review: number; readonly count: number }[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
}

interface NoSaturation {
  readonly kind: "unavailable";
  readonly reason: string;
}

/** Refuses fewer than 20 reviews, and reviews without any category. */
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

/** Returns reviews so far and different categories so far as CSV: a line per increase, and both ends. */
export function formatSaturationCsv({ points }: Pick<SaturationChart, "points">): string {
  const lines = points.map(({ review, count }) => formatCsvLine([review, count]));
  return [formatCsvLine(["reviews", "categories"]), ...lines].join("");
}
