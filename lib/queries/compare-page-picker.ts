import "server-only";

import type { JobEntry } from "@/lib/domain/catalog";
import { groupRef } from "@/lib/format/href";

import { getIdentityOf, getSnapshot } from "./catalog";
import { summariseGroups, type GroupSummary } from "./group-summary";

/** One group that can be chosen. */
export interface PickerRow extends GroupSummary {
  readonly ref: string;
  readonly identity: number;
  readonly chosen: boolean;
  /** Tasks that it shares with every chosen group; null while none is chosen. */
  readonly nCommon: number | null;
}

/** A job with the groups that can be chosen. */
export interface PickerJob {
  readonly entry: JobEntry;
  readonly rows: readonly PickerRow[];
}

/** The picker: jobs with groups that match, and how many there are without the filter. */
export interface ComparePicker {
  readonly jobs: readonly PickerJob[];
  readonly nGroups: number;
  readonly nShown: number;
}

/**
 * All groups that can be compared, newest job first.
 *
 * @param text - every word must occur in the job, agent, model, dataset or a task; chosen groups always stay
 */
export async function getComparePicker(refs: readonly string[], text: string): Promise<ComparePicker> {
  const [{ jobs }, identityOf] = await Promise.all([getSnapshot(), getIdentityOf()]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = jobs.map((entry) => ({
    entry,
    rows: summariseGroups(entry).map((summary) => ({
      ...summary,
      ref: groupRef(entry.job.key, summary.group.key),
    })),
  }));
  const chosenTasks = all
    .flatMap(({ rows }) => rows.filter(({ ref }) => refs.includes(ref)))
    .map(({ trials }) => new Set(trials.map((trial) => trial.taskName)));
  const shown = all.map(({ entry, rows }) => ({
    entry,
    rows: rows
      .filter((row) => refs.includes(row.ref) || matches(entry, row, words))
      .map((row) => ({
        ...row,
        identity: identityOf(row.group.agent, row.group.model),
        chosen: refs.includes(row.ref),
        nCommon: chosenTasks.length === 0 ? null : countCommon(row, chosenTasks),
      })),
  }));
  return {
    jobs: shown.filter(({ rows }) => rows.length > 0),
    nGroups: all.reduce((sum, { rows }) => sum + rows.length, 0),
    nShown: shown.reduce((sum, { rows }) => sum + rows.length, 0),
  };
}

function matches(entry: JobEntry, { group, trials }: GroupSummary, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const tasks = new Set(trials.map((trial) => trial.taskName));
  const haystack = [entry.job.name, group.agent, group.model ?? "", group.source ?? "", ...tasks]
    .join("\n")
    .toLowerCase();
  return words.every((word) => haystack.includes(word));
}

function countCommon({ trials }: GroupSummary, chosen: readonly ReadonlySet<string>[]): number {
  const tasks = new Set(trials.map((trial) => trial.taskName));
  return [...tasks].filter((task) => chosen.every((others) => others.has(task))).length;
}
