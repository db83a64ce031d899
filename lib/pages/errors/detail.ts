import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import type { ErrorsFilter } from "@/lib/pages/errors/address";
import {
  type IndexStore,
  readExceptionMessages,
  readExceptionTrials,
  readJobsWithoutDerivedDetails,
  readSuspectTallies,
} from "@/lib/store/tables";

import type { ErrorsScope } from "./scope";

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
