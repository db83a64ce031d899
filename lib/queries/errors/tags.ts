import "server-only";

import { compareNames, compareText } from "@/lib/domain/compare-text";
import { type AnnotationStore, getAnnotationStore, mapForward, readCodebook } from "@/lib/annotations";
import type { Annotation } from "@/lib/domain/annotation";
import { StoreError } from "@/lib/domain/app-error";
import type { ErrorTag } from "@/lib/domain/trial";
import { computeWilsonInterval, type RateInterval, type Unavailable } from "@/lib/stats";

import { type IndexStore, readJobsWithoutDerivedDetails, readTagCounts } from "@/lib/store";

import { getJudged } from "../annotations/judged";
import type { JobCount } from "./page";
import type { ErrorsScope } from "./scope";

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
  /** Trials with at least one tag, of the chosen trials whose files were read. */
  readonly nTagged: number;
  readonly nRead: number;
  /** Trials of the chosen jobs whose files are still to be read, so that they are not counted. */
  readonly nToRead: number;
}

const LATELY = 5;

/** Reviewers' categories over the chosen trials. Costs as much as there are judgments, however many trials there are. */
export async function getReviewerTags(
  store: IndexStore,
  scope: ErrorsScope,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<ReviewerTags> {
  try {
    const [{ byJob }, codebook] = await Promise.all([
      getJudged(store, annotations),
      readCodebook(annotations),
    ]);
    // As they are called today, so that a renamed or merged one is one.
    const listToday = (annotation: Annotation) => mapForward(codebook, annotation).map(({ label }) => label);
    const reviewed = [...byJob.values()]
      .flatMap((trials) => [...trials.values()])
      .filter(({ state, jobRowId, groupKey }) => state === "finished" && scope.holds({ jobRowId, groupKey }))
      .map(({ jobRowId, judgments: { latest } }) => ({ jobRowId, latest }));
    const counted = reviewed.filter(({ latest }) => latest.some(({ judgment }) => judgment !== "pass"));
    const uses = counted.flatMap(({ jobRowId, latest }) => {
      const blamed = latest.filter(({ judgment }) => judgment !== "pass");
      const own = new Set(blamed.flatMap(listToday));
      return [...own].map((category) => ({ category, jobRowId, n: 1 }));
    });
    return {
      rows: countRows(uses, "human", counted.length, scope),
      nReviewed: reviewed.length,
      nFailedOrDeferred: counted.length,
      ...countGrowth(
        reviewed.flatMap(({ latest }) => latest),
        listToday,
      ),
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

/** Tags in the files of the chosen trials, mechanical and judged ones apart. */
export async function getFileTags(store: IndexStore, scope: ErrorsScope): Promise<FileTags> {
  const [counts, unread] = await Promise.all([readTagCounts(store), readJobsWithoutDerivedDetails(store)]);
  // Jobs whose files are not read yet are in no count and in no rate.
  const read = scope.totals.filter(({ jobRowId }) => !unread.has(jobRowId));
  const nRead = read.reduce((sum, { nFinished }) => sum + nFinished, 0);
  const own = counts.filter(
    (count) => count.nFinished > 0 && !unread.has(count.jobRowId) && scope.holds(count),
  );
  const jobRowIds = new Set(scope.totals.map(({ jobRowId }) => jobRowId));
  const sources: readonly ErrorTag["source"][] = ["mechanical", "judge", "human"];
  const rows = sources.flatMap((source) =>
    countRows(
      own.flatMap((count) =>
        count.source === source && count.category !== null
          ? { category: count.category, jobRowId: count.jobRowId, n: count.nFinished }
          : [],
      ),
      source,
      nRead,
      scope,
    ),
  );
  const tagged = own.filter(({ category }) => category === null);
  return {
    rows,
    nTagged: tagged.reduce((sum, { nFinished }) => sum + nFinished, 0),
    nRead,
    nToRead: [...jobRowIds].reduce((sum, id) => sum + (unread.get(id) ?? 0), 0),
  };
}

interface Use {
  readonly category: string;
  readonly jobRowId: number;
  /** Trials. */
  readonly n: number;
}

function countRows(
  uses: readonly Use[],
  source: ErrorTag["source"],
  nChecked: number,
  { jobById }: ErrorsScope,
): readonly TagRow[] {
  const sum = (some: readonly Use[]) => some.reduce((total, { n }) => total + n, 0);
  return [...Map.groupBy(uses, ({ category }) => category)]
    .map(([category, own]) => ({
      category,
      source,
      nTrials: sum(own),
      rate: computeWilsonInterval(sum(own), nChecked),
      jobs: [...Map.groupBy(own, ({ jobRowId }) => jobRowId)].flatMap(([jobRowId, same]) => {
        const job = jobById.get(jobRowId);
        return job === undefined ? [] : [{ jobKey: job.key, jobName: job.name, count: sum(same) }];
      }),
    }))
    .toSorted((a, b) => b.nTrials - a.nTrials || compareNames(a.category, b.category));
}

/** How many categories nobody had used before the last few judgments. */
function countGrowth(
  annotations: readonly Annotation[],
  listToday: (annotation: Annotation) => readonly string[],
): Pick<ReviewerTags, "nNewLately" | "nLately"> {
  const inOrder = annotations.toSorted((a, b) => compareText(a.timestamp, b.timestamp));
  const lately = inOrder.slice(-LATELY);
  const before = new Set(inOrder.slice(0, -LATELY).flatMap(listToday));
  const fresh = new Set(lately.flatMap(listToday).filter((category) => !before.has(category)));
  return { nNewLately: fresh.size, nLately: lately.length };
}
