import "server-only";
import { cache } from "react";

import { unlessUnreadable } from "@/lib/core/domain/app-error";
import { compareNames } from "@/lib/core/domain/compare-text";
import type { TriageFilter, TriageParams } from "@/lib/pages/triage/address";
import {
  type CodebookHistory,
  type Dismissal,
  getAnnotationStore,
  isOwnChange,
  mapForward,
  readCodebook,
  TOO_STRICT_CATEGORY,
  type TriageNotes,
} from "@/lib/people/annotations";
import {
  type FailureExample,
  findInEvidence,
  type IndexStore,
  readFailureExamples,
  type RowPlace,
} from "@/lib/store/tables";

import { createAnnotatedCache } from "../annotations/cached";
import { getJudgedOrNull, type Judged } from "../annotations/judged";
import { getActor } from "../annotations/reviewer";
import { type Clusters, readClusters, readNotesOrNull } from "../clusters/clusters";
import { getIdentityOf, getStore } from "../shell/catalog";
import { readTriageBase, type TriageBase } from "./base";
import { countOwners } from "./class-counts";
import { type FindingChange, listChanges, toDismissed } from "./dismissed";
import { createJudgmentOf, getFindingLister } from "./finding-lister";
import { type Finding, rankFindings } from "./findings";
import { makeHeatMap } from "./heat";
import { listOutcomes } from "./outcomes";
import type { Failure } from "./parts";
import {
  countAll,
  nameRow,
  placeTask,
  selectTriageScope,
  sumOfJobs,
  type TaskPlace,
  type TriageScope,
} from "./scope";
import { readShownState } from "./shown-state";
import { listBrokenTasks, listStrictVerifiers } from "./task-findings";

export interface FindingRow extends Omit<Finding, "failures"> {
  readonly nTrials: number;
  readonly nTasks: number;
  readonly nJobs: number;
  readonly nOthers: number;
  /** Null unless the finding is about one task; see {@link placeTask}. */
  readonly place: TaskPlace | null;
  readonly name: string | null;
  /** Number of the last dismissal or restoration; 0 without any. */
  readonly base: number;
  readonly history: readonly FindingChange[];
  readonly pattern: string | null;
  /** The first trial of the task with most failures; for a broken task, the oracle's trial. Null if it left the index. */
  readonly example: FailureExample | null;
}

export type TriagePage = Awaited<ReturnType<typeof readTriagePage>>;

const MOST_FINDINGS = 15;

const MOST_AGENTS = 4;

/** Each page may hold all failures. */
const MOST_KEPT = 40;

const keepPages = createAnnotatedCache(MOST_KEPT);

const getShownState = cache(async () => readShownState(await getStore()));

/** @throws StoreError */
export async function getTriagePage({ open: _, ...params }: TriageParams) {
  const store = await getStore();
  const [{ shown, now }, browserKeyHash] = await Promise.all([getShownState(), readAuthorKey()]);
  const makePage = async () => {
    const [base, judged, clusters, notes, codebook, identityOf] = await Promise.all([
      readTriageBase(store, shown),
      getJudgedOrNull(store),
      readClusters(store, undefined, shown),
      readNotesOrNull(),
      unlessUnreadable(() => readCodebook(getAnnotationStore()), null),
      getIdentityOf(),
    ]);
    const sources = { base, judged, clusters, notes, codebook, browserKeyHash };
    const isWhole = judged !== null && notes !== null && codebook !== null;
    return { value: await readTriagePage(store, sources, params, identityOf), isWhole };
  };
  // The grouping of outcomes changes nothing else on the page.
  const { rows, ...filter } = params;
  const page = await keepPages(shown, JSON.stringify([filter, browserKeyHash]), makePage);
  // The cached page may have an older count.
  const nUnclassified = sumOfJobs(now.unclassified, new Set(page.scope.jobs.map(({ id }) => id)));
  const outcomes = listOutcomes(page.scope, rows);
  return { ...page, outcomes, scope: { ...page.scope, nUnclassified } };
}

/** Null unless this browser dismissed or named something, so that all other browsers share one page. */
async function readAuthorKey(): Promise<string | null> {
  const [notes, { browserKeyHash }] = await Promise.all([readNotesOrNull(), getActor()]);
  const isAuthor = [...(notes?.browserKeys.values() ?? [])].some((hash) => hash === browserKeyHash);
  return isAuthor ? browserKeyHash : null;
}

/** Judgments, notes and codebook are null if they cannot be read. */
interface TriageSources {
  readonly base: TriageBase;
  readonly judged: Judged | null;
  readonly clusters: Clusters;
  readonly notes: TriageNotes | null;
  readonly codebook: CodebookHistory | null;
  /** Key of the viewing browser, see `Actor`. */
  readonly browserKeyHash: string | null;
}

export async function readTriagePage(
  store: IndexStore,
  { base, judged, clusters: { clusters, headOf }, notes, codebook, browserKeyHash }: TriageSources,
  params: Omit<TriageParams, "open">,
  identityOf: (agent: string, model: string | null) => number,
) {
  const scope = await readScope(store, base, judged, params, identityOf);
  const judgmentOf = createJudgmentOf(judged);
  const isCalledStrict = ({ jobRowId, key }: Failure) => {
    const judgments = judged?.byJob.get(jobRowId)?.get(key)?.judgments;
    // A decision overrides the judgments that it overruled.
    if (judgments === undefined || judgments.isDecided || codebook === null) return false;
    return judgments.latest.some((one) =>
      mapForward(codebook, one).some(({ id }) => id === TOO_STRICT_CATEGORY),
    );
  };
  const { failures: chosen, cells } = scope;
  const findings = rankFindings([
    ...getFindingLister(scope, headOf, judged)(chosen),
    ...listBrokenTasks(base.oracleTasks, chosen, cells, judgmentOf),
    ...listStrictVerifiers(chosen, cells, judgmentOf, isCalledStrict),
  ]);
  const dismissals = notes?.dismissals ?? new Map<string, Dismissal>();
  const isOwn = (seq: number) => notes !== null && isOwnChange(notes, seq, browserKeyHash);
  const dismissed = findings.flatMap((finding) => toDismissed(finding, dismissals.get(finding.key), isOwn));
  const isDismissed = new Set(dismissed.map(({ key }) => key));
  const standing = findings.filter(({ key }) => !isDismissed.has(key));
  const unexplained = standing.find(({ key }) => key === "unexplained");
  const ranked = standing.filter((finding) => finding !== unexplained);
  const shown = ranked.slice(0, MOST_FINDINGS);
  const smaller = ranked.slice(MOST_FINDINGS);
  const listed = unexplained === undefined ? shown : [unexplained, ...shown];
  const examples = new Map(
    (await readFailureExamples(store, listed.map(choosePlace))).map((example) => [nameRow(example), example]),
  );
  const about = new Map(clusters.map((cluster) => [cluster.key, cluster]));
  const columns = scope.agentModels.slice(0, MOST_AGENTS);
  const hasColumn = new Set(columns.map(({ name }) => name));
  const toRow = (finding: Finding): FindingRow => {
    const { failures, ...row } = finding;
    return {
      ...row,
      nTrials: failures.length,
      place: row.kind === "alike" ? null : placeTask(scope, failures),
      nTasks: row.tasks.length,
      nJobs: new Set(failures.map(({ jobRowId }) => jobRowId)).size,
      name: about.get(row.clusterKey ?? "")?.name ?? null,
      pattern: about.get(row.clusterKey ?? "")?.pattern ?? null,
      base: dismissals.get(row.key)?.history.at(-1)?.seq ?? 0,
      history: listChanges(dismissals.get(row.key)?.history ?? []),
      nOthers: [...row.byAgent].reduce((sum, [name, n]) => sum + (hasColumn.has(name) ? 0 : n), 0),
      example: examples.get(nameRow(choosePlace(finding))) ?? null,
    };
  };
  const wins = smaller.flatMap(({ win }) => (win.kind === "computed" ? win.expected : []));
  return {
    scope,
    owners: countOwners(scope.counts),
    classes: new Map(Array.from(scope.counts, ([failureClass, { n }]) => [failureClass, n])),
    unexplained: unexplained === undefined ? null : toRow(unexplained),
    columns,
    findings: shown.map(toRow),
    /** Dismissed findings count in every sum, but are in neither list above. */
    dismissed,
    rest: {
      nFindings: smaller.length,
      nTrials: new Set(smaller.flatMap(({ failures }) => failures)).size,
      most: wins.length === 0 ? null : wins.reduce((most, win) => Math.max(most, win), -Infinity),
    },
    outcomes: listOutcomes(scope, params.rows),
    heat: makeHeatMap(scope),
    isWithoutJudgments: judged === null,
    facets: listFacets(base, scope, params),
  };
}

/** Lists those with failures and those chosen, most failures first. */
function listFacets(base: TriageBase, { nOfAgent }: TriageScope, filter: TriageFilter) {
  const { nOfJob, nOfDataset } = countAll(base);
  const datasets = Array.from(base.datasets, ([id, label]) => ({
    id,
    label,
    count: nOfDataset.get(id) ?? 0,
  }));
  const options = base.jobs.flatMap(({ id, key, name }) => {
    const count = nOfJob.get(id) ?? 0;
    return count > 0 || filter.jobs.includes(key) ? [{ key, name, count }] : [];
  });
  return {
    datasets: datasets
      .filter(({ id, count }) => count > 0 || filter.datasets.includes(id))
      .toSorted((a, b) => b.count - a.count || compareNames(a.label, b.label)),
    jobs: options.toSorted((a, b) => b.count - a.count || compareNames(a.name, b.name)),
    agents: [...base.agentModels.keys()]
      .toSorted(compareNames)
      .map((value) => ({ value, count: nOfAgent.get(value) ?? 0 })),
  };
}

export async function countFailures(filter: TriageFilter): Promise<number> {
  const store = await getStore();
  const { shown } = await getShownState();
  const [base, judged] = await Promise.all([readTriageBase(store, shown), getJudgedOrNull(store)]);
  return (await readScope(store, base, judged, filter, () => 0)).failures.length;
}

async function readScope(
  store: IndexStore,
  base: TriageBase,
  judged: Judged | null,
  filter: TriageFilter,
  identityOf: (agent: string, model: string | null) => number,
): Promise<TriageScope> {
  const found = filter.text === "" ? null : await findInEvidence(store, filter.text);
  const isReviewed = ({ jobRowId, key }: Pick<Failure, "jobRowId" | "key">) =>
    judged?.byJob.get(jobRowId)?.has(key) === true;
  return selectTriageScope(base, filter, { found, isReviewed }, identityOf);
}

/** Returns the oracle's attempt, else the first of the task with most failures. The same folders give the same result. */
function choosePlace({ failures, tasks, oracle }: Finding): RowPlace {
  if (oracle !== null) return oracle.place;
  const example = failures.find(({ taskName }) => taskName === tasks[0]) ?? failures[0];
  if (example === undefined) throw new Error("A finding has no failure.");
  return example;
}
