import "server-only";
import { describeSensitivity } from "@/lib/core/comparison";
import { EXCEPTION_CAUSES, type ExceptionCause } from "@/lib/core/domain/exception-cause";
import { sumBy } from "@/lib/core/domain/sum-by";
import { computeSensitivity, computeWilsonInterval, type SensitivityTrial } from "@/lib/core/stats";
import type { ErrorsFilter } from "@/lib/pages/errors/address";
import { listScoredTrials, readScoredTallies } from "@/lib/pages/sensitivity/job";
import type { IndexStore } from "@/lib/store/tables";

import { getCached } from "../shell/catalog";
import { type ErrorsScope, getErrorsScope } from "./page";

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
