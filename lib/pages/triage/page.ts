import "server-only";
import { cookies } from "next/headers";

import { unlessUnreadable } from "@/lib/core/domain/app-error";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import { compareNames } from "@/lib/core/domain/compare-text";
import { sumBy } from "@/lib/core/domain/sum-by";
import { BENCHMARK_COOKIE, type TriageFilter, type TriageParams } from "@/lib/pages/triage/address";
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
  namePlace,
  findInEvidence,
  type IndexStore,
  readFailureExamples,
  type RowPlace,
} from "@/lib/store/tables";

import { createAnnotatedCache, getJudgedOrNull, type Judged } from "../annotations/judged";
import { getActor } from "../annotations/reviewer";
import { type Clusters, readClusters, readNotesOrNull } from "../clusters/clusters";
import { type IdentityOf, getIdentityOf, getStore } from "../shell/catalog";
import { readJobsState } from "../shell/jobs-state";
import {
  Attempts,
  createJudgmentOf,
  type Finding,
  listFindings,
  rankFindings,
  listBrokenTasks,
  listStrictVerifiers,
} from "./findings";
import { computeTaskRate, countByOwner } from "./heat";
import { type Failure, readTriageBase, type TriageBase } from "./parts";
import { placeTask, selectTriageScope, sumOfJobs, type TaskPlace, type TriageScope } from "./scope";

export interface FindingRow extends Finding {
  readonly nTrials: number;
  readonly nTasks: number;
  /** Null unless the finding is about one task; see {@link placeTask}. */
  readonly place: TaskPlace | null;
  readonly name: string | null;
  readonly pattern: string | null;
  /** Number of the last dismissal or restoration; 0 without any. */
  readonly base: number;
  readonly dismissal: ReturnType<typeof readDismissal>;
  /** Changes before the current dismissal, newest first. */
  readonly history: readonly FindingChange[];
}

export type TriagePage = Awaited<ReturnType<typeof readTriagePage>>;

const MOST_FINDINGS = 60;

/** Each page may hold all failures. */
const MOST_KEPT = 40;

const keepPages = createAnnotatedCache(MOST_KEPT);

/** Failures of several datasets have no common mean, so a page is about one: that of the URL, the last one, else the largest. */
export async function chooseBenchmark(params: TriageParams): Promise<TriageParams> {
  const [asked] = params.datasets;
  if (asked !== undefined) return { ...params, datasets: [asked] };
  const base = await readTriageBase(await getStore());
  const last = (await cookies()).get(BENCHMARK_COOKIE)?.value;
  const ids = listDatasets(base, params).map(({ id }) => id);
  const chosen = ids.find((id) => id === last) ?? ids[0];
  return { ...params, datasets: chosen === undefined ? [] : [chosen] };
}

/** @throws StoreError */
export async function getTriagePage({ open: _, view: __, ...filter }: TriageParams) {
  const store = await getStore();
  const [state, browserKeyHash] = await Promise.all([readJobsState(store), readAuthorKey()]);
  const makePage = async () => {
    const [base, judged, clusters, notes, codebook, identityOf] = await Promise.all([
      readTriageBase(store),
      getJudgedOrNull(store),
      readClusters(store),
      readNotesOrNull(),
      unlessUnreadable(() => readCodebook(getAnnotationStore()), null),
      getIdentityOf(),
    ]);
    const sources = { base, judged, clusters, notes, codebook, browserKeyHash };
    const isWhole = judged !== null && notes !== null && codebook !== null;
    return { value: await readTriagePage(store, sources, filter, identityOf), isWhole };
  };
  const page = await keepPages(state, JSON.stringify([filter, browserKeyHash]), makePage);
  // The cached page may have an older count.
  const nUnclassified = sumOfJobs(state.unclassified, new Set(page.scope.jobs.map(({ id }) => id)));
  return { ...page, scope: { ...page.scope, nUnclassified } };
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
  params: TriageFilter,
  identityOf: IdentityOf,
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
  const { failures: chosen } = scope;
  const attempts = new Attempts(scope.cells);
  const findings = rankFindings([
    ...listFindings(chosen, attempts, headOf, judgmentOf),
    ...listBrokenTasks(base.oracleTasks, chosen, attempts, judgmentOf),
    ...listStrictVerifiers(chosen, attempts, judgmentOf, isCalledStrict),
  ]);
  const about = new Map(clusters.map((cluster) => [cluster.key, cluster]));
  const isOwn = (seq: number) => notes !== null && isOwnChange(notes, seq, browserKeyHash);
  const toRow = (finding: Finding): FindingRow => {
    const own = notes?.dismissals.get(finding.key);
    const dismissal = readDismissal(own, isOwn);
    const history = own?.history ?? [];
    return {
      ...finding,
      nTrials: finding.failures.length,
      nTasks: finding.tasks.length,
      place: finding.kind === "alike" ? null : placeTask(scope, finding.failures),
      name: about.get(finding.clusterKey ?? "")?.name ?? null,
      pattern: about.get(finding.clusterKey ?? "")?.pattern ?? null,
      base: history.at(-1)?.seq ?? 0,
      dismissal,
      history: listChanges(dismissal === null ? history : history.slice(0, -1)),
    };
  };
  const isDismissed = ({ key }: Finding) => readDismissal(notes?.dismissals.get(key), isOwn) !== null;
  const standing = findings.filter((finding) => !isDismissed(finding));
  const unexplained = standing.find(({ key }) => key === "unexplained");
  const ranked = standing.filter(({ key }) => key !== "unexplained" && key !== "no_evidence");
  const unkept = standing.filter(({ key }) => key === "no_evidence");
  const smaller = ranked.slice(MOST_FINDINGS);
  const wins = smaller.flatMap(({ win }) => (win.kind === "computed" ? win.expected : []));
  const [first, second] = ranked;
  return {
    scope,
    /** As ranked, with unexplained trials first if they are many. Dismissed ones come last and count in every sum. */
    causes: orderCauses(
      [...ranked.slice(0, MOST_FINDINGS), ...unkept].map(toRow),
      unexplained === undefined ? [] : [toRow(unexplained)],
      chosen.length,
    ).concat(findings.filter(isDismissed).map(toRow)),
    canReorder: canReorder(unexplained, first, second, scope.nTrials),
    owners: countByOwner(scope.classes),
    unexplained: unexplained === undefined ? null : toRow(unexplained),
    findings: ranked.slice(0, MOST_FINDINGS).map(toRow),
    rest: {
      nFindings: smaller.length,
      nTrials: new Set(smaller.flatMap(({ failures }) => failures)).size,
      most: wins.length === 0 ? null : wins.reduce((most, win) => Math.max(most, win), -Infinity),
    },
    isWithoutJudgments: judged === null,
    facets: listFacets(base, scope, params),
  };
}

/** Share of the failures from which unexplained ones are listed first. */
const MANY = 0.1;

function orderCauses(ranked: FindingRow[], unexplained: FindingRow[], nFailures: number): FindingRow[] {
  const isFirst = unexplained.some(({ nTrials }) => nTrials > nFailures * MANY);
  return isFirst ? [...unexplained, ...ranked] : [...ranked, ...unexplained];
}

/** True if full rewards for all unexplained trials would raise the second gain above the first. */
function canReorder(
  unexplained: Finding | undefined,
  first: Finding | undefined,
  second: Finding | undefined,
  nTrials: number,
): boolean {
  if (unexplained === undefined) return false;
  if (first?.win.kind !== "computed") return true;
  const lead = first.win.expected - (second?.win.kind === "computed" ? Math.max(0, second.win.expected) : 0);
  return unexplained.failures.length / Math.max(1, nTrials) > lead;
}

function listDatasets(base: TriageBase, filter: Pick<TriageFilter, "datasets" | "jobs">) {
  const ids = new Set(base.jobs.flatMap(({ id, key }) => (filter.jobs.includes(key) ? id : [])));
  const nOfDataset = sumBy(
    base.failures.filter(({ jobRowId }) => filter.jobs.length === 0 || ids.has(jobRowId)),
    ({ dataset }) => dataset,
  );
  return Array.from(base.datasets, ([id, label]) => ({ id, label, count: nOfDataset.get(id) ?? 0 }))
    .filter(({ id, count }) => count > 0 || filter.datasets.includes(id))
    .toSorted((a, b) => b.count - a.count || compareNames(a.label, b.label));
}

/** Lists those with failures and those chosen, most failures first. */
function listFacets(base: TriageBase, { nOfAgent }: TriageScope, filter: TriageFilter) {
  const options = base.jobs.flatMap(({ id, key, name }) => {
    const count = base.nOfJob.get(id) ?? 0;
    return count > 0 || filter.jobs.includes(key) ? [{ key, name, count }] : [];
  });
  return {
    datasets: listDatasets(base, filter),
    jobs: options.toSorted((a, b) => b.count - a.count || compareNames(a.name, b.name)),
    agents: [...base.agentModels.keys()]
      .toSorted(compareNames)
      .map((value) => ({ value, count: nOfAgent.get(value) ?? 0 })),
  };
}

export async function countFailures(filter: TriageFilter): Promise<number> {
  const store = await getStore();
  const [base, judged] = await Promise.all([readTriageBase(store), getJudgedOrNull(store)]);
  return (await readScope(store, base, judged, filter, () => 0)).failures.length;
}

async function readScope(
  store: IndexStore,
  base: TriageBase,
  judged: Judged | null,
  filter: TriageFilter,
  identityOf: IdentityOf,
): Promise<TriageScope> {
  const found = filter.text === "" ? null : await findInEvidence(store, filter.text);
  const isReviewed = ({ jobRowId, key }: Pick<Failure, "jobRowId" | "key">) =>
    judged?.byJob.get(jobRowId)?.has(key) === true;
  return selectTriageScope(base, filter, { found, isReviewed }, identityOf);
}

export type FindingChange = ReturnType<typeof listChanges>[number];

function listChanges(history: Dismissal["history"]) {
  return history
    .map(({ text: reason, undoReason, author, createdAt }) => ({
      reason,
      /** Null if the person who dismissed it undid that. */
      undoReason,
      author,
      at: toTime(createdAt),
    }))
    .toReversed();
}

/** Returns null if it was never dismissed, or is shown again. */
function readDismissal(dismissal: Dismissal | undefined, isOwn: (seq: number) => boolean) {
  const last = dismissal?.history.at(-1);
  if (dismissal === undefined || last === undefined || dismissal.reason === null) return null;
  const { author, createdAt, seq } = last;
  // `isOwn`: dismissed in this browser or an unknown one. It is then restored without a reason.
  return { reason: dismissal.reason, author, at: toTime(createdAt), isOwn: isOwn(seq) };
}

function toTime(text: string): ClockTime {
  return { text, epochMs: Date.parse(text), zoned: true };
}

export type FindingDetail = Awaited<ReturnType<typeof readFindingDetail>>;

const MOST_EXAMPLES = 3;
const MOST_TASKS = 24;

/** Reads examples of a finding, of other tasks and agents if possible, and its tasks, most failures first. */
export async function readFindingDetail(store: IndexStore, scope: TriageScope, finding: Finding) {
  const places = chooseExamples(finding);
  const found = new Map((await readFailureExamples(store, places)).map((one) => [namePlace(one), one]));
  const byTask = [...Map.groupBy(finding.failures, ({ task }) => task)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MOST_TASKS);
  return {
    examples: places.flatMap((place) => found.get(namePlace(place)) ?? []),
    tasks: byTask.map(([task, own]) => ({
      task,
      taskName: scope.nameOfTask.get(task) ?? "",
      place: placeTask(scope, own),
      passed: computeTaskRate(scope, task),
      byAgent: sumBy(own, ({ agentModel }) => agentModel),
    })),
  };
}

/** The same folders give the same result. The oracle's attempt comes first. */
function chooseExamples({ failures, tasks, oracle }: Finding): readonly RowPlace[] {
  const places: RowPlace[] = oracle === null ? [] : [oracle.place];
  const seen = new Set<string>();
  const ranks = new Map(tasks.map((task, at) => [task, at]));
  const sorted = failures.toSorted((a, b) => (ranks.get(a.taskName) ?? 0) - (ranks.get(b.taskName) ?? 0));
  const isNew = ({ taskName, agentModel }: Failure, most: number) =>
    Number(seen.has(taskName)) + Number(seen.has(agentModel)) <= most;
  for (const most of [0, 1, 2])
    for (const failure of sorted) {
      if (places.length >= MOST_EXAMPLES || places.includes(failure) || !isNew(failure, most)) continue;
      places.push(failure);
      seen.add(failure.taskName).add(failure.agentModel);
    }
  return places;
}
