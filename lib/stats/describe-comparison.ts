import type { PairedComparison } from "./paired-comparison";
import type { CurvePoint, CurveValue } from "./pass-curves";
import type { Unavailable, UnavailableReason } from "./unavailable";

const REASONS: Record<UnavailableReason, string> = {
  "no-tasks": "there is no task",
  "no-values": "no value is there",
  "one-task": "a single task shows no variation between tasks",
  "one-value": "a single value shows no variation",
  "no-variation": "nothing varies from task to task",
  "no-common-tasks": "they share no task",
  "no-task-with-enough-attempts": "no task has that many attempts",
  "no-known-values": "nothing was reported",
  "not-finite": "a reward is infinite",
  "undefined-figure": "it divides by zero",
  "several-attempts": "a task has several attempts",
  "not-two-raters": "it is for two reviewers",
  "no-double-labels": "nothing was judged twice",
  "too-few-labels": "too few judgments are there",
  "weights-needed": "judgments were drawn by the verifier's answer, and at what rate is not known",
  "uninformative-verifier": "the verifier hardly tells passes from failures",
  "out-of-reach": "no number would be enough",
  "too-few-attempts": "tasks have too few attempts",
  "too-few-tasks": "with fewer than six tasks no test can be certain",
  "few-pairs": "fewer than three trials state both",
  constant: "one of the two never changes",
};

/** A reason in words that complete "not shown, because". */
export function describeUnavailable(reason: UnavailableReason): string {
  return REASONS[reason];
}

function formatNumber(value: number, isRate: boolean): string {
  const text = isRate ? Math.abs(value * 100).toFixed(1) : Number(Math.abs(value).toPrecision(3)).toString();
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

function nameUnit(isRate: boolean): string {
  return isRate ? " points" : "";
}

/**
 * One sentence that says which of two groups is better, or that they cannot be told apart.
 *
 * @param names - what to call the first and the second group
 */
export function describeComparison(
  comparison: PairedComparison | Unavailable,
  names: { readonly first: string; readonly second: string; readonly measure: string },
): string {
  const both = `${names.first} and ${names.second}`;
  if (comparison.kind === "unavailable")
    return `${both} cannot be compared: ${describeUnavailable(comparison.reason)}.`;
  const { difference, isRate, bounds } = comparison;
  const size = `${formatNumber(Math.abs(difference), isRate)}${nameUnit(isRate)}`;
  switch (comparison.verdict) {
    case "first-better":
      return `${names.first} is better by ${size} on ${names.measure}.`;
    case "second-better":
      return `${names.second} is better by ${size} on ${names.measure}.`;
    case "not-distinguishable":
      return Math.abs(difference) < 1e-9
        ? `${both} are not distinguishable on ${names.measure}: no difference was seen.`
        : `${both} are not distinguishable on ${names.measure}: the difference of ${size} may be chance.`;
    case "no-interval": {
      const reason = bounds.kind === "unavailable" ? describeUnavailable(bounds.reason) : "";
      return `${names.first} minus ${names.second} is ${formatNumber(difference, isRate)}${nameUnit(isRate)} on ${names.measure}, without an interval: ${reason}.`;
    }
  }
}

/**
 * Whether the difference lies in reach (at least one of k passes) or in reliability (all of k pass), in one or two
 * sentences with both intervals.
 *
 * @param point - the largest k of a difference of two curves, first minus second
 */
export function describeReach(point: CurvePoint, comparison: PairedComparison): string {
  const reach = point.passAtK;
  const reliability = point.passHatK;
  const lead = describeLead(reach, reliability, comparison.verdict);
  const attempts = point.k === 1 ? "With 1 attempt" : `With ${String(point.k)} attempts`;
  if (point.k === 1) return `${attempts} a task, passing differs by ${describeDifference(reach)}.`;
  const text = `${attempts}, passing all of them differs by ${describeDifference(reliability)}; passing at least one by ${describeDifference(reach)}.`;
  return lead === null ? text : `${lead} ${text}`;
}

function describeDifference(value: CurveValue): string {
  const size = `${formatNumber(value.value, true)} points`;
  const { band } = value;
  if (band.kind === "unavailable") return `${size} (no interval: ${describeUnavailable(band.reason)})`;
  const range = `${size} [${formatNumber(band.low, true)}, ${formatNumber(band.high, true)}]`;
  return includesZero(value) ? `${range}, which does not rule out no difference` : range;
}

function includesZero(value: CurveValue): boolean {
  return value.band.kind === "unavailable" || (value.band.low <= 0 && value.band.high >= 0);
}

function describeLead(
  reach: CurveValue,
  reliability: CurveValue,
  verdict: PairedComparison["verdict"],
): string | null {
  if (verdict !== "first-better" && verdict !== "second-better") return null;
  const inReach = !includesZero(reach);
  const inReliability = !includesZero(reliability);
  if (inReach && inReliability) return "The lead is in reach and in reliability.";
  if (inReliability) return "The lead is in reliability; in reach none is certain.";
  if (inReach) return "The lead is in reach; in reliability none is certain.";
  return null;
}
