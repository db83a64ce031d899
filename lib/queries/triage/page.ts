import "server-only";

import { cache } from "react";

import type { TriageFilter, TriageParams } from "@/lib/addresses/triage";
import { compareNames } from "@/lib/domain/compare-text";
import { sumBy } from "@/lib/domain/sum-by";
import {
  type FailureExample,
  findInEvidence,
  type IndexStore,
  readFailureExamples,
  type RowPlace,
} from "@/lib/store";
import { OWNER_OF, type Owner } from "@/lib/triage/owners";

import { getJudgedOrNull, type Judged } from "../annotations/judged";
import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import { type Failure, readTriageBase, type TriageBase } from "./base";
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
  /** A trial with it that ended last among those read first; null where it is no longer in the index. */
  readonly example: FailureExample | null;
}

/** What the triage page shows. */
export interface TriagePage {
  readonly scope: TriageScope;
  readonly nReference: number;
  /** Trials that did not pass by who can fix them. */
  readonly owners: ReadonlyMap<Owner, number>;
  /** What nothing explains; null where everything is. */
  readonly unexplained: FindingRow | null;
  /** The findings that a fix would win most by, at most {@link MOST_FINDINGS}. */
  readonly findings: readonly FindingRow[];
  /** Smaller ones. */
  readonly rest: { readonly nFindings: number; readonly nTrials: number; readonly most: number | null };
  readonly outcomes: readonly OutcomeRow[];
  readonly heat: HeatMap;
  /** Whether reviewers' judgments could not be read, so that they are in nothing. */
  readonly isWithoutJudgments: boolean;
  readonly facets: {
    /** Jobs with failures and those chosen, most failures first. */
    readonly jobs: readonly { readonly key: string; readonly name: string; readonly count: number }[];
    /** Agents and models with trials in any job, by name. */
    readonly agents: readonly string[];
  };
}

/** Findings that are listed before the others are summed up. */
export const MOST_FINDINGS = 15;

/** Agents that have a column of their own in the list of findings. */
export const MOST_AGENTS = 4;

const getTriageBase = cache(() => getCached("triage", readTriageBase));

/** The triage page of a filter. @throws StoreError */
export async function getTriagePage(params: TriageParams): Promise<TriagePage> {
  const [store, base, judged, identityOf] = await Promise.all([
    getStore(),
    getTriageBase(),
    getStore().then(getJudgedOrNull),
    getIdentityOf(),
  ]);
  return readTriagePage(store, base, judged, params, identityOf);
}

/** {@link getTriagePage} of what was read before; reads examples, and searches where the filter has a text. */
export async function readTriagePage(
  store: IndexStore,
  base: TriageBase,
  judged: Judged | null,
  params: TriageParams,
  identityOf: (agent: string, model: string | null) => number,
): Promise<TriagePage> {
  const scope = await readScope(store, base, judged, params, identityOf);
  const judgmentOf = ({ jobRowId, key }: Failure) => {
    const said = judged?.byJob.get(jobRowId)?.get(key)?.judgments.judgment;
    if (said === undefined) return null;
    return said === "pass" || said === "fail" ? said : "open";
  };
  const findings = listFindings(scope.failures, scope.cells, judgmentOf);
  const unexplained = findings.find(({ failureClass }) => failureClass === "unexplained");
  const ranked = findings.filter((finding) => finding !== unexplained);
  const shown = ranked.slice(0, MOST_FINDINGS);
  const smaller = ranked.slice(MOST_FINDINGS);
  const listed = unexplained === undefined ? shown : [unexplained, ...shown];
  const examples = new Map(
    (await readFailureExamples(store, listed.map(choosePlace))).map((example) => [nameRow(example), example]),
  );
  const columns = new Set(scope.agentModels.slice(0, MOST_AGENTS).map(({ name }) => name));
  const toRow = (finding: Finding): FindingRow => {
    const { failures, ...row } = finding;
    return {
      ...row,
      nTrials: failures.length,
      nTasks: row.tasks.length,
      nJobs: new Set(failures.map(({ jobRowId }) => jobRowId)).size,
      nOthers: [...row.byAgent].reduce((sum, [name, n]) => sum + (columns.has(name) ? 0 : n), 0),
      example: examples.get(nameRow(choosePlace(finding))) ?? null,
    };
  };
  const wins = smaller.flatMap(({ win }) => (win.kind === "computed" ? win.expected : []));
  return {
    scope,
    nReference: base.nReference,
    owners: sumBy(scope.failures, ({ failureClass }) => OWNER_OF[failureClass]),
    unexplained: unexplained === undefined ? null : toRow(unexplained),
    findings: shown.map(toRow),
    rest: {
      nFindings: smaller.length,
      nTrials: smaller.reduce((sum, { failures }) => sum + failures.length, 0),
      most: wins.length === 0 ? null : wins.reduce((most, win) => Math.max(most, win), -Infinity),
    },
    outcomes: listOutcomes(scope, params.rows),
    heat: makeHeatMap(scope),
    isWithoutJudgments: judged === null,
    facets: listFacets(base, params),
  };
}

function listFacets({ jobs, failures, agentModels }: TriageBase, filter: TriageFilter): TriagePage["facets"] {
  const counts = sumBy(failures, ({ jobRowId }) => jobRowId);
  const options = jobs.flatMap(({ id, key, name }) => {
    const count = counts.get(id) ?? 0;
    return count > 0 || filter.jobs.includes(key) ? [{ key, name, count }] : [];
  });
  return {
    jobs: options.toSorted((a, b) => b.count - a.count || compareNames(a.name, b.name)),
    agents: [...agentModels.keys()].toSorted(compareNames),
  };
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
