import { type CompareFigures, describeStand, listPairs, type NamedRuns } from "@/lib/core/comparison";

import { UsageError } from "./command-line";

export type Condition =
  | { readonly kind: "worse" }
  | { readonly kind: "not-better" }
  | {
      readonly kind: "figure";
      readonly figure: FigureName;
      readonly isBelow: boolean;
      readonly limit: number;
    };

/** Figures of a group against the baseline: difference of means, both ends of its interval, p. */
const FIGURES = ["difference", "low", "high", "p"] as const;
type FigureName = (typeof FIGURES)[number];

/** Parses `--fail-if`. @throws UsageError */
export function parseCondition(text: string): Condition {
  if (text === "worse" || text === "not-better") return { kind: text };
  const [, name = "", sign, number = ""] = /^\s*([a-z]+)\s*([<>])\s*(-?\d+(?:\.\d+)?)\s*$/u.exec(text) ?? [];
  const figure = FIGURES.find((one) => one === name);
  if (figure === undefined)
    throw new UsageError(
      `--fail-if takes worse, not-better, or one of ${FIGURES.join(", ")} with < or > and a number, such as "low<-0.02"; not "${text}".`,
    );
  return { kind: "figure", figure, isBelow: sign === "<", limit: Number(number) };
}

/** Returns a sentence for every pair that meets the condition. A value that cannot be computed never passes a condition on it. */
export function findFailures(
  groups: readonly NamedRuns[],
  figures: CompareFigures,
  condition: Condition,
): readonly string[] {
  return listPairs(groups, figures).flatMap((pair) => {
    const found = findFailure(pair, condition);
    return found === null ? [] : `${describeStand(pair, pair.comparison)}${found}`;
  });
}

/** Null if the condition does not hold. */
function findFailure(
  { comparison, words }: CompareFigures["pairs"][number],
  condition: Condition,
): string | null {
  // A pair that was not compared may be worse.
  if (words.verdict === "not compared") return "";
  if (condition.kind === "worse") return words.verdict === "worse" ? "" : null;
  if (condition.kind === "not-better") return words.verdict === "better" ? null : "";
  const { figure, isBelow, limit } = condition;
  const value = readFigure(comparison, figure);
  if (value === null) return `; there is no ${figure} to check`;
  const isFailure = isBelow ? value < limit : value > limit;
  return isFailure
    ? `; ${figure} is ${String(value)}, ${isBelow ? "below" : "above"} ${String(limit)}`
    : null;
}

function readFigure(
  comparison: CompareFigures["pairs"][number]["comparison"],
  figure: FigureName,
): number | null {
  if (comparison.kind === "unavailable") return null;
  if (figure === "difference") return comparison.difference;
  const { bounds } = comparison;
  return bounds.kind === "unavailable" ? null : bounds[figure];
}
