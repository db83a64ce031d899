import "server-only";

import { compareNames } from "@/lib/domain/compare-text";
import { sumBy } from "@/lib/domain/sum-by";
import { findTaskFamily } from "@/lib/domain/task-family";
import type { TRIAGE_ROWS } from "@/lib/addresses/triage";
import { computeWilsonInterval, type RateInterval, type Unavailable } from "@/lib/stats";
import { OWNER_OF, type Owner } from "@/lib/triage/owners";

import type { AgentModel } from "../errors/scope";
import type { TriageScope } from "./scope";
import { countTried } from "./tried";

/** How the trials of an agent, a job or a family of tasks ended. */
export interface OutcomeRow {
  /** Name for the address: of an agent and model, a job's key, or a family. */
  readonly value: string;
  readonly label: string;
  readonly agentModel: AgentModel | null;
  /** Finished trials, and of these the ones that passed. */
  readonly nTrials: number;
  readonly nPassed: number;
  /** Trials that did not pass, unfinished ones among them, by who can fix them. */
  readonly byOwner: ReadonlyMap<Owner, number>;
  /** Share of the finished trials that passed. */
  readonly passed: RateInterval | Unavailable;
}

type Rows = (typeof TRIAGE_ROWS)[number];

const listed = new WeakMap<TriageScope, Map<Rows, readonly OutcomeRow[]>>();

/** How a part of a scope's trials ended: agents by most failures, jobs oldest first, families by name. Made once for a scope. */
export function listOutcomes(scope: TriageScope, rows: Rows): readonly OutcomeRow[] {
  const own = listed.get(scope) ?? new Map<Rows, readonly OutcomeRow[]>();
  const outcomes = own.get(rows) ?? makeOutcomes(scope, rows);
  listed.set(scope, own.set(rows, outcomes));
  return outcomes;
}

function makeOutcomes(scope: TriageScope, rows: Rows): readonly OutcomeRow[] {
  const keyOf = new Map(scope.jobs.map(({ id, key }) => [id, key]));
  const failures = Map.groupBy(scope.all, (failure) => {
    if (rows === "agent") return failure.agentModel;
    return rows === "job" ? (keyOf.get(failure.jobRowId) ?? "") : findTaskFamily(failure.taskName);
  });
  const tried = countTried(scope.cells);
  const counts = {
    agent: () => tried.byAgent,
    job: () => new Map([...tried.byJob].map(([id, n]) => [keyOf.get(id) ?? "", n])),
    family: () => tried.byFamily,
  }[rows]();
  const agentOf = new Map(scope.agentModels.map((agentModel) => [agentModel.name, agentModel]));
  const jobNames = new Map(scope.jobs.map(({ key, name }) => [key, name]));
  const names =
    rows === "agent"
      ? agentOf
      : rows === "job"
        ? listOldestFirst(scope, jobNames)
        : listFamilies(counts, failures);
  return [...names.keys()].flatMap((value) => {
    const [nTrials, failed] = [counts.get(value) ?? 0, failures.get(value) ?? []];
    if (nTrials === 0 && failed.length === 0) return [];
    const nPassed = nTrials - failed.filter(({ isFinished }) => isFinished).length;
    return {
      value,
      label: jobNames.get(value) ?? value,
      agentModel: rows === "agent" ? (agentOf.get(value) ?? null) : null,
      nTrials,
      nPassed,
      byOwner: sumBy(failed, ({ failureClass }) => OWNER_OF[failureClass]),
      passed: computeWilsonInterval(nPassed, nTrials),
    };
  });
}

function listOldestFirst(
  { jobs }: TriageScope,
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map(jobs.toReversed().map(({ key }) => [key, names.get(key) ?? key]));
}

function listFamilies(...sources: readonly ReadonlyMap<string, unknown>[]): ReadonlyMap<string, string> {
  const families = new Set(sources.flatMap((source) => [...source.keys()]));
  return new Map([...families].toSorted(compareNames).map((family) => [family, family]));
}
