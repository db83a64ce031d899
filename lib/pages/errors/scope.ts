import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { Trial } from "@/lib/core/domain/trial";
import type { ErrorsFilter } from "@/lib/pages/errors/address";
import {
  type ExceptionTally,
  type GroupTotals,
  type IndexStore,
  type ListedJob,
  readExceptionTallies,
  readGroupTotals,
  readListedJobs,
} from "@/lib/store/tables";

import type { IdentityOf } from "../shell/catalog";
import { findReference } from "../tasks/counted";

export interface AgentModel {
  readonly name: string;
  readonly agent: string;
  readonly model: string | null;
  readonly identity: number;
  readonly nTrials: number;
}

export type ErrorsBase = Awaited<ReturnType<typeof readErrorsBase>>;
export type ErrorsScope = ReturnType<typeof selectErrorsScope>;

type GroupOfJob = Pick<GroupTotals, "jobRowId" | "groupKey">;

/** Joins agent and model with a space, and escapes spaces of the agent by a backslash. */
export function nameAgent({ agent, model }: Pick<Trial, "agent" | "model">): string {
  const own = agent.replaceAll(/[\\ ]/g, "\\$&");
  return model === null ? own : `${own} ${model}`;
}

export async function readErrorsBase(store: IndexStore) {
  const [jobs, totals, tallies] = await Promise.all([
    readListedJobs(store),
    readGroupTotals(store),
    readExceptionTallies(store),
  ]);
  return { jobs, totals, tallies };
}

/** Every rate is out of the finished trials of this scope. */
export function selectErrorsScope(
  { jobs, totals, tallies }: ErrorsBase,
  filter: ErrorsFilter,
  identityOf: IdentityOf,
) {
  const isChosen = ({ key }: ListedJob) => filter.jobs.length === 0 || filter.jobs.includes(key);
  const chosen = jobs.filter(isChosen);
  const jobById = new Map(chosen.map((job) => [job.id, job]));
  const inJobs = totals.filter(({ jobRowId }) => jobById.has(jobRowId));
  const own =
    filter.agents.length === 0 ? inJobs : inJobs.filter((group) => filter.agents.includes(nameAgent(group)));
  const names = new Map(own.map((group) => [nameGroup(group), nameAgent(group)]));
  const agentModelOf = (group: GroupOfJob) => names.get(nameGroup(group)) ?? group.groupKey;
  const holds = (group: GroupOfJob) => names.has(nameGroup(group));
  const ownTallies = tallies.filter(holds);
  const elsewhere = tallies.filter(({ jobRowId }) => !jobById.has(jobRowId));
  return {
    jobs: chosen.filter(({ isRead }) => isRead),
    nUnread: chosen.filter(({ isRead }) => !isRead).length,
    nTrials: sumFinished(own),
    /** Trials of `oracle` and `nop` in `nTrials`, which triage never counts. */
    nReference: sumFinished(own.filter(({ agent }) => findReference(agent) !== null)),
    agentModels: listAgentModels(own, ownTallies, agentModelOf, identityOf),
    totals: own,
    tallies: ownTallies,
    nElsewhere: elsewhere.reduce((sum, { count }) => sum + count, 0),
    nOtherJobs: jobs.length - chosen.length,
    holds,
    agentModelOf,
    jobById,
    /** Filters of the store; null is any. */
    jobRowIds: filter.jobs.length === 0 ? null : chosen.map(({ id }) => id),
    groupKeys: filter.agents.length === 0 ? null : [...new Set(own.map(({ groupKey }) => groupKey))],
  };
}

function sumFinished(totals: readonly GroupTotals[]): number {
  return totals.reduce((sum, { nFinished }) => sum + nFinished, 0);
}

function nameGroup({ jobRowId, groupKey }: GroupOfJob): string {
  return `${jobRowId} ${groupKey}`;
}

function listAgentModels(
  totals: readonly GroupTotals[],
  tallies: readonly ExceptionTally[],
  agentModelOf: (group: GroupOfJob) => string,
  identityOf: IdentityOf,
): readonly AgentModel[] {
  const nErrors = sumBy(tallies, agentModelOf, ({ count }) => count);
  return [...Map.groupBy(totals, nameAgent)]
    .flatMap(([name, own]) => {
      const first = own[0];
      if (first === undefined) return [];
      const { agent, model } = first;
      const nTrials = own.reduce((sum, { nFinished }) => sum + nFinished, 0);
      return [{ name, agent, model, identity: identityOf(agent, model), nTrials }];
    })
    .toSorted(
      (a, b) => (nErrors.get(b.name) ?? 0) - (nErrors.get(a.name) ?? 0) || compareNames(a.name, b.name),
    );
}
