import "server-only";

import { getAnnotationStore, listAll } from "@/lib/annotations";
import type { ReviewerChain, TrialAnnotations } from "@/lib/annotations";
import { disagreesWithVerifier, isSameTrial, JUDGMENTS } from "@/lib/domain/annotation";
import type { Annotation, AnnotationSubject, Judgment } from "@/lib/domain/annotation";
import { StoreError } from "@/lib/domain/app-error";
import type { CatalogSnapshot, JobEntry } from "@/lib/domain/catalog";
import type { Outcome, TrialRecord } from "@/lib/domain/trial";
import { selectHeadlineReward } from "@/lib/domain/trial";
import { dumpPythonJson } from "@/lib/scoring";

import { getIdentityOf, getSnapshot } from "./catalog";

/** What the annotations list is asked to show. Empty lists mean no filter. */
export interface AnnotationsFilter {
  readonly text: string;
  readonly judgments: readonly Judgment[];
  readonly reviewers: readonly string[];
  readonly categories: readonly string[];
  readonly jobs: readonly string[];
  /** Relations to the verifier and the folders: see {@link ANNOTATION_STANDINGS}. */
  readonly standings: readonly AnnotationStanding[];
  /** 1-based. */
  readonly page: number;
}

/** `disagrees`: contradicts the outcome as it is now. `agrees`: does not. `stale`: the outcome or reward changed since. `lost`: its trial is not in the open folders. `withdrawn`: taken back. */
export const ANNOTATION_STANDINGS = ["disagrees", "agrees", "stale", "lost", "withdrawn"] as const;

/** One of {@link ANNOTATION_STANDINGS}. */
export type AnnotationStanding = (typeof ANNOTATION_STANDINGS)[number];

/** Facets of the list. */
export const ANNOTATION_FACETS = ["judgments", "reviewers", "categories", "jobs", "standings"] as const;

/** One of {@link ANNOTATION_FACETS}. */
export type AnnotationFacet = (typeof ANNOTATION_FACETS)[number];

/** The trial of a row as it is in the open folders now. */
export interface FoundTrial {
  readonly jobKey: string;
  readonly trialKey: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly reward: string | null;
}

/** One reviewer's judgment of one trial: the version that counts, or the last one when it was withdrawn. */
export interface AnnotationRow {
  readonly annotation: Annotation;
  readonly found: FoundTrial | null;
  readonly identity: number;
  readonly standings: readonly AnnotationStanding[];
  /** Every reviewer's versions of this trial. */
  readonly chains: readonly ReviewerChain[];
}

/** The annotations page: what the filter leaves, one page of it, and what there is to filter by. */
export interface AnnotationsPage {
  readonly rows: readonly AnnotationRow[];
  readonly nShown: number;
  readonly nAnnotations: number;
  readonly nTrials: number;
  readonly nReviewers: number;
  readonly nDisagreeing: number;
  readonly nPages: number;
  readonly facets: Readonly<
    Record<AnnotationFacet, readonly { readonly value: string; readonly count: number }[]>
  >;
  /** Why the store cannot be read, in a sentence; null when it can. */
  readonly problem: string | null;
}

/** Rows on one page of the list. */
const ANNOTATIONS_PER_PAGE = 100;

/** Everything the annotations page shows for a filter, newest first. */
export async function getAnnotationsPage(filter: AnnotationsFilter): Promise<AnnotationsPage> {
  const [snapshot, identityOf] = await Promise.all([getSnapshot(), getIdentityOf()]);
  const { stored, problem } = await readStore();
  const findTrial = prepareTrialFinder(snapshot);
  const rows = stored
    .flatMap((trial) => toRows(trial, findTrial, identityOf))
    .toSorted((a, b) => (a.annotation.timestamp < b.annotation.timestamp ? 1 : -1));
  const current = rows.filter(({ standings }) => !standings.includes("withdrawn"));
  const shown = (filter.standings.includes("withdrawn") ? rows : current).filter((row) =>
    matches(row, filter),
  );
  const nPages = Math.max(1, Math.ceil(shown.length / ANNOTATIONS_PER_PAGE));
  const page = Math.min(filter.page, nPages);
  return {
    rows: shown.slice((page - 1) * ANNOTATIONS_PER_PAGE, page * ANNOTATIONS_PER_PAGE),
    nShown: shown.length,
    nAnnotations: current.length,
    nTrials: new Set(current.map(({ chains }) => chains)).size,
    nReviewers: countFacet(current, "reviewers").length,
    nDisagreeing: current.filter(({ standings }) => standings.includes("disagrees")).length,
    nPages,
    facets: {
      judgments: countFacet(current, "judgments").toSorted((a, b) => orderOf(a.value) - orderOf(b.value)),
      reviewers: countFacet(current, "reviewers"),
      categories: countFacet(current, "categories"),
      jobs: countFacet(current, "jobs"),
      standings: countFacet(rows, "standings"),
    },
    problem,
  };
}

function orderOf(judgment: string): number {
  return JUDGMENTS.findIndex((one) => one === judgment);
}

async function readStore(): Promise<{
  readonly stored: readonly TrialAnnotations[];
  readonly problem: string | null;
}> {
  try {
    return { stored: await listAll(getAnnotationStore()), problem: null };
  } catch (error) {
    if (error instanceof StoreError) return { stored: [], problem: error.message };
    throw error;
  }
}

type Place = { readonly entry: JobEntry; readonly trial: TrialRecord };

/** Places by trial name, made once for each version of the disk. */
const places = new WeakMap<CatalogSnapshot, ReadonlyMap<string, readonly Place[]>>();

function listPlaces(snapshot: CatalogSnapshot): ReadonlyMap<string, readonly Place[]> {
  const known = places.get(snapshot);
  if (known) return known;
  const all = snapshot.jobs.flatMap((entry) => entry.trials.map((trial) => ({ entry, trial })));
  const byName = Map.groupBy(all, ({ trial }) => trial.trialName);
  places.set(snapshot, byName);
  return byName;
}

/** Finds a stored trial in the open folders; of several copies the one in a job of the same name. */
function prepareTrialFinder(snapshot: CatalogSnapshot): (subject: AnnotationSubject) => Place | null {
  const byName = listPlaces(snapshot);
  return (subject) => {
    const same = (byName.get(subject.trialName) ?? []).filter(({ entry, trial }) =>
      isSameTrial(subject, {
        trialId: trial.id,
        jobId: trial.jobId ?? entry.job.id,
        trialName: trial.trialName,
        jobName: entry.job.name,
      }),
    );
    return same.find(({ entry }) => entry.job.name === subject.jobName) ?? same[0] ?? null;
  };
}

function toRows(
  stored: TrialAnnotations,
  findTrial: ReturnType<typeof prepareTrialFinder>,
  identityOf: (agent: string, model: string | null) => number,
): AnnotationRow[] {
  const place = findTrial(stored.subject);
  const reward = place === null ? null : selectHeadlineReward(place.trial.rewards);
  const found =
    place === null
      ? null
      : {
          jobKey: place.entry.job.key,
          trialKey: place.trial.key,
          attempt: place.trial.attempt,
          outcome: place.trial.outcome,
          reward: reward === null ? null : dumpPythonJson(reward.value),
        };
  return stored.chains.flatMap((chain) => {
    const annotation = chain.current ?? chain.versions[0];
    if (annotation === undefined) return [];
    const { agent, model } = annotation.subject;
    return [
      {
        annotation,
        found,
        identity: identityOf(agent, model),
        standings: listStandings(annotation, found),
        chains: stored.chains,
      },
    ];
  });
}

function listStandings(annotation: Annotation, found: FoundTrial | null): AnnotationStanding[] {
  if (annotation.status !== "current") return ["withdrawn"];
  const { outcomeSeen, rewardSeen } = annotation.subject;
  const disagrees = disagreesWithVerifier(annotation.judgment, found?.outcome ?? outcomeSeen);
  const standings: AnnotationStanding[] = [disagrees ? "disagrees" : "agrees"];
  if (found === null) standings.push("lost");
  else if (found.outcome !== outcomeSeen || found.reward !== rewardSeen) standings.push("stale");
  return standings;
}

function readFacet(row: AnnotationRow, facet: AnnotationFacet): readonly string[] {
  const { annotation } = row;
  switch (facet) {
    case "judgments":
      return [annotation.judgment];
    case "reviewers":
      return [annotation.reviewerId];
    case "categories":
      return annotation.categories;
    case "jobs":
      return [annotation.subject.jobName];
    case "standings":
      return row.standings;
  }
}

function countFacet(rows: readonly AnnotationRow[], facet: AnnotationFacet) {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const value of readFacet(row, facet)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || a.value.localeCompare(b.value, "en"));
}

function matches(row: AnnotationRow, filter: AnnotationsFilter): boolean {
  const passes = ANNOTATION_FACETS.every((facet) => {
    const wanted: readonly string[] = filter[facet];
    return wanted.length === 0 || readFacet(row, facet).some((value) => wanted.includes(value));
  });
  if (!passes || filter.text === "") return passes;
  const { subject, notes, reviewerId, categories } = row.annotation;
  const text = [
    subject.taskName,
    subject.trialName,
    subject.jobName,
    subject.agent,
    subject.model,
    notes,
    reviewerId,
  ];
  return [...text, ...categories].some(
    (part) => part?.toLowerCase().includes(filter.text.toLowerCase()) === true,
  );
}
