import "server-only";

import type { ErrorTag } from "@/lib/domain/trial";
import { type IndexStore, type JobHead, readExceptionCounts, readFirstMessages } from "@/lib/store";

import { getFindings } from "./job-page-findings";

/** One exception type over the groups of a job. */
export interface ExceptionRow {
  readonly type: string;
  /** One per group of the job, in the job's order. */
  readonly counts: readonly number[];
  readonly nTrials: number;
  /** Of these, trials that have a reward all the same, and that passed. */
  readonly nWithReward: number;
  readonly nPassed: number;
  /** The beginning of the first message that says anything; null when all are empty. */
  readonly message: string | null;
}

/** One category of error tags over the groups of a job. */
export interface TagRow {
  readonly category: string;
  readonly sources: readonly ErrorTag["source"][];
  readonly counts: readonly number[];
  readonly nTrials: number;
}

/** Exception types of a job, most frequent first. */
export async function listExceptions(store: IndexStore, entry: JobHead): Promise<readonly ExceptionRow[]> {
  const [counts, messages] = await Promise.all([
    readExceptionCounts(store, entry.id),
    readFirstMessages(store, entry.id),
  ]);
  const rows = [...Map.groupBy(counts, ({ type }) => type)].map(([type, parts]) => {
    const sum = (read: (part: (typeof parts)[number]) => number) =>
      parts.reduce((total, part) => total + read(part), 0);
    return {
      type,
      counts: entry.groups.map(
        ({ group }) => parts.find(({ groupKey }) => groupKey === group.key)?.nTrials ?? 0,
      ),
      nTrials: sum(({ nTrials }) => nTrials),
      nWithReward: sum(({ nWithReward }) => nWithReward),
      nPassed: sum(({ nPassed }) => nPassed),
      message: messages.get(type) ?? null,
    };
  });
  return rows.toSorted((a, b) => b.nTrials - a.nTrials || (a.type < b.type ? -1 : 1));
}

/** Categories of error tags of a job, most frequent first; a trial counts once a category. */
export async function listTags(store: IndexStore, entry: JobHead): Promise<readonly TagRow[]> {
  const groupKeys = entry.groups.map(({ group }) => group.key);
  const found = new Map<string, { sources: Set<ErrorTag["source"]>; groups: string[] }>();
  for (const { groupKey, findings } of await getFindings(store, entry)) {
    const tags = findings?.errorTags ?? [];
    for (const [category, same] of Map.groupBy(tags, (tag) => tag.category)) {
      const row = found.get(category) ?? { sources: new Set(), groups: [] };
      for (const tag of same) row.sources.add(tag.source);
      row.groups.push(groupKey);
      found.set(category, row);
    }
  }
  const rows = [...found].map(([category, { sources, groups }]) => ({
    category,
    sources: [...sources],
    counts: groupKeys.map((key) => groups.filter((group) => group === key).length),
    nTrials: groups.length,
  }));
  return rows.toSorted((a, b) => b.nTrials - a.nTrials || (a.category < b.category ? -1 : 1));
}
