import "server-only";

import { getAnnotationStore, judgmentsByTrial, listAll, type TrialJudgments } from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";
import type { JudgmentFilter } from "@/lib/domain/job-filter";
import type { TrialRecord } from "@/lib/domain/trial";
import { type IndexStore, type JobHead, readTrialMarks } from "@/lib/store";

/** Reviewers' judgments by trial key; null when the store cannot be read, which is not "nobody reviewed". */
export type Reviews = ReadonlyMap<string, TrialJudgments> | null;

/** What a trial's judgments are found by. */
export type ReviewedTrial = Pick<TrialRecord, "key" | "id" | "jobId" | "trialName" | "outcome">;

/** What reviewers did on the attempts at a task. */
export interface TaskReviews {
  readonly nReviewed: number;
  readonly nDisagree: number;
}

/** Every judged trial of a job: the judgments by trial key, and counts by task. */
export interface JobReviews {
  readonly byTrial: ReadonlyMap<string, TrialJudgments>;
  readonly byTask: ReadonlyMap<string, TaskReviews>;
}

/** The judgments of some trials of a job. */
export function readReviews(entry: JobHead, trials: readonly ReviewedTrial[]): Promise<Reviews> {
  return orNull(() => judgmentsByTrial(getAnnotationStore(), { job: entry.job, trials }));
}

/** The judged trials of a job, found by what was ever judged, which is little beside all trials; null as in {@link Reviews}. */
export function readJobReviews(store: IndexStore, entry: JobHead): Promise<JobReviews | null> {
  return orNull(async () => {
    const annotations = getAnnotationStore();
    const judged = await listAll(annotations);
    const names = [...new Set(judged.map(({ subject }) => subject.trialName))];
    const trials = await readTrialMarks(store, entry.id, names);
    const byTrial = await judgmentsByTrial(annotations, { job: entry.job, trials });
    const reviewed = trials.filter(({ key }) => byTrial.has(key));
    const tasks = [...Map.groupBy(reviewed, ({ taskName }) => taskName)];
    return {
      byTrial,
      byTask: new Map(tasks.map(([task, attempts]) => [task, countReviews(attempts, byTrial)])),
    };
  });
}

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** How many of some attempts were judged, and against the verifier. */
export function countReviews(
  attempts: readonly { readonly key: string }[],
  reviews: ReadonlyMap<string, TrialJudgments>,
): TaskReviews {
  const found = attempts.flatMap(({ key }) => reviews.get(key) ?? []);
  return { nReviewed: found.length, nDisagree: found.filter((one) => one.disagrees).length };
}

/** Keys that a filter leaves: those in `only`, or all but those in `except`. */
export interface KeySelection {
  readonly only: ReadonlySet<string> | null;
  readonly except: ReadonlySet<string>;
}

const ALL: KeySelection = { only: null, except: new Set() };

/** The trials whose judgments fit any of the chosen filters; no trial when the judgments cannot be read. */
export function selectJudged(reviews: JobReviews | null, wanted: readonly JudgmentFilter[]): KeySelection {
  if (wanted.length === 0) return ALL;
  return select(reviews?.byTrial ?? null, wanted, ({ judgment, disagrees }, filter) => {
    if (filter === "any") return true;
    return filter === "disagrees" ? disagrees : judgment === filter;
  });
}

/** The tasks that fit: for a task `none` means that no attempt was judged, anything else that some attempt was. */
export function selectJudgedTasks(
  reviews: JobReviews | null,
  wanted: readonly JudgmentFilter[],
): KeySelection {
  if (wanted.length === 0) return ALL;
  return select(reviews?.byTask ?? null, wanted, ({ nDisagree }, filter) =>
    filter === "disagrees" ? nDisagree > 0 : true,
  );
}

function select<Value>(
  judged: ReadonlyMap<string, Value> | null,
  wanted: readonly JudgmentFilter[],
  fits: (value: Value, filter: JudgmentFilter) => boolean,
): KeySelection {
  if (judged === null) return { only: new Set(), except: new Set() };
  const filters = wanted.filter((filter) => filter !== "none");
  const isFit = (value: Value) => filters.some((filter) => fits(value, filter));
  const keysOf = (keep: (value: Value) => boolean) =>
    new Set([...judged].flatMap(([key, value]) => (keep(value) ? [key] : [])));
  return wanted.includes("none")
    ? { only: null, except: keysOf((value) => !isFit(value)) }
    : { only: keysOf(isFit), except: new Set() };
}
