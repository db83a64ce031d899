import "server-only";

import type { JobEntry } from "@/lib/domain/catalog";
import type { ErrorTag } from "@/lib/domain/trial";

import { getFindings } from "./job-page-findings";
import { getTrialRows } from "./job-page-rows";

/** One exception type over the groups of a job. */
export interface ExceptionRow {
  readonly type: string;
  /** One per group of the job, in the job's order. */
  readonly counts: readonly number[];
  readonly nTrials: number;
  /** Of these, trials that have a reward all the same, and that passed. */
  readonly nWithReward: number;
  readonly nPassed: number;
  /** The first message that says anything; null when all are empty. */
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
export function listExceptions(entry: JobEntry): readonly ExceptionRow[] {
  const groupKeys = entry.report.groups.map((group) => group.key);
  const failed = getTrialRows(entry).all.filter(({ trial }) => trial.exception !== null);
  const rows = [...Map.groupBy(failed, ({ trial }) => trial.exception?.type ?? "")].map(([type, trials]) => ({
    type,
    counts: groupKeys.map((key) => trials.filter((row) => row.groupKey === key).length),
    nTrials: trials.length,
    nWithReward: trials.filter(({ trial }) => trial.rewards !== null).length,
    nPassed: trials.filter(({ trial }) => trial.outcome === "passed").length,
    message:
      trials.map(({ trial }) => trial.exception?.message ?? "").find((message) => message !== "") ?? null,
  }));
  return rows.toSorted((a, b) => b.nTrials - a.nTrials || (a.type < b.type ? -1 : 1));
}

/** Categories of error tags of a job, most frequent first; a trial counts once a category. */
export async function listTags(entry: JobEntry): Promise<readonly TagRow[]> {
  const findings = await getFindings(entry);
  const groupKeys = entry.report.groups.map((group) => group.key);
  const found = new Map<string, { sources: Set<ErrorTag["source"]>; groups: string[] }>();
  for (const { trial, groupKey } of getTrialRows(entry).all) {
    const tags = findings.get(trial.key)?.errorTags ?? [];
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
