import type { JobRecord } from "@/lib/core/domain/job";

export interface Sided {
  readonly runs: readonly {
    readonly job: Pick<JobRecord, "key" | "time" | "firstTrialStart">;
    readonly group: { readonly agent: string; readonly model: string | null };
  }[];
}

/** Indices of a candidate `a` and its baseline `b`. Every difference is candidate minus baseline. */
export interface Sides {
  readonly a: number;
  readonly b: number;
}

/**
 * Orders groups by the start of their first run, so that the oldest is the baseline; undated ones come last. A job without a start
 * uses its first trial's.
 */
export function orderByStart<Group extends Sided>(groups: readonly Group[]): readonly Group[] {
  const starts = new Map(groups.map((group) => [group, findStart(group)]));
  const startOf = (group: Group) => starts.get(group) ?? Infinity;
  return groups.toSorted((a, b) => (startOf(a) === startOf(b) ? 0 : startOf(a) - startOf(b)));
}

export function findStart({ runs }: Sided): number {
  return Math.min(
    ...runs.map(
      ({ job: { time, firstTrialStart } }) => (time.startedAt ?? firstTrialStart)?.epochMs ?? Infinity,
    ),
  );
}

export function listSides(nGroups: number): readonly Sides[] {
  return Array.from({ length: Math.max(0, nGroups - 1) }, (_, index) => ({ a: index + 1, b: 0 }));
}

/**
 * Compares each group with the first of the same agent and model, or of the same agent where its model has no other run. With one
 * agent, or without an agent in several jobs, it is {@link listSides}.
 * @param groups - in the order of {@link orderByStart}
 */
export function listSidesByAgent(groups: readonly Sided[]): readonly Sides[] {
  const places = [...groups.keys()];
  const readAgent = (at: number) => groups[at]?.runs[0]?.group.agent ?? "";
  const readModel = (at: number) => groups[at]?.runs[0]?.group.model ?? null;
  const readJobs = (at: number) => groups[at]?.runs.map(({ job }) => job.key) ?? [];
  const sides = places.flatMap((a): Sides[] => {
    const before = places.filter(
      (b) => b < a && readAgent(b) === readAgent(a) && !readJobs(b).some((key) => readJobs(a).includes(key)),
    );
    const b = before.find((at) => readModel(at) === readModel(a)) ?? before[0];
    return b === undefined ? [] : [{ a, b }];
  });
  return new Set(places.map(readAgent)).size < 2 || sides.length === 0 ? listSides(groups.length) : sides;
}
