import { withBounds } from "./interval-strip";
import { type PlaneChart, preparePlane } from "./plane-chart";
import { selectSpendingUnit } from "./spending-chart";

export const ATTEMPT_SPENT = ["cost", "time"] as const;
export const ATTEMPT_HEIGHTS = ["steps", "reward"] as const;

export type AttemptSpent = (typeof ATTEMPT_SPENT)[number];
export type AttemptHeight = (typeof ATTEMPT_HEIGHTS)[number];

interface AttemptPoint {
  readonly id: string;
  readonly identity: number;
  /** US dollars or milliseconds. */
  readonly spent: number;
  readonly height: number;
  readonly isPassed: boolean;
  readonly title: string;
}

/** Draws steps or reward of each attempt against its cost or time, both from 0. Failed attempts are outlines. */
export function prepareAttemptChart(
  points: readonly AttemptPoint[],
  spent: AttemptSpent,
  height: AttemptHeight,
): PlaneChart {
  const unit = selectSpendingUnit(spent, Math.max(0, ...points.map((point) => point.spent)));
  const nPassed = points.filter(({ isPassed }) => isPassed).length;
  return preparePlane(
    points.map(({ id, identity, title, ...point }) => ({
      // Names are below the drawing: those of many attempts would hide one another.
      group: { id, label: title, identity, ...(point.isPassed ? {} : { variant: 1 }) },
      name: "",
      x: withBounds(point.spent / unit.size),
      y: withBounds(point.height),
      isFaint: false,
      title,
    })),
    [],
    {
      title: `${height === "steps" ? "Steps" : "Reward"} against ${spent}`,
      xTitle: `${spent} of the attempt, ${unit.word}`,
      summary: `${height === "steps" ? "Steps" : "Reward"} against ${spent} of ${points.length} attempts, ${nPassed} of them passed`,
    },
  );
}
