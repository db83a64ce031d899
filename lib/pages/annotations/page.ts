import "server-only";
import { type Annotation, disagreesWithVerifier } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import { compareNames, compareText } from "@/lib/core/domain/compare-text";
import { hasChanged, parseFingerprint } from "@/lib/core/domain/fingerprint";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { rangeOfPage, takePage } from "@/lib/core/domain/list-page";
import { sumBy } from "@/lib/core/domain/sum-by";
import { type AnnotationsFilter, type AnnotationStanding } from "@/lib/pages/annotations/address";
import {
  type CodebookHistory,
  createDecisionFinder,
  type Decision,
  getAnnotationStore,
  limitChains,
  listDecisions,
  mapForward,
  readCodebook,
  resolveLabel,
  type Settled,
} from "@/lib/people/annotations";
import { findTrialPlace, listLabels, settle } from "@/lib/people/labels/draws";
import type { IndexStore, TrialPlace } from "@/lib/store/tables";

import { type IdentityOf, getIdentityOf, getStore } from "../shell/catalog";
import { getJudged, type Judged } from "./judged";

const ANNOTATION_FACETS = ["judgments", "reviewers", "categories", "jobs", "standings"] as const;

export type AnnotationFacet = (typeof ANNOTATION_FACETS)[number];

/** One reviewer's judgment of a trial: the version that counts, or the last one if withdrawn. */
export type AnnotationRow = ReturnType<typeof listAnnotationRows>[number];

export type AnnotationsPage = Awaited<ReturnType<typeof getAnnotationsPage>>;

const ANNOTATIONS_PER_PAGE = 100;

export async function getAnnotationsPage(filter: AnnotationsFilter, openId: string) {
  const [store, identityOf] = await Promise.all([getStore(), getIdentityOf()]);
  const { said, ...failure } = await readStored(store);
  const rows = said === null ? [] : listAnnotationRows(said.judged, identityOf, said);
  const page = prepareAnnotationsPage(rows, said === null ? filter : renameCategories(filter, said.codebook));
  const opened = page.rows.find(({ annotation }) => annotation.versionId === openId);
  return { ...page, opened: opened === undefined ? null : limitChains(opened.chains), ...failure };
}

export function prepareAnnotationsPage(rows: readonly AnnotationRow[], filter: AnnotationsFilter) {
  const current = rows.filter(({ standings }) => !standings.includes("withdrawn"));
  const shown = filterAnnotationRows(rows, filter);
  const { rows: onPage, ...place } = takePage(shown, rangeOfPage(filter.page, ANNOTATIONS_PER_PAGE));
  return {
    rows: onPage,
    place,
    nAnnotations: current.length,
    nTrials: new Set(current.map(({ chains }) => chains)).size,
    nReviewers: countFacet(current, "reviewers").length,
    nDisagreeing: current.filter(({ standings }) => standings.includes("disagrees")).length,
    facets: {
      judgments: JUDGMENTS.flatMap((judgment) =>
        countFacet(current, "judgments").filter(({ value }) => value === judgment),
      ),
      reviewers: countFacet(current, "reviewers"),
      categories: countFacet(current, "categories"),
      jobs: countFacet(current, "jobs"),
      standings: countFacet(rows, "standings"),
    },
  };
}

export function filterAnnotationRows(rows: readonly AnnotationRow[], filter: AnnotationsFilter) {
  const hasWithdrawn = filter.standings.includes("withdrawn");
  return rows.filter((row) => (hasWithdrawn || !row.standings.includes("withdrawn")) && matches(row, filter));
}

/** Maps categories to their current names, because an address may be older. */
export function renameCategories(filter: AnnotationsFilter, history: CodebookHistory): AnnotationsFilter {
  const rename = (label: string) => resolveLabel(history, label, history.codebook.version)?.label ?? label;
  return { ...filter, categories: filter.categories.map(rename) };
}

/** `isDamaged` is true for a damaged file; an export still contains its readable part. */
async function readStored(store: IndexStore) {
  try {
    const annotations = getAnnotationStore();
    const [judged, codebook, decisions] = await Promise.all([
      getJudged(store),
      readCodebook(annotations),
      listDecisions(annotations),
    ]);
    return { said: { judged, codebook, decisions }, problem: null, isDamaged: false };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { said: null, problem: error.message, isDamaged: error.code === "store_corrupt" };
  }
}

export function listAnnotationRows(
  { stored, places }: Judged,
  identityOf: IdentityOf,
  { codebook, decisions }: { readonly codebook: CodebookHistory; readonly decisions: readonly Decision[] },
) {
  const findDecision = createDecisionFinder(decisions);
  return stored
    .flatMap(({ subject, chains }) => {
      const found = findTrialPlace(places, subject);
      const settled = settle(listLabels(chains), findDecision(subject), 1);
      return chains.flatMap(({ current, versions }) => {
        const annotation = current ?? versions[0];
        if (annotation === undefined) return [];
        const { agent, model } = annotation.subject;
        return {
          annotation,
          found,
          identity: identityOf(agent, model),
          standings: listStandings(annotation, found, settled),
          decided: settled.state === "adjudicated" ? settled.final : null,
          categories: mapForward(codebook, annotation),
          // Undone ones included; at least 1.
          nVersions: versions.length,
          chains,
        };
      });
    })
    .toSorted((a, b) => compareText(b.annotation.timestamp, a.annotation.timestamp));
}

function listStandings(
  annotation: Annotation,
  found: TrialPlace | null,
  { state, final }: Settled,
): AnnotationStanding[] {
  if (annotation.status !== "current") return ["withdrawn"];
  const { outcomeSeen, rewardSeen } = annotation.subject;
  // A decision overrides the reviewer's own judgment.
  const judgment = state === "adjudicated" && final !== null ? final : annotation.judgment;
  const disagrees = disagreesWithVerifier(judgment, found?.outcome ?? outcomeSeen);
  const standings: AnnotationStanding[] = [disagrees ? "disagrees" : "agrees"];
  if (state === "conflict") standings.push("conflict");
  if (state === "adjudicated" || state === "contested") standings.push("decided");
  if (found === null) standings.push("lost");
  // An unknown fingerprint, then or now, is no change.
  else if (
    found.outcome !== outcomeSeen ||
    found.reward !== rewardSeen ||
    hasChanged(parseFingerprint(annotation.fingerprint), found.fingerprint)
  )
    standings.push("stale");
  return standings;
}

const READ_FACET: Readonly<Record<AnnotationFacet, (row: AnnotationRow) => readonly string[]>> = {
  judgments: ({ annotation }) => [annotation.judgment],
  reviewers: ({ annotation }) => [annotation.reviewerId],
  categories: ({ categories }) => categories.map(({ label }) => label),
  jobs: ({ annotation }) => [annotation.subject.jobName],
  standings: ({ standings }) => standings,
};

function countFacet(rows: readonly AnnotationRow[], facet: AnnotationFacet) {
  return countValues(rows.flatMap(READ_FACET[facet]));
}

export function countValues(values: readonly string[]) {
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
  const { subject, notes, reviewerId } = row.annotation;
  const { taskName, trialName, jobName, agent, model } = subject;
  const texts = [taskName, trialName, jobName, agent, model, notes, reviewerId];
  return [...texts, ...row.categories.map(({ label }) => label)].some(
    (part) => part?.toLowerCase().includes(filter.text.toLowerCase()) === true,
  );
}
