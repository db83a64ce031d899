import "server-only";
import { cache } from "react";

import { describeSensitivity } from "@/lib/core/comparison";
import { compareNames } from "@/lib/core/domain/compare-text";
import {
  type ExceptionCause,
  selectExceptionMark,
  EXCEPTION_CAUSES,
} from "@/lib/core/domain/exception-cause";
import { sumBy } from "@/lib/core/domain/sum-by";
import { computeWilsonInterval, computeSensitivity, type SensitivityTrial } from "@/lib/core/stats";
import type { ErrorsFilter } from "@/lib/pages/errors/address";
import { listScoredTrials, readScoredTallies } from "@/lib/pages/sensitivity/job";
import {
  type ExceptionTally,
  type IndexStore,
  readExceptionTallies,
  readExceptionMessages,
  readExceptionTrials,
  readJobsWithoutDerivedDetails,
  readSuspectTallies,
} from "@/lib/store/tables";

import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import { type ErrorsBase, type ErrorsScope, readErrorsBase, selectErrorsScope } from "./scope";

export type { ErrorsScope } from "./scope";

export type ErrorsPage = Awaited<ReturnType<typeof readErrorsPage>>;
export type ErrorRow = ErrorsPage["rows"][number];
export type JobSpread = ErrorRow["spread"];

const MOST_JOBS = 24;

const getErrorsBase = cache(() => getCached("errors", readErrorsBase));

/** Cached per request by the identity of `filter`. */
const getErrorsScope = cache(async (filter: ErrorsFilter): Promise<ErrorsScope> => {
  const [base, identityOf] = await Promise.all([getErrorsBase(), getIdentityOf()]);
  return selectErrorsScope(base, filter, identityOf);
});

export async function getErrorsPage(filter: ErrorsFilter) {
  const [store, base, scope] = await Promise.all([getStore(), getErrorsBase(), getErrorsScope(filter)]);
  return readErrorsPage(store, base, scope, filter);
}

export async function readErrorsPage(
  store: IndexStore,
  base: ErrorsBase,
  scope: ErrorsScope,
  filter: ErrorsFilter,
) {
  const matching =
    filter.text === "" ? scope.tallies : (await readExceptionTallies(store, filter.text)).filter(scope.holds);
  const shown =
    filter.causes.length === 0 ? matching : matching.filter(({ cause }) => filter.causes.includes(cause));
  const withErrors = new Set(scope.tallies.map(scope.agentModelOf));
  const rows = [...Map.groupBy(shown, ({ type }) => type)].map(([type, tallies]) =>
    toRow(type, tallies, scope),
  );
  return {
    scope,
    /** Agents with an exception, most first. */
    agents: scope.agentModels.filter(({ name }) => withErrors.has(name)),
    rows: rows.toSorted((a, b) => b.nTrials - a.nTrials || compareNames(a.type, b.type)),
    nErrors: sum(shown),
    nPassed: sum(shown.filter(({ hasPassed }) => hasPassed)),
    facets: {
      jobs: listJobFacet(base, filter),
      agents: countBy(scope.tallies, scope.agentModelOf),
      causes: countBy(scope.tallies, ({ cause }) => cause),
    },
  };
}

function sum(tallies: readonly ExceptionTally[]): number {
  return tallies.reduce((total, { count }) => total + count, 0);
}

function countByJob(tallies: readonly ExceptionTally[]): ReadonlyMap<number, number> {
  return sumBy(
    tallies,
    ({ jobRowId }) => jobRowId,
    ({ count }) => count,
  );
}

function listJobFacet({ jobs, tallies }: ErrorsBase, filter: ErrorsFilter) {
  const counts = countByJob(tallies);
  const rank = (job: { readonly jobKey: string; readonly count: number }) =>
    filter.jobs.includes(job.jobKey) ? Infinity : job.count;
  return jobs
    .filter(({ isRead, key }) => isRead || filter.jobs.includes(key))
    .map(({ id, key, name }) => ({ jobKey: key, jobName: name, count: counts.get(id) ?? 0 }))
    .toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
}

function countBy<K extends string>(tallies: readonly ExceptionTally[], keyOf: (tally: ExceptionTally) => K) {
  return Array.from(
    sumBy(tallies, keyOf, ({ count }) => count),
    ([value, count]) => ({ value, count }),
  ).toSorted((a, b) => b.count - a.count || compareNames(a.value, b.value));
}

function toRow(type: string, tallies: readonly ExceptionTally[], scope: ErrorsScope) {
  const byAgent = sumBy(tallies, scope.agentModelOf, ({ count }) => count);
  const rewards = { none: 0, zero: 0, partial: 0, one: 0 };
  for (const { beside, count } of tallies) rewards[beside] += count;
  const nTrials = sum(tallies);
  return {
    type,
    cause: selectCause(tallies),
    mark: selectExceptionMark(type),
    byAgent,
    /** Out of each agent's finished trials, most first. */
    rates: scope.agentModels.flatMap((agentModel) => {
      const count = byAgent.get(agentModel.name) ?? 0;
      return count === 0 ? [] : { agentModel, rate: computeWilsonInterval(count, agentModel.nTrials) };
    }),
    nTrials,
    rate: computeWilsonInterval(nTrials, scope.nTrials),
    rewards,
    spread: spread(tallies, scope),
  };
}

/** Harbor raises some names in several places. A type with several causes is `other`. */
function selectCause(tallies: readonly ExceptionTally[]): ExceptionCause {
  const [cause = "other", ...others] = new Set(tallies.map((tally) => tally.cause));
  return others.length === 0 ? cause : "other";
}

function spread(tallies: readonly ExceptionTally[], { jobById }: ErrorsScope) {
  const counts = [...countByJob(tallies)].toSorted(([, a], [, b]) => b - a);
  const jobs = counts.slice(0, MOST_JOBS).flatMap(([id, count]) => {
    const job = jobById.get(id);
    return job === undefined ? [] : [{ jobKey: job.key, jobName: job.name, count }];
  });
  return { nJobs: counts.length, jobs };
}

export type ErrorDetail = Awaited<ReturnType<typeof getErrorDetail>>;

const MOST_TRIALS = 12;

export async function getErrorDetail(
  store: IndexStore,
  { jobRowIds, groupKeys, agentModels, agentModelOf }: ErrorsScope,
  { text }: Pick<ErrorsFilter, "text">,
  type: string,
) {
  const selection = { type, jobRowIds, groupKeys, text };
  const [messages, trials] = await Promise.all([
    readExceptionMessages(store, selection),
    readExceptionTrials(store, selection, MOST_TRIALS),
  ]);
  return {
    ...messages,
    trials: trials.map((trial) => ({
      ...trial,
      agentModel: agentModels.find(({ name }) => name === agentModelOf(trial)) ?? null,
    })),
  };
}

export type Suspects = Awaited<ReturnType<typeof getErrorsSuspects>>;

export async function getErrorsSuspects(store: IndexStore, scope: ErrorsScope) {
  const [tallies, unread] = await Promise.all([
    readSuspectTallies(store),
    readJobsWithoutDerivedDetails(store),
  ]);
  const own = tallies.filter((tally) => scope.jobById.has(tally.jobRowId) && scope.holds(tally));
  const jobs = [...Map.groupBy(own, ({ jobRowId }) => jobRowId)].flatMap(([jobRowId, groups]) => {
    const job = scope.jobById.get(jobRowId);
    const sum = (read: (group: (typeof groups)[number]) => number) =>
      groups.reduce((total, group) => total + read(group), 0);
    if (job === undefined) return [];
    return {
      jobKey: job.key,
      jobName: job.name,
      nTrials: sum(({ nTrials }) => nTrials),
      nTraceback: sum(({ nTraceback }) => nTraceback),
      nLackDetails: sum(({ nLackDetails }) => nLackDetails),
    };
  });
  const ids = new Set(scope.totals.map(({ jobRowId }) => jobRowId));
  return {
    jobs: jobs.toSorted((a, b) => b.nTrials - a.nTrials || compareNames(a.jobKey, b.jobKey)),
    nTrials: jobs.reduce((total, { nTrials }) => total + nTrials, 0),
    nToRead: [...ids].reduce((total, id) => total + (unread.get(id) ?? 0), 0),
  };
}

export type AgentErrors = ReturnType<typeof groupErrorsByAgent>[number];
export type ScoreEffect = Awaited<ReturnType<typeof readScoreEffects>>[number];

export async function getScoreEffects({ jobs, agents }: ErrorsFilter) {
  const name = JSON.stringify(["score effects", jobs.toSorted()]);
  const effects = await getCached(name, async (store) =>
    readScoreEffects(store, await getErrorsScope({ jobs, agents: [], causes: [], text: "" })),
  );
  return agents.length === 0 ? effects : effects.filter(({ agentModel }) => agents.includes(agentModel.name));
}

/**
 * Computes exceptions by agent-model pair, most first. Rates are out of finished trials, with Wilson intervals; pairs without
 * exceptions have rate 0.
 */
export function groupErrorsByAgent({ agentModels, tallies, agentModelOf }: ErrorsScope) {
  const byAgentModel = Map.groupBy(tallies, agentModelOf);
  return agentModels.map((agentModel) => {
    const own = byAgentModel.get(agentModel.name) ?? [];
    const causes = sumBy(
      own,
      ({ cause }) => cause,
      ({ count }) => count,
    );
    const nErrors = own.reduce((sum, { count }) => sum + count, 0);
    return { agentModel, rate: computeWilsonInterval(nErrors, agentModel.nTrials), causes };
  });
}

export function listCauses(agents: readonly AgentErrors[]): readonly ExceptionCause[] {
  return EXCEPTION_CAUSES.filter((cause) => agents.some(({ causes }) => causes.has(cause)));
}

/** Computes how readings move each pair's score; leaves out pairs that none moves. Missing rewards count as 0. */
export async function readScoreEffects(store: IndexStore, scope: ErrorsScope) {
  const trials = await collectTrials(store, scope);
  return scope.agentModels.flatMap((agentModel) => {
    const line = describeSensitivity(
      computeSensitivity(trials.get(agentModel.name) ?? [], { missing: "zero" }),
    );
    return line === null ? [] : [{ agentModel, line }];
  });
}

async function collectTrials(
  store: IndexStore,
  { totals, agentModelOf, jobById }: ErrorsScope,
): Promise<ReadonlyMap<string, readonly SensitivityTrial[]>> {
  const sources = new Map(
    totals.map(({ jobRowId, groupKey, source }) => [`${jobRowId} ${groupKey}`, source]),
  );
  const found = new Map<string, SensitivityTrial[]>();
  const ids = totals.map(({ jobRowId }) => jobRowId).toSorted((a, b) => a - b);
  for (const tally of await readScoredTallies(store, { first: ids[0] ?? 0, last: ids.at(-1) ?? 0 })) {
    const { jobRowId, groupKey, taskName } = tally;
    const source = sources.get(`${jobRowId} ${groupKey}`);
    if (source === undefined) continue;
    // Equal task names are different tasks in two datasets, and in two jobs without one.
    const task = JSON.stringify([source, source === null ? jobById.get(jobRowId)?.key : null, taskName]);
    const name = agentModelOf({ jobRowId, groupKey });
    const own = found.get(name) ?? [];
    for (const trial of listScoredTrials([tally], () => task)) own.push(trial);
    found.set(name, own);
  }
  return found;
}
