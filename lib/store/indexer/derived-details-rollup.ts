import type { DimensionShare, TrialDerivedDetails } from "@/lib/core/domain/breakdown";
import type { RubricFit } from "@/lib/core/domain/rubric";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { computeCorrelations, computeDimensionSummary } from "@/lib/core/stats";
import { toColumnText } from "@/lib/store/database";
import {
  type DerivedDetailCounts,
  type DimensionCell,
  encodeValue,
  type JobRow,
  MOST_CORRELATED,
  type PlacedTrial,
  type StoredCorrelations,
} from "@/lib/store/tables";

type Trial = Pick<PlacedTrial, "groupKey"> & {
  readonly trial: Pick<PlacedTrial["trial"], "taskName" | "state">;
};

type TagTally = Omit<JobRow<"tags">, "position">;

export class DerivedDetailsRollup {
  private readonly dimensions = new DimensionRollup();
  private readonly tags = new Map<string, TagTally>();

  add(placed: Trial, { dimensions, errorTags }: TrialDerivedDetails, fit: RubricFit): void {
    this.dimensions.add(placed, dimensions, fit);
    if (errorTags.length === 0) return;
    const isFinished = placed.trial.state === "finished";
    // A trial counts once per tag.
    const tags = errorTags.flatMap(({ category, source }) => {
      const text = toColumnText(category);
      return [
        { category: text, source },
        { category: text, source: null },
      ];
    });
    const { groupKey } = placed;
    const named = [{ category: null, source: null }, ...tags].map((tag) => ({ groupKey, ...tag }));
    for (const [key, tag] of new Map(named.map((one) => [JSON.stringify(one), one]))) {
      const tally = this.tags.get(key) ?? { ...tag, nTrials: 0, nFinished: 0 };
      this.tags.set(key, tally);
      tally.nTrials++;
      if (isFinished) tally.nFinished++;
    }
  }

  close(): Pick<DerivedDetailCounts, "families" | "dimensions" | "tags"> {
    return {
      ...this.dimensions.close(),
      tags: [...this.tags.values()].map((tally, position) => ({ position, ...tally })),
    };
  }
}

type GroupValues = Map<string, Map<string, number[]>>;

interface Family {
  /** Shares by dimension, of finished trials only, as everywhere below. */
  readonly shares: Map<string, GroupValues>;
  readonly nFinished: Map<string, Map<string, number>>;
  readonly fits: Map<RubricFit, number>;
  /** Shares of the first dimensions per trial with a breakdown, for correlations. */
  readonly rows: { readonly groupKey: string; readonly shares: readonly (number | null)[] }[];
}

/** Above this number of groups, correlations cover all groups together only. */
const MOST_GROUPS = 8;

class DimensionRollup {
  private readonly families = new Map<string, Family>();

  add({ groupKey, trial }: Trial, dimensions: ReadonlyMap<string, DimensionShare>, fit: RubricFit): void {
    const family = this.open(findTaskFamily(trial.taskName));
    for (const name of dimensions.keys()) openMap(family.shares, name);
    if (trial.state !== "finished") return;
    family.fits.set(fit, (family.fits.get(fit) ?? 0) + 1);
    const tasks = openMap(family.nFinished, groupKey);
    tasks.set(trial.taskName, (tasks.get(trial.taskName) ?? 0) + 1);
    for (const [name, { share }] of dimensions) {
      if (share === null) continue;
      const byTask = openMap(openMap(family.shares, name), groupKey);
      const values = byTask.get(trial.taskName);
      if (values === undefined) byTask.set(trial.taskName, [share]);
      else values.push(share);
    }
    if (dimensions.size > 0) family.rows.push({ groupKey, shares: pickFirst(family, dimensions) });
  }

  close(): {
    readonly families: readonly JobRow<"families">[];
    readonly dimensions: readonly JobRow<"dimensions">[];
  } {
    const stated = [...this.families].filter(([, { shares }]) => shares.size > 0);
    const named = stated.flatMap(([family, { shares, nFinished }]) =>
      Array.from(shares, ([name, groups]) => ({
        family,
        name,
        cells: encodeValue(computeCells(groups, nFinished)),
      })),
    );
    return {
      families: stated.map(([name, family], position) => ({
        position,
        family: name,
        ...describeFamily(family),
      })),
      dimensions: named.map((row, position) => ({ position, ...row })),
    };
  }

  private open(name: string): Family {
    const known = this.families.get(name);
    if (known !== undefined) return known;
    const family: Family = { shares: new Map(), nFinished: new Map(), fits: new Map(), rows: [] };
    this.families.set(name, family);
    return family;
  }
}

function pickFirst({ shares }: Family, dimensions: ReadonlyMap<string, DimensionShare>): (number | null)[] {
  const first: (number | null)[] = [];
  for (const name of shares.keys()) {
    if (first.length === MOST_CORRELATED) break;
    first.push(dimensions.get(name)?.share ?? null);
  }
  return first;
}

function describeFamily(family: Family) {
  const { nFinished } = family;
  const tasks = new Set([...nFinished.values()].flatMap((byTask) => [...byTask.keys()]));
  const nTrials = new Map(Array.from(nFinished, ([groupKey, byTask]) => [groupKey, sum(byTask.values())]));
  return {
    nTasks: tasks.size,
    nTrials: sum(nTrials.values()),
    groups: encodeValue(nTrials),
    fits: encodeValue(family.fits),
    correlations: encodeValue(correlate(family)),
  };
}

/** Correlations over all groups, under the empty key, and of each group if there are several. */
function correlate({ shares, rows }: Family): Map<string, StoredCorrelations> {
  const nColumns = Math.min(shares.size, MOST_CORRELATED);
  const byGroup = Map.groupBy(rows, ({ groupKey }) => groupKey);
  const parts = [["", rows] as const, ...(byGroup.size > 1 && byGroup.size <= MOST_GROUPS ? byGroup : [])];
  return new Map(
    parts.map(([key, part]) => {
      const columns = Array.from({ length: nColumns }, (_, at) => part.map((row) => row.shares[at] ?? null));
      const { pairs } = computeCorrelations(columns);
      return [key, { r: pairs.map((pair) => pair.reason ?? pair.r), n: pairs.map(({ n }) => n) }];
    }),
  );
}

function computeCells(groups: GroupValues, nFinished: ReadonlyMap<string, ReadonlyMap<string, number>>) {
  const cells = new Map<string, DimensionCell>();
  for (const [groupKey, byTask] of groups) {
    const tasks = Array.from(nFinished.get(groupKey) ?? [], ([task, nTrials]) => {
      const shares = byTask.get(task) ?? [];
      return { task, values: [...shares, ...new Array<null>(nTrials - shares.length).fill(null)] };
    });
    const summary = computeDimensionSummary(tasks);
    if (summary.kind === "unavailable") continue;
    const { interval, counts, ends } = summary;
    const { mean, bounds, n, nMissing } = interval;
    cells.set(groupKey, {
      mean,
      bounds: bounds.kind === "computed" ? bounds : null,
      n,
      nMissing,
      counts,
      ends,
    });
  }
  return cells;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function openMap<K, A, B>(maps: Map<K, Map<A, B>>, key: K): Map<A, B> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<A, B>();
  maps.set(key, made);
  return made;
}
