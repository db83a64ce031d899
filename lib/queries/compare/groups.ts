import "server-only";

import { assignVariants, nameGroups, type ChartGroup } from "@/lib/charts/chart-group";
import { compareNames } from "@/lib/domain/compare-text";
import { sumBy } from "@/lib/domain/sum-by";
import { formatSetupValue } from "@/lib/format/agent-settings";
import { groupRef } from "@/lib/addresses/href";
import type { TaskValues } from "@/lib/stats";
import { type GroupSummary, type IndexStore, type JobHead, readHeads, readJobIds } from "@/lib/store";

import { type GroupContent, readGroupContent, type ComparedTrial } from "./trials";

/** An evals group of some job, found by its reference in the address, which is its `id`. */
export interface FoundGroup extends ChartGroup {
  readonly job: JobHead;
  readonly group: GroupSummary["group"];
  readonly summary: GroupSummary;
  /** Group whose recorded figures speak for it: itself, or the whole of which it is a part. */
  readonly figureKey: string;
}

/** An evals group that was chosen for comparison, with its trials. */
export interface ChosenGroup extends FoundGroup, GroupContent {}

/** Longer references are not made here; each colon in one may be the end of a job's key. */
const MOST_COLONS = 20;

function listJobKeys(ref: string): string[] {
  const parts = ref.split(":").slice(0, MOST_COLONS + 1);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join(":"));
}

/** Finds groups by reference. References that name nothing are given back apart. */
export async function findGroups(
  store: IndexStore,
  refs: readonly string[],
  identityOf: (agent: string, model: string | null) => number,
): Promise<{ readonly chosen: readonly FoundGroup[]; readonly unknown: readonly string[] }> {
  const jobs = await readHeads(store, await readJobIds(store, refs.flatMap(listJobKeys)));
  const found = new Map(
    jobs.flatMap((job) =>
      listGroups(job).map(
        (group) => [groupRef(job.key, group.summary.group.key), { job, ...group }] as const,
      ),
    ),
  );
  const hits = refs.flatMap((id) => {
    const hit = found.get(id);
    return hit === undefined ? [] : [{ id, ...hit, group: hit.summary.group }];
  });
  const identities = hits.map(({ group }) => identityOf(group.agent, group.model));
  const variants = assignVariants(identities);
  const labels = nameGroups(
    hits.map(({ job, group, summary }) => ({
      agent: group.agent,
      model: group.model,
      job: job.name,
      key: group.key,
      setup: (summary.setup ?? []).map(formatSetupValue).join(", "),
    })),
  );
  const chosen = hits.map((hit, index) => ({
    ...hit,
    label: labels[index] ?? hit.id,
    identity: identities[index] ?? 0,
    variant: variants[index] ?? 0,
  }));
  return { chosen, unknown: refs.filter((ref) => !found.has(ref)) };
}

/** Parts come after whole groups, so that a key that looks like one names the group. */
function listGroups({ groups }: JobHead) {
  const whole = groups.map((summary) => ({ summary, figureKey: summary.group.key }));
  const names = new Set(whole.map(({ figureKey }) => figureKey));
  const parts = groups.flatMap(({ group, setups }) =>
    (setups?.parts ?? []).map(({ summary }) => ({ summary, figureKey: group.key })),
  );
  return [...whole, ...parts.filter(({ summary }) => !names.has(summary.group.key))];
}

/** The groups with their trials. */
export async function readChosenGroups(
  store: IndexStore,
  groups: readonly FoundGroup[],
): Promise<readonly ChosenGroup[]> {
  return Promise.all(
    groups.map(async (group) => ({
      ...group,
      ...(await readGroupContent(store, group.job, group.group.key, group.figureKey)),
    })),
  );
}

/** A reward key and how many trials carry it, most frequent first. */
export interface RewardKey {
  readonly key: string;
  readonly count: number;
}

/** Reward keys over all chosen groups: `reward` first when it is there, else by frequency and name. */
export function listRewardKeys(groups: readonly ChosenGroup[]): readonly RewardKey[] {
  const keys = groups.flatMap(({ trials }) => trials.flatMap(({ rewards }) => [...(rewards?.keys() ?? [])]));
  const rank = (entry: RewardKey) => (entry.key === "reward" ? Infinity : entry.count);
  return Array.from(
    sumBy(keys, (key) => key),
    ([key, count]) => ({ key, count }),
  ).sort((a, b) => (rank(a) === rank(b) ? compareNames(a.key, b.key) : rank(b) - rank(a)));
}

/** A trial's reward at a key; null when it has none there, which is not 0. */
export function readRewardAt(trial: ComparedTrial, key: string): number | null {
  const value = trial.rewards?.get(key);
  return value === undefined ? null : Number(value);
}

/** The group's trials by task, in order of first appearance and attempts in order. */
export function groupByTask(trials: readonly ComparedTrial[]): ReadonlyMap<string, readonly ComparedTrial[]> {
  return Map.groupBy(trials, (trial) => trial.taskName);
}

/** Rewards at a key by task, of trials with a readable result as in Harbor's figures; null for a missing one. */
export function listTaskValues(trials: readonly ComparedTrial[], key: string): readonly TaskValues[] {
  const finished = trials.filter((trial) => trial.state === "finished");
  return [...groupByTask(finished)].map(([task, attempts]) => ({
    task,
    values: attempts.map((trial) => readRewardAt(trial, key)),
  }));
}

/** pass@k as the job's result.json states it for a group; empty when it states none. */
export function readRecordedPassAtK({ summary }: ChosenGroup): ReadonlyMap<number, number> {
  const values = [...(summary.recordedPassAtK ?? [])].map(
    ([k, value]) => [Number(k), Number(value)] as const,
  );
  return new Map(values.filter(([k, value]) => Number.isInteger(k) && Number.isFinite(value)));
}
