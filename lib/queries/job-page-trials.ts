import "server-only";

import type { TrialJudgments } from "@/lib/annotations";
import type { JobEntry } from "@/lib/domain/catalog";
import { JOB_PAGE_ROWS, type JobFilter, type NumberRange } from "@/lib/domain/job-filter";
import type { Outcome } from "@/lib/domain/trial";
import { dumpPythonJson } from "@/lib/scoring";

import { getFindings } from "./job-page-findings";
import { matchesJudgment, type Reviews, readReviews } from "./job-page-reviews";
import { getTrialRows, readReward, type TrialRow } from "./job-page-rows";
import { countValues, type FacetValue, paginate, sortByKey, type TablePage } from "./job-page-table";

/** One row of the trials tab. */
export interface TrialsRow extends TrialRow {
  /** The shown reward as Python writes it, and its double; null when the trial has none for the key. */
  readonly reward: { readonly text: string; readonly value: number } | null;
  readonly nRewardKeys: number;
  /** Why the verifier's own files say otherwise than the shown reward; null when they agree or say nothing. */
  readonly filesDiffer: string | null;
  readonly judgments: TrialJudgments | null;
}

/** The trials tab. */
export interface TrialsPanel extends TablePage<TrialsRow> {
  readonly nTrials: number;
  readonly outcomes: readonly FacetValue<Outcome>[];
  readonly exceptions: readonly FacetValue<string>[];
  readonly groups: readonly FacetValue<string>[];
  readonly rewardKeys: readonly FacetValue<string>[];
}

/** The trials of a job that fit the filter, sorted, one page of them. Facet counts are of trials over the whole job. */
export async function getTrialsPanel(entry: JobEntry, filter: JobFilter): Promise<TrialsPanel> {
  const { all } = getTrialRows(entry);
  const { rows, reviews } = await selectTrials(entry, filter);
  const page = paginate(rows, filter.page, JOB_PAGE_ROWS);
  const differing = listDiffering(entry);
  const shown =
    reviews ??
    (await readReviews(
      entry,
      page.rows.map((row) => row.trial),
    ));
  return {
    ...page,
    rows: page.rows.map((row) => toTrialsRow(row, filter.rewardKey, shown, differing)),
    nTrials: all.length,
    outcomes: countValues(all, ({ trial }) => [trial.outcome]),
    exceptions: countValues(all, ({ trial }) => (trial.exception === null ? [] : [trial.exception.type])),
    groups: countValues(all, (row) => [row.groupKey]),
    rewardKeys: countValues(all, ({ trial }) => [...(trial.rewards?.keys() ?? [])]),
  };
}

/** Every trial that fits the filter, sorted, with its judgments, for export. */
export async function listTrials(entry: JobEntry, filter: JobFilter): Promise<readonly TrialsRow[]> {
  const { rows } = await selectTrials(entry, filter);
  const reviews = await readReviews(
    entry,
    rows.map((row) => row.trial),
  );
  const differing = listDiffering(entry);
  return rows.map((row) => toTrialsRow(row, filter.rewardKey, reviews, differing));
}

/** Keys of the trials whose reward files contradict their result.json, with the reason. */
function listDiffering(entry: JobEntry): ReadonlyMap<string, string> {
  const figures = entry.report.figures.filter(
    ({ kind, verdict }) => kind === "reward-file" && verdict === "mismatch",
  );
  return new Map(
    figures.flatMap(({ trialKeys, reason }) => trialKeys.map((key) => [key, reason ?? "The files differ."])),
  );
}

function toTrialsRow(
  row: TrialRow,
  rewardKey: string | null,
  reviews: Reviews,
  differing: ReadonlyMap<string, string>,
): TrialsRow {
  const reward = readReward(row.trial, rewardKey);
  return {
    ...row,
    reward: reward === undefined ? null : { text: dumpPythonJson(reward), value: Number(reward) },
    nRewardKeys: row.trial.rewards?.size ?? 0,
    filesDiffer: differing.get(row.trial.key) ?? null,
    judgments: reviews?.get(row.trial.key) ?? null,
  };
}

interface Selection {
  readonly rows: readonly TrialRow[];
  /** Judgments of all trials when the filter needed them, else null. */
  readonly reviews: Reviews;
}

async function selectTrials(entry: JobEntry, filter: JobFilter): Promise<Selection> {
  const { all } = getTrialRows(entry);
  const reviews = filter.judgments.length > 0 ? await readReviews(entry, entry.trials) : null;
  const tagged = filter.tags.length > 0 ? await listTagged(entry, filter.tags) : null;
  const behind = filter.figure === null ? null : listBehind(entry, filter.figure);
  const text = filter.text.toLowerCase();
  const rows = all.filter(
    (row) =>
      (text === "" || row.haystack.includes(text)) &&
      (behind === null || behind.has(row.trial.key)) &&
      (tagged === null || tagged.has(row.trial.key)) &&
      matchesLists(row, filter) &&
      matchesRanges(row, filter) &&
      (filter.judgments.length === 0 ||
        (reviews !== null && matchesJudgment(reviews.get(row.trial.key), filter.judgments))),
  );
  return { rows: sortRows(rows, filter), reviews };
}

function listBehind(entry: JobEntry, path: string): ReadonlySet<string> {
  const figure = entry.report.figures.find((one) => one.path === path);
  return new Set(figure?.trialKeys);
}

async function listTagged(entry: JobEntry, tags: readonly string[]): Promise<ReadonlySet<string>> {
  const findings = await getFindings(entry);
  const keys = new Set<string>();
  for (const [key, { errorTags }] of findings) {
    if (errorTags.some((tag) => tags.includes(tag.category))) keys.add(key);
  }
  return keys;
}

function matchesLists({ trial, groupKey }: TrialRow, filter: JobFilter): boolean {
  const fits = (wanted: readonly string[], value: string) => wanted.length === 0 || wanted.includes(value);
  return (
    fits(filter.outcomes, trial.outcome) &&
    fits(filter.exceptions, trial.exception?.type ?? "") &&
    fits(filter.groups, groupKey) &&
    fits(filter.agents, trial.agent) &&
    fits(filter.tasks, trial.taskName)
  );
}

function matchesRanges(row: TrialRow, filter: JobFilter): boolean {
  const { reward, costUsd, durationMinutes } = filter;
  const value = isOpen(reward) ? null : readReward(row.trial, filter.rewardKey);
  return (
    isWithin(reward, value === undefined || value === null ? null : Number(value)) &&
    isWithin(costUsd, row.trial.tokens.costUsd) &&
    isWithin(durationMinutes, row.durationMs === null ? null : row.durationMs / 60_000)
  );
}

function isOpen({ min, max }: NumberRange): boolean {
  return min === null && max === null;
}

function isWithin(range: NumberRange, value: number | null): boolean {
  if (isOpen(range)) return true;
  return value !== null && value >= (range.min ?? -Infinity) && value <= (range.max ?? Infinity);
}

function sortRows(rows: readonly TrialRow[], filter: JobFilter): readonly TrialRow[] {
  const { trialSort, descending, rewardKey } = filter;
  return sortByKey(rows, (row) => SORT_KEYS[trialSort](row, rewardKey), descending);
}

/** What each sorting of the trials reads; null is unknown, and so is NaN. */
const SORT_KEYS: Readonly<
  Record<JobFilter["trialSort"], (row: TrialRow, rewardKey: string | null) => number | string | null>
> = {
  task: ({ trial, groupKey }) => `${trial.taskName}\n${groupKey}\n${String(trial.attempt).padStart(6, "0")}`,
  agent: (row) => row.groupKey,
  outcome: ({ trial }) => trial.outcome,
  exception: ({ trial }) => trial.exception?.type ?? null,
  reward: ({ trial }, rewardKey) => {
    const value = Number(readReward(trial, rewardKey) ?? NaN);
    return Number.isNaN(value) ? null : value;
  },
  cost: ({ trial }) => trial.tokens.costUsd,
  duration: (row) => row.durationMs,
  tokens: (row) => row.nTokens,
  started: ({ trial }) => trial.time.startedAt?.epochMs ?? null,
};
