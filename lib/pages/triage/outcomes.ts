import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import { oncePer } from "@/lib/core/domain/once-per";
import { sumBy } from "@/lib/core/domain/sum-by";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { computeWilsonInterval, type RateInterval, type Unavailable } from "@/lib/core/stats";
import { CLASSES, type Owner } from "@/lib/core/triage/classes";
import type { TRIAGE_ROWS } from "@/lib/pages/triage/address";

import type { AgentModel } from "../errors/scope";
import type { Failure } from "./parts";
import type { TriageScope } from "./scope";
import { countTried } from "./tried";

export interface OutcomeRow {
  /** Name in URLs: of an agent and model, a job's key, or a family. */
  readonly value: string;
  readonly label: string;
  readonly agentModel: AgentModel | null;
  readonly nTrials: number;
  readonly nPassed: number;
  /** Failed trials by who can fix them, including unfinished ones. */
  readonly byOwner: ReadonlyMap<Owner, number>;
  readonly passed: RateInterval | Unavailable;
}

type Rows = (typeof TRIAGE_ROWS)[number];

const GROUPS = {
  agent: ({ agentModel }) => agentModel,
  job: ({ jobRowId }) => jobRowId,
  family: ({ taskName }) => findTaskFamily(taskName),
} as const satisfies Record<Rows, (failure: Failure) => string | number>;

/** By kind of row, cached for all filters that leave these failures unchanged. */
const countFailed = oncePer((all: readonly Failure[]) =>
  oncePer((groupOf: (failure: Failure) => string | number) => {
    const groups = [...Map.groupBy(all, groupOf)];
    return new Map(
      groups.map(([value, own]) => [
        value,
        {
          n: own.length,
          nFinished: own.filter(({ isFinished }) => isFinished).length,
          byOwner: sumBy(own, ({ failureClass }) => CLASSES[failureClass].owner),
        },
      ]),
    );
  }),
);

export function listOutcomes(scope: TriageScope, rows: Rows): readonly OutcomeRow[] {
  const failed = countFailed(scope.all)(GROUPS[rows]);
  const { byAgent, byJob, byFamily } = countTried(scope.cells);
  const makeRow = (
    key: string | number,
    nTrials: number,
    about: Pick<OutcomeRow, "value" | "label" | "agentModel">,
  ): readonly OutcomeRow[] => {
    const { n, nFinished, byOwner } = failed.get(key) ?? { n: 0, nFinished: 0, byOwner: new Map() };
    if (nTrials === 0 && n === 0) return [];
    const nPassed = nTrials - nFinished;
    return [{ ...about, nTrials, nPassed, byOwner, passed: computeWilsonInterval(nPassed, nTrials) }];
  };
  if (rows === "agent")
    return scope.agentModels.flatMap((agentModel) => {
      const { name } = agentModel;
      return makeRow(name, byAgent.get(name) ?? 0, { value: name, label: name, agentModel });
    });
  if (rows === "job")
    return scope.jobs
      .toReversed()
      .flatMap(({ id, key, name }) =>
        makeRow(id, byJob.get(id) ?? 0, { value: key, label: name, agentModel: null }),
      );
  const families = new Set([...byFamily.keys(), ...failed.keys()].map(String));
  return [...families]
    .toSorted(compareNames)
    .flatMap((family) =>
      makeRow(family, byFamily.get(family) ?? 0, { value: family, label: family, agentModel: null }),
    );
}
