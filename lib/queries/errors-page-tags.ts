import "server-only";

import { getAnnotationStore, judgmentsByTrial, listAll } from "@/lib/annotations";
import type { AnnotationStore } from "@/lib/annotations";
import type { Annotation } from "@/lib/domain/annotation";
import { StoreError } from "@/lib/domain/app-error";
import type { ErrorTag } from "@/lib/domain/trial";
import { computeWilsonInterval } from "@/lib/stats";
import type { RateInterval, Unavailable } from "@/lib/stats";

import { type IndexStore, type JobHead, readHeads, readTrialPlaces } from "@/lib/store";

import { getStore } from "./catalog";
import { getErrorsScope } from "./errors-page";
import type { ErrorsFilter, ErrorsScope, JobCount } from "./errors-page";
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
  const [store, scope] = await Promise.all([getStore(), getErrorsScope(filter)]);
  return readReviewerTags(store, scope, getAnnotationStore());
}

/** Reviewers' categories over the trials of a scope. Costs as much as there are judgments, however many trials there are. */
export async function readReviewerTags(
  store: IndexStore,
  scope: ErrorsScope,
  annotations: AnnotationStore,
): Promise<ReviewerTags> {
  try {
    const reviewed = await listReviewed(store, scope, annotations);
    const counted = reviewed.filter(({ latest }) => latest.some(({ judgment }) => judgment !== "pass"));
    const tagged = counted.map(({ jobId, latest }) => ({
      jobId,
      categories: latest
        .filter(({ judgment }) => judgment !== "pass")
        .flatMap(({ categories }) => categories),
    }));
    return {
      rows: toRows(tagged, "human", counted.length, scope),
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

interface ReviewedTrial {
  readonly jobId: number;
  readonly latest: readonly Annotation[];
}

async function listReviewed(
  store: IndexStore,
  scope: ErrorsScope,
  annotations: AnnotationStore,
): Promise<readonly ReviewedTrial[]> {
  const names = new Set((await listAll(annotations)).map(({ subject }) => subject.trialName));
  if (names.size === 0) return [];
  const places = (await readTrialPlaces(store, names)).filter(
    ({ state, headId, groupKey }) => state === "finished" && scope.holds({ jobId: headId, groupKey }),
  );
  const found = await Promise.all(
    [...Map.groupBy(places, ({ headId }) => headId)].map(async ([jobId, trials]) => {
      const name = trials[0]?.jobName ?? "";
      const judgments = await judgmentsByTrial(annotations, { job: { id: null, name }, trials });
      return [...judgments.values()].map(({ latest }) => ({ jobId, latest }));
    }),
  );
  return found.flat();
}

/** Tags in the files of the chosen trials, mechanical and judged ones apart. Reads those files on the first call. */
export async function getFileTags(filter: ErrorsFilter): Promise<FileTags> {
  const [store, scope] = await Promise.all([getStore(), getErrorsScope(filter)]);
  return readFileTags(store, scope);
}

/** Tags in the files of a scope's trials; none are read when there are more than {@link MOST_TAG_TRIALS}. */
export async function readFileTags(store: IndexStore, scope: ErrorsScope): Promise<FileTags> {
  const nRead = scope.nTrials;
  if (nRead > MOST_TAG_TRIALS) return { rows: [], nTagged: 0, nRead, isTooMany: true };
  const tagged: { jobId: number; tags: readonly ErrorTag[] }[] = [];
  const jobIds = [...new Set(scope.totals.map(({ jobId }) => jobId))];
  for (const entry of await readHeads(store, jobIds)) {
    for (const { groupKey, tags } of await readJobTags(store, entry)) {
      if (scope.holds({ jobId: entry.id, groupKey })) tagged.push({ jobId: entry.id, tags });
    }
  }
  const sources: readonly ErrorTag["source"][] = ["mechanical", "judge", "human"];
  const rows = sources.flatMap((source) =>
    toRows(
      tagged.map(({ jobId, tags }) => ({
        jobId,
        categories: tags.filter((tag) => tag.source === source).map(({ category }) => category),
      })),
      source,
      nRead,
      scope,
    ),
  );
  return { rows, nTagged: tagged.length, nRead, isTooMany: false };
}

interface TaggedTrial {
  readonly groupKey: string;
  /** At least one. */
  readonly tags: readonly ErrorTag[];
}

const MOST_KEPT_JOBS = 500;

/** Tags by version of a job, which is never used twice: tagged trials are few, so many jobs can be kept. */
const tagsByVersion = new Map<number, Promise<readonly TaggedTrial[]>>();

function readJobTags(store: IndexStore, entry: JobHead): Promise<readonly TaggedTrial[]> {
  const known = tagsByVersion.get(entry.version);
  if (known !== undefined) return known;
  const tags = getFindings(store, entry).then((trials) =>
    trials.flatMap(({ isFinished, groupKey, findings }) =>
      isFinished && findings !== null && findings.errorTags.length > 0
        ? [{ groupKey, tags: findings.errorTags }]
        : [],
    ),
  );
  tags.catch(() => tagsByVersion.delete(entry.version));
  tagsByVersion.set(entry.version, tags);
  for (const oldest of tagsByVersion.keys()) {
    if (tagsByVersion.size <= MOST_KEPT_JOBS) break;
    tagsByVersion.delete(oldest);
  }
  return tags;
}

function toRows(
  tagged: readonly { readonly jobId: number; readonly categories: readonly string[] }[],
  source: ErrorTag["source"],
  nLooked: number,
  { jobById }: ErrorsScope,
): readonly TagRow[] {
  const uses = tagged.flatMap(({ jobId, categories }) =>
    [...new Set(categories)].map((category) => ({ category, jobId })),
  );
  return [...Map.groupBy(uses, ({ category }) => category)]
    .map(([category, own]) => ({
      category,
      source,
      nTrials: own.length,
      rate: computeWilsonInterval(own.length, nLooked),
      jobs: [...Map.groupBy(own, ({ jobId }) => jobId)].flatMap(([jobId, same]) => {
        const job = jobById.get(jobId);
        return job === undefined ? [] : [{ jobKey: job.key, jobName: job.name, count: same.length }];
      }),
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
