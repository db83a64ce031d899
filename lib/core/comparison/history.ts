import { compareText } from "@/lib/core/domain/compare-text";

import { checkRuns } from "./checks";
import type { Leaderboard, LeaderboardRow } from "./leaderboard";
import type { NamedRuns } from "./run";

export interface HistoryPoint {
  readonly row: LeaderboardRow;
  /** Names the agent and model, or all those of a set that mixes them. */
  readonly series: string;
  /** Start of its newest run, in ms since 1970; null without a recorded start in a known time zone. */
  readonly startMs: number | null;
  /** Null for the first run of its agent and model, and without a known start. */
  readonly change: ({ readonly since: string } & ReturnType<typeof findChanges>) | null;
}

/**
 * Orders the rows of a leaderboard by time, with the changes between consecutive runs of the same agent and model. Figures are
 * those of the leaderboard.
 * @param groups - the groups of the board
 * @param starts - start of each group's newest run; null where unknown
 * @returns dated rows first, oldest first, ties by label; then those without a known start, by label
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

function compareStarts(a: number | null, b: number | null): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return a - b;
}

function nameSeries({ runs }: LeaderboardRow): string {
  const names = runs.map(({ agent, model }) => (model === null ? agent : `${agent} ${model}`));
  return [...new Set(names)].toSorted().join(", ");
}

/**
 * Finds differences between two groups by the checks for run sets, see {@link checkRuns}. Settings that both mix alike are no
 * change. Unrecorded settings are neither a change nor equal.
 */
function findChanges(before: NamedRuns, after: NamedRuns) {
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
