import {
  divideBySetup,
  listSettingDifferences,
  type SettingDifference,
  type SetupPart,
} from "@/lib/core/domain/agent-settings";
import type { JobEntry } from "@/lib/core/domain/catalog";
import type { Trial } from "@/lib/core/domain/trial";
import type { Figure, RecomputedGroup } from "@/lib/core/domain/verification";
import type { Summation } from "@/lib/core/scoring";
import { verifyJob } from "@/lib/core/verification";
import { computeShortHash } from "@/lib/read/loader";

interface SetupGroup {
  /** The group's key with a hash of the settings, so that it does not change when trials are added. */
  readonly key: string;
  readonly setup: readonly SetupPart[];
  /** Its verdict is that of the whole group, which alone has recorded figures. */
  readonly group: RecomputedGroup;
  /** Metrics and pass@k of these trials, without recorded values. */
  readonly figures: readonly Figure[];
  readonly trials: readonly Trial[];
}

export interface DividedGroup {
  readonly differences: readonly SettingDifference[];
  /** In the order of their settings; empty if there are too many to compare side by side. */
  readonly parts: readonly SetupGroup[];
}

export interface SetupPlace {
  readonly key: string;
  /** From 1, among the attempts at its task with these settings. */
  readonly attempt: number;
}

export interface DividedGroups {
  readonly byGroup: ReadonlyMap<string, DividedGroup>;
  readonly places: ReadonlyMap<string, SetupPlace>;
}

/** Groups with more settings than this are sweeps: they are marked but not divided. */
const MOST_PARTS = 24;

/** Divides the evals groups of a job by agent settings, which Harbor's group key leaves out. */
export function divideGroups(entry: JobEntry, summation: Summation): DividedGroups {
  const byGroup = new Map<string, DividedGroup>();
  const places = new Map<string, SetupPlace>();
  const groups = new Map(entry.report.groups.map((group) => [group.key, group]));
  for (const [key, trials] of Map.groupBy(entry.trials, ({ groupKey }) => groupKey)) {
    const differences = listSettingDifferences(trials);
    if (differences.length === 0) continue;
    const parts = divide(entry, groups.get(key), trials, differences, summation);
    byGroup.set(key, { differences, parts });
    for (const part of parts) placeTrials(part, places);
  }
  return { byGroup, places };
}

function divide(
  entry: JobEntry,
  whole: RecomputedGroup | undefined,
  trials: readonly Trial[],
  differences: readonly SettingDifference[],
  summation: Summation,
): readonly SetupGroup[] {
  if (whole === undefined) return [];
  const { key, verdict } = whole;
  const metricTypes = whole.metrics.map(({ type }) => type);
  const bySetup = divideBySetup(trials, differences);
  if (bySetup.length > MOST_PARTS) return [];
  return bySetup.flatMap(({ text, setup, trials: own }) => {
    // The same computation over fewer trials, without recorded values.
    const job = { ...entry.job, metricTypes, resultBytes: null, recorded: null, plan: null };
    const report = verifyJob({ job, trials: own, issues: [], recordedJudgments: [] }, summation);
    const group = report.groups.find((one) => one.key === key);
    if (group === undefined) return [];
    const partKey = `${key}#${computeShortHash(text)}`;
    return {
      key: partKey,
      setup,
      group: { ...group, key: partKey, verdict },
      figures: report.figures.filter(({ kind }) => kind === "metric" || kind === "pass-at-k"),
      trials: own,
    };
  });
}

function placeTrials({ key, trials }: SetupGroup, places: Map<string, SetupPlace>): void {
  for (const attempts of Map.groupBy(trials, ({ taskName }) => taskName).values()) {
    for (const [index, trial] of attempts.toSorted((a, b) => a.attempt - b.attempt).entries())
      places.set(trial.key, { key, attempt: index + 1 });
  }
}
