import "server-only";

import { getAnnotationStore, judgmentsByTrial } from "@/lib/annotations";
import type { AnnotationStore } from "@/lib/annotations";
import type { Annotation } from "@/lib/domain/annotation";
import { StoreError } from "@/lib/domain/app-error";
import type { ErrorTag } from "@/lib/domain/trial";
import { computeWilsonInterval } from "@/lib/stats";
import type { RateInterval, Unavailable } from "@/lib/stats";

import { getErrorsScope } from "./errors-page";
import type { ErrorsFilter, ErrorsScope, JobCount, ScopedTrial } from "./errors-page";
import { getFindings } from "./job-page-findings";

/** One category of one source; a trial counts once. */
export interface TagRow {
  readonly category: string;
  readonly source: ErrorTag["source"];
  readonly nTrials: number;
  /** Out of the trials this source has looked at, see the list that holds the row. */
  readonly rate: RateInterval | Unavailable;
  readonly jobs: readonly JobCount[];
}

/** Categories that reviewers gave, over the trials that somebody judged fail or defer. */
export interface ReviewerTags {
  readonly rows: readonly TagRow[];
  readonly nReviewed: number;
  readonly nFailedOrDeferred: number;
  /** Categories that first appeared in the last reviews, and how many reviews these are: whether the list still grows. */
  readonly nNewLately: number;
  readonly nLately: number;
  /** Why the annotations cannot be read; null when they can. */
  readonly problem: string | null;
}

/** Tags that verifiers and judges left in the trials' files. */
export interface FileTags {
  readonly rows: readonly TagRow[];
  /** Trials with at least one tag, and trials looked at. */
  readonly nTagged: number;
  readonly nRead: number;
  /** True when the choice is too large to read every trial's files for one page; `rows` is then empty. */
  readonly isTooMany: boolean;
}

/** Beyond this many trials the page asks for a choice of jobs before it reads their files. */
const MOST_TAG_TRIALS = 5_000;

const LATELY = 5;

/** Reviewers' categories over the chosen trials. */
export async function getReviewerTags(filter: ErrorsFilter): Promise<ReviewerTags> {
  return readReviewerTags(await getErrorsScope(filter), getAnnotationStore());
}

/** Reviewers' categories over the trials of a scope. */
export async function readReviewerTags(scope: ErrorsScope, store: AnnotationStore): Promise<ReviewerTags> {
  try {
    const byEntry = Map.groupBy(scope.trials, ({ entry }) => entry);
    const found = await Promise.all(
      [...byEntry].map(async ([entry, own]) => {
        const trials = own.map(({ trial }) => trial);
        const judgments = await judgmentsByTrial(store, { job: entry.job, trials });
        return own.flatMap((scoped) => {
          const latest = judgments.get(scoped.trial.key)?.latest;
          return latest === undefined ? [] : [{ scoped, latest }];
        });
      }),
    );
    const reviewed = found.flat();
    const counted = reviewed.filter(({ latest }) => latest.some(({ judgment }) => judgment !== "pass"));
    const tagged = counted.map(({ scoped, latest }) => ({
      scoped,
      categories: latest
        .filter(({ judgment }) => judgment !== "pass")
        .flatMap(({ categories }) => categories),
    }));
    return {
      rows: toRows(tagged, "human", counted.length),
      nReviewed: reviewed.length,
      nFailedOrDeferred: counted.length,
      ...countGrowth(reviewed.flatMap(({ latest }) => latest)),
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return {
      rows: [],
      nReviewed: 0,
      nFailedOrDeferred: 0,
      nNewLately: 0,
      nLately: 0,
      problem: error.message,
    };
  }
}

/** Tags in the files of the chosen trials, mechanical and judged ones apart. Reads those files on the first call. */
export async function getFileTags(filter: ErrorsFilter): Promise<FileTags> {
  const scope = await getErrorsScope(filter);
  const nRead = scope.trials.length;
  if (nRead > MOST_TAG_TRIALS) return { rows: [], nTagged: 0, nRead, isTooMany: true };
  const tagged: { scoped: ScopedTrial; tags: readonly ErrorTag[] }[] = [];
  for (const [entry, own] of Map.groupBy(scope.trials, (scoped) => scoped.entry)) {
    const findings = await getFindings(entry);
    for (const scoped of own) tagged.push({ scoped, tags: findings.get(scoped.trial.key)?.errorTags ?? [] });
  }
  const sources: readonly ErrorTag["source"][] = ["mechanical", "judge", "human"];
  const rows = sources.flatMap((source) =>
    toRows(
      tagged.map(({ scoped, tags }) => ({
        scoped,
        categories: tags.filter((tag) => tag.source === source).map(({ category }) => category),
      })),
      source,
      nRead,
    ),
  );
  return { rows, nTagged: tagged.filter(({ tags }) => tags.length > 0).length, nRead, isTooMany: false };
}

function toRows(
  tagged: readonly { readonly scoped: ScopedTrial; readonly categories: readonly string[] }[],
  source: ErrorTag["source"],
  nLooked: number,
): readonly TagRow[] {
  const uses = tagged.flatMap(({ scoped, categories }) =>
    [...new Set(categories)].map((category) => ({ category, scoped })),
  );
  return [...Map.groupBy(uses, ({ category }) => category)]
    .map(([category, own]) => ({
      category,
      source,
      nTrials: own.length,
      rate: computeWilsonInterval(own.length, nLooked),
      jobs: [...Map.groupBy(own, ({ scoped }) => scoped.entry)].map(([{ job }, same]) => ({
        jobKey: job.key,
        jobName: job.name,
        count: same.length,
      })),
    }))
    .toSorted((a, b) => b.nTrials - a.nTrials || a.category.localeCompare(b.category, "en"));
}

/** How many categories nobody had used before the last few judgments. */
function countGrowth(annotations: readonly Annotation[]): Pick<ReviewerTags, "nNewLately" | "nLately"> {
  const inOrder = annotations.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  const lately = inOrder.slice(-LATELY);
  const before = new Set(inOrder.slice(0, -LATELY).flatMap(({ categories }) => categories));
  const fresh = new Set(
    lately.flatMap(({ categories }) => categories).filter((category) => !before.has(category)),
  );
  return { nNewLately: fresh.size, nLately: lately.length };
}
