import "server-only";

import { compareNames, compareText } from "@/lib/domain/compare-text";
import { limitChains, type ReviewerChain, type ShownChains, type TrialAnnotations } from "@/lib/annotations";
import { type PagePlace, rangeOfPage, takePage } from "@/lib/domain/list-page";
import { type AnnotationsFilter, type AnnotationStanding } from "@/lib/addresses/annotations";
import {
  type Annotation,
  type AnnotationSubject,
  disagreesWithVerifier,
  isSameTrial,
} from "@/lib/domain/annotation";
import { JUDGMENTS } from "@/lib/domain/judgment";
import { StoreError } from "@/lib/domain/app-error";
import { sumBy } from "@/lib/domain/sum-by";
import type { IndexStore, TrialPlace } from "@/lib/store";

import { getIdentityOf, getStore } from "../shell/catalog";
import { getJudged, type Judged } from "./judged";

/** Facets of the list. */
export const ANNOTATION_FACETS = ["judgments", "reviewers", "categories", "jobs", "standings"] as const;

/** One of {@link ANNOTATION_FACETS}. */
export type AnnotationFacet = (typeof ANNOTATION_FACETS)[number];

/** One reviewer's judgment of one trial: the version that counts, or the last one when it was withdrawn. */
export interface AnnotationRow {
  readonly annotation: Annotation;
  /** The trial as it is in the open folders now. */
  readonly found: TrialPlace | null;
  readonly identity: number;
  readonly standings: readonly AnnotationStanding[];
  /** Every reviewer's versions of this trial. */
  readonly chains: readonly ReviewerChain[];
}

/** The annotations page: what the filter leaves, one page of it, and what there is to filter by. */
export interface AnnotationsPage {
  readonly rows: readonly AnnotationRow[];
  /** What is shown of the trial whose row is unfolded; null when none is. */
  readonly opened: ShownChains | null;
  readonly place: PagePlace;
  readonly nAnnotations: number;
  readonly nTrials: number;
  readonly nReviewers: number;
  readonly nDisagreeing: number;
  readonly facets: Readonly<
    Record<AnnotationFacet, readonly { readonly value: string; readonly count: number }[]>
  >;
  /** Why the store cannot be read, in a sentence; null when it can. */
  readonly problem: string | null;
  /** Whether its file is damaged, so that an export has what can still be read. */
  readonly isDamaged: boolean;
}

/** Rows on one page of the list. */
const ANNOTATIONS_PER_PAGE = 100;

/** Everything the annotations page shows for a filter, newest first; the row of the version `openId` is unfolded. */
export async function getAnnotationsPage(
  filter: AnnotationsFilter,
  openId: string,
): Promise<AnnotationsPage> {
  const [store, identityOf] = await Promise.all([getStore(), getIdentityOf()]);
  const { judged, ...failure } = await readStored(store);
  const page = prepareAnnotationsPage(judged === null ? [] : listAnnotationRows(judged, identityOf), filter);
  const opened = page.rows.find(({ annotation }) => annotation.versionId === openId);
  return { ...page, opened: opened === undefined ? null : limitChains(opened.chains), ...failure };
}

/** The page's view of all rows. */
export function prepareAnnotationsPage(
  rows: readonly AnnotationRow[],
  filter: AnnotationsFilter,
): Omit<AnnotationsPage, "opened" | "problem" | "isDamaged"> {
  const current = rows.filter(({ standings }) => !standings.includes("withdrawn"));
  const shown = (filter.standings.includes("withdrawn") ? rows : current).filter((row) =>
    matches(row, filter),
  );
  const { rows: onPage, ...place } = takePage(shown, rangeOfPage(filter.page, ANNOTATIONS_PER_PAGE));
  return {
    rows: onPage,
    place,
    nAnnotations: current.length,
    nTrials: new Set(current.map(({ chains }) => chains)).size,
    nReviewers: countFacet(current, "reviewers").length,
    nDisagreeing: current.filter(({ standings }) => standings.includes("disagrees")).length,
    facets: {
      judgments: countFacet(current, "judgments").toSorted((a, b) => orderOf(a.value) - orderOf(b.value)),
      reviewers: countFacet(current, "reviewers"),
      categories: countFacet(current, "categories"),
      jobs: countFacet(current, "jobs"),
      standings: countFacet(rows, "standings"),
    },
  };
}

function orderOf(judgment: string): number {
  return JUDGMENTS.findIndex((one) => one === judgment);
}

async function readStored(
  store: IndexStore,
): Promise<Pick<AnnotationsPage, "problem" | "isDamaged"> & { readonly judged: Judged | null }> {
  try {
    return { judged: await getJudged(store), problem: null, isDamaged: false };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { judged: null, problem: error.message, isDamaged: error.code === "store_corrupt" };
  }
}

type IdentityOf = (agent: string, model: string | null) => number;

/** Returns every judgment with its trial in the open folders, newest first. */
export function listAnnotationRows(
  { stored, places }: Judged,
  identityOf: IdentityOf,
): readonly AnnotationRow[] {
  return stored
    .flatMap((trial) =>
      toRows(trial, findPlace(places.get(trial.subject.trialName) ?? [], trial.subject), identityOf),
    )
    .toSorted((a, b) => compareText(b.annotation.timestamp, a.annotation.timestamp));
}

/** The trial among those of its name; of several copies the one in a job of the same name. */
function findPlace(places: readonly TrialPlace[], subject: AnnotationSubject): TrialPlace | null {
  const same = places.filter(({ id, ...place }) => isSameTrial(subject, { ...place, trialId: id }));
  return same.find(({ jobName }) => jobName === subject.jobName) ?? same[0] ?? null;
}

function toRows(stored: TrialAnnotations, found: TrialPlace | null, identityOf: IdentityOf): AnnotationRow[] {
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

function listStandings(annotation: Annotation, found: TrialPlace | null): AnnotationStanding[] {
  if (annotation.status !== "current") return ["withdrawn"];
  const { outcomeSeen, rewardSeen } = annotation.subject;
  const disagrees = disagreesWithVerifier(annotation.judgment, found?.outcome ?? outcomeSeen);
  const standings: AnnotationStanding[] = [disagrees ? "disagrees" : "agrees"];
  if (found === null) standings.push("lost");
  else if (found.outcome !== outcomeSeen || found.reward !== rewardSeen) standings.push("stale");
  return standings;
}

const READ_FACET: Readonly<Record<AnnotationFacet, (row: AnnotationRow) => readonly string[]>> = {
  judgments: ({ annotation }) => [annotation.judgment],
  reviewers: ({ annotation }) => [annotation.reviewerId],
  categories: ({ annotation }) => annotation.categories,
  jobs: ({ annotation }) => [annotation.subject.jobName],
  standings: ({ standings }) => standings,
};

function countFacet(rows: readonly AnnotationRow[], facet: AnnotationFacet) {
  const values = rows.flatMap(READ_FACET[facet]);
  return Array.from(
    sumBy(values, (value) => value),
    ([value, count]) => ({ value, count }),
  ).toSorted((a, b) => b.count - a.count || compareNames(a.value, b.value));
}

function matches(row: AnnotationRow, filter: AnnotationsFilter): boolean {
  const passes = ANNOTATION_FACETS.every((facet) => {
    const wanted: readonly string[] = filter[facet];
    return wanted.length === 0 || READ_FACET[facet](row).some((value) => wanted.includes(value));
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
