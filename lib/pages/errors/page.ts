import "server-only";
import { cache } from "react";

import { compareNames } from "@/lib/core/domain/compare-text";
import { type ExceptionCause, selectExceptionMark } from "@/lib/core/domain/exception-cause";
import { sumBy } from "@/lib/core/domain/sum-by";
import { computeWilsonInterval } from "@/lib/core/stats";
import type { ErrorsFilter } from "@/lib/pages/errors/address";
import { type ExceptionTally, type IndexStore, readExceptionTallies } from "@/lib/store/tables";

import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import { type ErrorsBase, type ErrorsScope, readErrorsBase, selectErrorsScope } from "./scope";

export type { ErrorsScope } from "./scope";

export type ErrorsPage = Awaited<ReturnType<typeof readErrorsPage>>;
export type ErrorRow = ErrorsPage["rows"][number];
export type JobSpread = ErrorRow["spread"];

const MOST_JOBS = 24;

const getErrorsBase = cache(() => getCached("errors", readErrorsBase));

/** Cached per request by the identity of `filter`. */
export const getErrorsScope = cache(async (filter: ErrorsFilter): Promise<ErrorsScope> => {
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
