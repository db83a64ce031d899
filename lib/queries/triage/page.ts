import "server-only";

import { cache } from "react";

import type { Dismissal, TriageNotes } from "@/lib/annotations";
import type { TriageFilter, TriageParams } from "@/lib/addresses/triage";
import type { ClockTime } from "@/lib/domain/clock-time";
import { compareNames } from "@/lib/domain/compare-text";
import { sumBy } from "@/lib/domain/sum-by";
import {
  type FailureExample,
  findInEvidence,
  type IndexStore,
  readFailureExamples,
  type RowPlace,
} from "@/lib/store";
import type { FailureClass } from "@/lib/triage/classes";
import { OWNER_OF, type Owner } from "@/lib/triage/owners";

import { createAnnotatedCache } from "../annotations/cached";
import { getJudgedOrNull, type Judged } from "../annotations/judged";
import { createGenerationCache } from "../shell/cache";
import { getIdentityOf, getStore } from "../shell/catalog";
import { readJobsState } from "../shell/jobs-state";
import type { AgentModel } from "../errors/scope";
import { type Failure, readTriageBase, type TriageBase } from "./base";
import { type Clusters, readClusters, readNotesOrNull } from "./clusters";
import { type Finding, listFindings } from "./findings";
import { type HeatMap, makeHeatMap } from "./heat";
import { listOutcomes, type OutcomeRow } from "./outcomes";
import { nameRow, selectTriageScope, type TriageScope } from "./scope";

/** A finding as the page lists it. */
export interface FindingRow extends Omit<Finding, "failures"> {
  readonly nTrials: number;
  readonly nTasks: number;
  readonly nJobs: number;
  /** Trials of agents without a column of their own. */
  readonly nOthers: number;
  /** What people call its cluster; null without a name. */
  readonly name: string | null;
  /** Number of the last change of whether it is dismissed; 0 without any. */
  readonly base: number;
  /** The pattern of its cluster; null for the unexplained. */
  readonly pattern: string | null;
  /** The first trial of the task with most of them; null where it is no longer in the index. */
  readonly example: FailureExample | null;
}

/** A finding that somebody dismissed. */
export interface DismissedFinding {
  readonly key: string;
  /** What it said then. */
  readonly title: string;
  readonly reason: string;
  readonly author: string;
  readonly at: ClockTime;
  /** Number of that change, which undoing it names. */
  readonly base: number;
  /** Trials with it that the filter leaves. */
  readonly nTrials: number;
}

/** What the triage page shows. */
export interface TriagePage {
  readonly scope: TriageScope;
  /** Trials that did not pass by who can fix them. */
  readonly owners: ReadonlyMap<Owner, number>;
  /** The same trials by class. */
  readonly classes: ReadonlyMap<FailureClass, number>;
  /** What nothing explains; null where everything is. */
  readonly unexplained: FindingRow | null;
  /** Agents that have a column of their own in the list of findings: those with most failures. */
  readonly columns: readonly AgentModel[];
  /** The findings that a fix would win most by, at most {@link MOST_FINDINGS}. */
  readonly findings: readonly FindingRow[];
  /** Findings that somebody dismissed: they count in every sum and are in neither list above. */
  readonly dismissed: readonly DismissedFinding[];
  /** Smaller ones. */
  readonly rest: { readonly nFindings: number; readonly nTrials: number; readonly most: number | null };
  readonly outcomes: readonly OutcomeRow[];
  readonly heat: HeatMap;
  /** Whether reviewers' judgments could not be read, so that they are in nothing. */
  readonly isWithoutJudgments: boolean;
  readonly facets: {
    /** Jobs with failures and those chosen, most failures first. */
    readonly jobs: readonly { readonly key: string; readonly name: string; readonly count: number }[];
    /** Agents and models with trials in any job, by name, and how many of the chosen jobs and tasks did not pass. */
    readonly agents: readonly { readonly value: string; readonly count: number }[];
  };
}

/** Findings that are listed before the others are summed up. */
const MOST_FINDINGS = 15;

/** Columns of agents that fit beside findings. */
const MOST_AGENTS = 4;

/** Each may hold every failure there is. */
const MOST_KEPT = 40;

const keepBase = createGenerationCache(1);
const keepPages = createAnnotatedCache(MOST_KEPT);

const getTriageBase = cache(async () => {
  const store = await getStore();
  return keepBase(await readJobsState(store), "triage", () => readTriageBase(store));
});

/** The triage page of a filter. @throws StoreError */
export async function getTriagePage({ open: _, ...params }: TriageParams): Promise<TriagePage> {
  const store = await getStore();
  return keepPages(await readJobsState(store), JSON.stringify(params), async () => {
    const [base, judged, clusters, notes, identityOf] = await Promise.all([
      getTriageBase(),
      getJudgedOrNull(store),
      readClusters(store),
      readNotesOrNull(),
      getIdentityOf(),
    ]);
    return readTriagePage(store, { base, judged, clusters, notes }, params, identityOf);
  });
}

/** What the page is made from; judgments and notes are null where they cannot be read. */
export interface TriageSources {
  readonly base: TriageBase;
  readonly judged: Judged | null;
  readonly clusters: Clusters;
  readonly notes: TriageNotes | null;
}

/** {@link getTriagePage} of what was read before; reads examples, and searches where the filter has a text. */
export async function readTriagePage(
  store: IndexStore,
  { base, judged, clusters: { clusters, headOf }, notes }: TriageSources,
  params: Omit<TriageParams, "open">,
  identityOf: (agent: string, model: string | null) => number,
): Promise<TriagePage> {
  const scope = await readScope(store, base, judged, params, identityOf);
  const judgmentOf = ({ jobRowId, key }: Failure) => {
    const said = judged?.byJob.get(jobRowId)?.get(key)?.judgments.judgment;
    if (said === undefined) return null;
    return said === "pass" || said === "fail" ? said : "open";
  };
  const findings = listFindings(scope.failures, scope.cells, headOf, judgmentOf);
  const dismissals = notes?.dismissals ?? new Map<string, Dismissal>();
  const dismissed = findings.flatMap((finding) => toDismissed(finding, dismissals.get(finding.key)));
  const isDismissed = new Set(dismissed.map(({ key }) => key));
  const standing = findings.filter(({ key }) => !isDismissed.has(key));
  const unexplained = standing.find(({ failureClass }) => failureClass === "unexplained");
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
      nTasks: row.tasks.length,
      nJobs: new Set(failures.map(({ jobRowId }) => jobRowId)).size,
      name: about.get(row.clusterKey ?? "")?.name ?? null,
      pattern: about.get(row.clusterKey ?? "")?.pattern ?? null,
      base: dismissals.get(row.key)?.history.at(-1)?.seq ?? 0,
      nOthers: [...row.byAgent].reduce((sum, [name, n]) => sum + (hasColumn.has(name) ? 0 : n), 0),
      example: examples.get(nameRow(choosePlace(finding))) ?? null,
    };
  };
  const wins = smaller.flatMap(({ win }) => (win.kind === "computed" ? win.expected : []));
  return {
    scope,
    owners: sumBy(scope.failures, ({ failureClass }) => OWNER_OF[failureClass]),
    classes: sumBy(scope.failures, ({ failureClass }) => failureClass),
    unexplained: unexplained === undefined ? null : toRow(unexplained),
    columns,
    findings: shown.map(toRow),
    dismissed,
    rest: {
      nFindings: smaller.length,
      nTrials: smaller.reduce((sum, { failures }) => sum + failures.length, 0),
      most: wins.length === 0 ? null : wins.reduce((most, win) => Math.max(most, win), -Infinity),
    },
    outcomes: listOutcomes(scope, params.rows),
    heat: makeHeatMap(scope),
    isWithoutJudgments: judged === null,
    facets: listFacets(base, scope, params),
  };
}

function listFacets(
  { jobs, failures, agentModels }: TriageBase,
  { all }: TriageScope,
  filter: TriageFilter,
): TriagePage["facets"] {
  const ofAgent = sumBy(all, ({ agentModel }) => agentModel);
  const counts = sumBy(failures, ({ jobRowId }) => jobRowId);
  const options = jobs.flatMap(({ id, key, name }) => {
    const count = counts.get(id) ?? 0;
    return count > 0 || filter.jobs.includes(key) ? [{ key, name, count }] : [];
  });
  return {
    jobs: options.toSorted((a, b) => b.count - a.count || compareNames(a.name, b.name)),
    agents: [...agentModels.keys()]
      .toSorted(compareNames)
      .map((value) => ({ value, count: ofAgent.get(value) ?? 0 })),
  };
}

function toDismissed(
  { key, failures }: Finding,
  dismissal: Dismissal | undefined,
): readonly DismissedFinding[] {
  const last = dismissal?.history.at(-1);
  if (dismissal === undefined || last === undefined || dismissal.reason === null) return [];
  const { title, reason } = dismissal;
  const { author, createdAt, seq: base } = last;
  const at = { text: createdAt, epochMs: Date.parse(createdAt), zoned: true };
  return [{ key, title, reason, author, at, base, nTrials: failures.length }];
}

/** How many failures a filter leaves. */
export async function countFailures(filter: TriageFilter): Promise<number> {
  const store = await getStore();
  const [base, judged] = await Promise.all([getTriageBase(), getJudgedOrNull(store)]);
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

/** The first one of the task with most failures: the same in every run over the same folders. */
function choosePlace({ failures, tasks }: Finding): RowPlace {
  const example = failures.find(({ taskName }) => taskName === tasks[0]) ?? failures[0];
  if (example === undefined) throw new Error("A finding has no failure.");
  return example;
}
