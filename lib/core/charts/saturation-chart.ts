import { formatCsvLine } from "@/lib/core/format/csv";
import { formatPlural } from "@/lib/core/format/number";
import type { Saturation } from "@/lib/core/stats";

import { type PlaneChart, preparePlane } from "./plane-chart";
import type { Tick } from "./ticks";

/** With fewer reviews, all are recent. */
const FEWEST_REVIEWS = 20;

const MOST_CORNERS = 500;

export interface SaturationChart {
  readonly kind: "chart";
  readonly recent: string;
  readonly points: readonly { readonly review: number; readonly count: number }[];
  readonly plane: PlaneChart;
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
      reason: `The curve needs at least ${FEWEST_REVIEWS} reviews; there ${nReviews === 1 ? "is" : "are"} ${reviews === "0 reviews" ? "none" : reviews}.`,
    };
  if (nCategories === 0)
    return { kind: "unavailable", reason: `None of the ${reviews} has a category, so there is no curve.` };
  const steps = cumulative.flatMap((count, index) =>
    count === (cumulative[index - 1] ?? 0) ? [] : [{ review: index + 1, count }],
  );
  const stride = Math.ceil(steps.length / MOST_CORNERS);
  const kept = steps.filter((_, index) => index % stride === 0);
  const points = [{ review: 0, count: 0 }, ...kept, { review: nReviews, count: nCategories }];
  const recent = `${formatPlural(nNewInRecent, "new category", "new categories")} in the last ${formatPlural(nRecent, "review")}`;
  const corners = points.map(({ review, count }) => [review, count] as const);
  const plane = preparePlane([], [{ id: "categories", kind: "steps", group: { identity: 1 }, corners }], {
    title: "Different categories",
    xTitle: "reviews, in order",
    summary: `Distinct categories after each review: ${nCategories} after ${reviews}, ${recent}.`,
    formatX: (value) => value.toLocaleString("en-US"),
  });
  const isWhole = ({ value }: Tick) => Number.isInteger(value);
  return {
    kind: "chart",
    recent,
    points,
    plane: { ...plane, xTicks: plane.xTicks.filter(isWhole), yTicks: plane.yTicks.filter(isWhole) },
  };
}

/** Returns reviews so far and different categories so far as CSV: a line per increase, and both ends. */
export function formatSaturationCsv({ points }: Pick<SaturationChart, "points">): string {
  const lines = points.map(({ review, count }) => formatCsvLine([review, count]));
  return [formatCsvLine(["reviews", "categories"]), ...lines].join("");
}
