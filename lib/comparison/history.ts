import { compareText } from "@/lib/domain/compare-text";

import type { ComparabilityCheck } from "./comparability-check";
import type { Leaderboard, LeaderboardRow } from "./leaderboard";
import { checkRuns } from "./run-checks";
import type { NamedRuns } from "./run";

/** What is not as in the run before it of the same agent and model. */
export interface HistoryChange {
  /** Label of the run before. */
  readonly since: string;
  /** Empty where no check finds a difference. */
  readonly differs: readonly ComparabilityCheck[];
  /** Names of what is the same in both, as far as files state it, and of what a file does not state. */
  readonly same: readonly string[];
  readonly unknown: readonly string[];
}

/** One group or run set of a dataset at its time. */
export interface HistoryPoint {
  readonly row: LeaderboardRow;
  /** Names the agent and model, or all those of a set that mixes them. */
  readonly series: string;
  /** Start of its newest run, in milliseconds since 1970; null where a run states none, or none with a zone. */
  readonly startMs: number | null;
  /** Null for the first of its agent and model, and without a known start. */
  readonly change: HistoryChange | null;
}

/**
 * The rows of a leaderboard in the order of time, with what changed from one to the next of the same agent and model. Figures are
 * those of the leaderboard.
 *
 * @param groups - those that the board was computed from
 * @param starts - of each group the start of its newest run; null where it is not known
 * @returns dated ones first, oldest first, equal times by label; then those without a known start, by label
 */
export function computeHistory(
  groups: readonly NamedRuns[],
  { rows }: Pick<Leaderboard, "rows">,
  starts: readonly (number | null)[],
): readonly HistoryPoint[] {
  const dated = rows
    .map((row) => ({ row, series: nameSeries(row), startMs: starts[row.at] ?? null }))
    .toSorted((a, b) => compareStarts(a.startMs, b.startMs) || compareText(a.row.label, b.row.label));
  const last = new Map<string, NamedRuns>();
  return dated.map((point): HistoryPoint => {
    const group = groups[point.row.at];
    const before = last.get(point.series);
    if (point.startMs === null || group === undefined) return { ...point, change: null };
    last.set(point.series, group);
    const change = before === undefined ? null : { since: before.label, ...findChanges(before, group) };
    return { ...point, change };
  });
}

/** Unknown ones come last. */
function compareStarts(a: number | null, b: number | null): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return a - b;
}

function nameSeries({ runs }: LeaderboardRow): string {
  const names = runs.map(({ agent, model }) => (model === null ? agent : `${agent} ${model}`));
  return [...new Set(names)].toSorted().join(", ");
}

/**
 * What differs between two groups by the checks that a run set has to pass, see {@link checkRuns}. What both mix alike is no
 * change; what no file states is none either, and not the same.
 */
function findChanges(before: NamedRuns, after: NamedRuns): Omit<HistoryChange, "since"> {
  const [first, ...others] = before.runs;
  const both: NamedRuns = {
    ...after,
    runs: [first, ...others, ...after.runs],
    contents: [...before.contents, ...after.contents],
  };
  const [inBefore, inAfter] = [before, after].map(
    (group) => new Map(checkRuns(group).map(({ name, detail }) => [name, detail])),
  );
  const checks = checkRuns(both);
  const differs = checks.filter(
    ({ name, state, detail }) =>
      state === "differs" && (inBefore?.get(name) !== detail || inAfter?.get(name) !== detail),
  );
  const namesOf = (list: typeof checks) => list.map(({ name }) => name);
  return {
    differs,
    same: namesOf(checks.filter((check) => check.state !== "unknown" && !differs.includes(check))),
    unknown: namesOf(checks.filter(({ state }) => state === "unknown")),
  };
}
