import { formatCount, formatReward, formatSize } from "@/lib/core/format/number";
import {
  computePairedComparison,
  computePassCurve,
  countSuccesses,
  type PassCurve,
  type TaskValues,
  type Unavailable,
} from "@/lib/core/stats";

import { limitResamples } from "./certainty";
import type { JoinedRuns } from "./run";
import { type ComparedTrial, groupByTask, listTaskValues } from "./trials";

interface JoinRow {
  readonly name: string;
  readonly each: string;
  readonly joined: string;
  readonly note?: string;
}

const RULE = { missing: "zero", threshold: 1 } as const;

export function describeJoin(
  joined: JoinedRuns,
  key: string,
  other: { readonly label: string; readonly trials: readonly ComparedTrial[] } | null,
): readonly JoinRow[] {
  const runs = joined.contents.map(({ trials }) => trials);
  const own = listTaskValues(joined.trials, key);
  const rows: JoinRow[] = [
    {
      name: "Attempts per task",
      each: describeRange(runs.flatMap(countAttempts)),
      joined: describeRange(countAttempts(joined.trials)),
    },
    {
      name: "Trials",
      each: describeRange(runs.map(({ length }) => length)),
      joined: formatCount(joined.trials.length),
    },
    ...describeCurves(own, findMost(runs.flatMap(countAttempts))),
    describeFlaky(runs, own),
  ];
  const detectable = other === null ? null : describeDetectable(joined, key, other);
  return detectable === null ? rows : [...rows, detectable];
}

function countAttempts(trials: readonly ComparedTrial[]): readonly number[] {
  const finished = trials.filter(({ state }) => state === "finished");
  return [...groupByTask(finished).values()].map(({ length }) => length);
}

function describeRange(values: readonly number[], write: (value: number) => string = formatCount): string {
  if (values.length === 0) return "none";
  // No spread: there may be thousands.
  const low = write(values.reduce((least, value) => Math.min(least, value), Infinity));
  const high = write(findMost(values));
  return low === high ? low : `${low} to ${high}`;
}

function findMost(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

function selectPoints(curve: PassCurve | Unavailable) {
  if (curve.kind === "unavailable") return [];
  return curve.points.filter(({ k }, at, all) => k <= 2 || at === all.length - 1);
}

function describeCurves(own: readonly TaskValues[], reach: number): readonly JoinRow[] {
  const curve = computePassCurve(countSuccesses(own, RULE), { resamples: limitResamples(own.length) });
  const points = selectPoints(curve);
  const ks = points.map(({ k }) => String(k)).join(", ");
  const each = reach < 1 ? "none" : reach === 1 ? "first only" : `up to ${reach}`;
  return (["passAtK", "passHatK"] as const).map((measure) => ({
    name: `${measure === "passAtK" ? "pass@" : "pass^"}${ks}`,
    each,
    joined: points.map((point) => formatReward(point[measure].value)).join("  "),
  }));
}

/** Tasks that pass sometimes, unknown for a task with a single attempt. */
function describeFlaky(runs: readonly (readonly ComparedTrial[])[], own: readonly TaskValues[]): JoinRow {
  const counts = countSuccesses(own, RULE).filter(({ n }) => n > 1);
  const nFlaky = counts.filter(({ n, c }) => c > 0 && c < n).length;
  const isKnown = runs.some((trials) => countAttempts(trials).some((n) => n > 1));
  return {
    name: "Flaky tasks",
    each: isKnown ? "in part" : "unknown",
    joined: counts.length === 0 ? "unknown" : `${formatCount(nFlaky)} of ${formatCount(counts.length)}`,
  };
}

function describeDetectable(
  { contents, trials }: JoinedRuns,
  key: string,
  other: { readonly label: string; readonly trials: readonly ComparedTrial[] },
): JoinRow | null {
  const against = listTaskValues(other.trials, key);
  const detect = (own: readonly ComparedTrial[]) => {
    const found = computePairedComparison(listTaskValues(own, key), against, {
      missing: RULE.missing,
      nComparisons: 1,
    });
    return found.kind === "computed" && found.detectable.kind === "computed"
      ? { size: found.detectable.difference, isRate: found.isRate }
      : null;
  };
  const joined = detect(trials);
  const each = contents.flatMap((content) => detect(content.trials) ?? []);
  if (joined === null && each.length === 0) return null;
  const isRate = joined?.isRate ?? true;
  const unit = isRate ? " points" : "";
  const write = (size: number) => formatSize(size, isRate);
  return {
    name: "Detectable difference",
    note: `Detectable: the smallest difference from ${other.label} that 80 of 100 such comparisons would show.`,
    each:
      each.length === 0
        ? "unknown"
        : `${describeRange(
            each.map(({ size }) => size),
            write,
          )}${unit}`,
    joined: joined === null ? "unknown" : `${write(joined.size)}${unit}`,
  };
}
