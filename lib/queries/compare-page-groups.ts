import "server-only";

import { assignVariants, nameGroups, type ChartGroup } from "@/lib/charts/chart-group";
import type { CatalogSnapshot, JobEntry } from "@/lib/domain/catalog";
import type { TrialRecord } from "@/lib/domain/trial";
import type { RecomputedGroup } from "@/lib/domain/verification";
import { groupRef } from "@/lib/format/href";
import type { TaskValues } from "@/lib/stats";

/** An evals group of some job that was chosen for comparison. `id` is its reference in the address. */
export interface ChosenGroup extends ChartGroup {
  readonly entry: JobEntry;
  readonly group: RecomputedGroup;
  readonly trials: readonly TrialRecord[];
}

/** Finds groups by reference. References that name nothing are given back apart. */
export function findGroups(
  snapshot: CatalogSnapshot,
  refs: readonly string[],
  identityOf: (agent: string, model: string | null) => number,
): { readonly chosen: readonly ChosenGroup[]; readonly unknown: readonly string[] } {
  const wanted = new Set(refs);
  const found = new Map<string, { entry: JobEntry; group: RecomputedGroup }>();
  for (const entry of snapshot.jobs) {
    for (const group of entry.report.groups) {
      const ref = groupRef(entry.job.key, group.key);
      if (wanted.has(ref)) found.set(ref, { entry, group });
    }
  }
  const hits = refs.flatMap((ref) => {
    const hit = found.get(ref);
    return hit === undefined ? [] : [{ id: ref, ...hit }];
  });
  const identities = hits.map(({ group }) => identityOf(group.agent, group.model));
  const variants = assignVariants(identities);
  const labels = nameGroups(
    hits.map(({ entry, group }) => ({
      agent: group.agent,
      model: group.model,
      job: entry.job.name,
      key: group.key,
    })),
  );
  const chosen = hits.map((hit, index) => {
    const byKey = new Map(hit.entry.trials.map((trial) => [trial.key, trial]));
    return {
      ...hit,
      label: labels[index] ?? hit.id,
      identity: identities[index] ?? 0,
      variant: variants[index] ?? 0,
      trials: hit.group.trialKeys.flatMap((key) => byKey.get(key) ?? []),
    };
  });
  return { chosen, unknown: refs.filter((ref) => !found.has(ref)) };
}

/** A reward key and how many trials carry it, most frequent first. */
export interface RewardKey {
  readonly key: string;
  readonly count: number;
}

/** Reward keys over all chosen groups: `reward` first when it is there, else by frequency and name. */
export function listRewardKeys(groups: readonly ChosenGroup[]): readonly RewardKey[] {
  const counts = new Map<string, number>();
  for (const { trials } of groups) {
    for (const trial of trials) {
      for (const key of trial.rewards?.keys() ?? []) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const rank = (entry: RewardKey) => (entry.key === "reward" ? Infinity : entry.count);
  return [...counts]
    .map(([key, count]) => ({ key, count }))
    .sort((a, b) => (rank(a) === rank(b) ? a.key.localeCompare(b.key) : rank(b) - rank(a)));
}

/** A trial's reward at a key; null when it has none there, which is not 0. */
export function readRewardAt(trial: TrialRecord, key: string): number | null {
  const value = trial.rewards?.get(key);
  return value === undefined ? null : Number(value);
}

/** The group's trials by task, in order of first appearance and attempts in order. */
export function groupByTask(trials: readonly TrialRecord[]): ReadonlyMap<string, readonly TrialRecord[]> {
  return Map.groupBy(trials, (trial) => trial.taskName);
}

/**
 * Rewards of a group at a key by task. Only trials with a readable result count as attempts, as in Harbor's own figures;
 * those without a reward at the key are null.
 */
export function listTaskValues(trials: readonly TrialRecord[], key: string): readonly TaskValues[] {
  const finished = trials.filter((trial) => trial.state === "finished");
  return [...groupByTask(finished)].map(([task, attempts]) => ({
    task,
    values: attempts.map((trial) => readRewardAt(trial, key)),
  }));
}

/** pass@k as the job's result.json states it for a group; empty when it states none. */
export function readRecordedPassAtK({ entry, group }: ChosenGroup): ReadonlyMap<number, number> {
  const recorded = entry.job.recorded?.groups.find(({ key }) => key === group.key)?.passAtK;
  const values = [...(recorded ?? [])].map(([k, value]) => [Number(k), Number(value)] as const);
  return new Map(values.filter(([k, value]) => Number.isInteger(k) && Number.isFinite(value)));
}
