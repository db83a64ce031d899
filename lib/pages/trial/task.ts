import "server-only";
import { MAX_FAILED_TESTS, type TrialTests } from "@/lib/core/domain/breakdown";
import { isRunKnown, listRuns } from "@/lib/core/domain/tally-tests";
import { computeMean } from "@/lib/core/stats";
import type { TrialRef } from "@/lib/pages/diff/address";
import {
  type IndexStore,
  namePlace,
  readTaskDimensions,
  readTaskTests,
  readTaskTrials,
  type TaskTrial,
} from "@/lib/store/tables";

import type { IdentityOf } from "../shell/catalog";
import { nameAgent } from "../tasks/counted";
import type { LocatedTrial } from "./locate";

/** Trials of a task read for one page, and their dimension rows. */
const MAX_TRIALS = 1_000;
const MAX_DIMENSIONS = 50_000;
const MAX_GROUPS = 40;

export type TaskAround = Awaited<ReturnType<typeof readTaskAround>>;

export async function readTaskAround(
  store: IndexStore,
  { job, trial, row }: LocatedTrial,
  asked: { readonly tests: readonly string[]; readonly dimensions: readonly string[] },
  identityOf: IdentityOf,
) {
  const { rows: trials, nMatching } = await readTaskTrials(store, trial, job.rowId, MAX_TRIALS);
  const [tested, dimensions] = await Promise.all([
    asked.tests.length === 0 ? [] : readTaskTests(store, trial, 2 * MAX_TRIALS),
    asked.dimensions.length === 0 ? [] : readTaskDimensions(store, trial, asked.dimensions, MAX_DIMENSIONS),
  ]);
  const own = namePlace({ jobRowId: job.rowId, position: row.position });
  // A copy has the id of the trial that counts in its place.
  const isOwn = (one: TaskTrial) => namePlace(one) === own || (one.uuid !== null && one.uuid === trial.id);
  const byPlace = new Map(trials.map((one) => [namePlace(one), one]));
  const groups = [
    ...Map.groupBy(trials, ({ jobRowId, groupKey, agent }) => `${jobRowId}\n${groupKey}\n${agent}`).values(),
  ]
    .filter((attempts) => !attempts.some(isOwn))
    .flatMap((attempts) => {
      const [first] = attempts;
      if (first === undefined) return [];
      const { jobKey, jobName, agent, model } = first;
      return { jobKey, jobName, agent, model, identity: identityOf(agent, model), attempts };
    });
  return {
    groups: groups.slice(0, MAX_GROUPS),
    counterpart: chooseCounterpart(
      { ...trial, jobRowId: job.rowId },
      trials.filter((one) => !isOwn(one)),
    ),
    nMoreGroups: Math.max(0, groups.length - MAX_GROUPS),
    nTrials: trials.length,
    isCut: nMatching > trials.length,
    ...countFailures(
      tested.flatMap((one) => {
        const of = byPlace.get(namePlace(one));
        return of === undefined ? [] : { ...one, agent: nameAgent(of) };
      }),
      new Set(asked.tests),
    ),
    others: gatherOthers(dimensions.filter((one) => byPlace.has(namePlace(one)) && namePlace(one) !== own)),
  };
}

/** Prefers a trajectory, then the other verdict, then the same agent and model, then the same job, like `readOtherAttempts`. */
function chooseCounterpart(
  trial: Pick<TaskTrial, "jobRowId" | "agent" | "model" | "outcome">,
  others: readonly TaskTrial[],
): TrialRef | null {
  const rank = (one: TaskTrial) =>
    ((one.nSteps ?? 0) === 0 ? 8 : 0) +
    ((one.outcome === "passed") === (trial.outcome === "passed") ? 4 : 0) +
    (nameAgent(one) === nameAgent(trial) ? 0 : 2) +
    (one.jobRowId === trial.jobRowId ? 0 : 1);
  const [first] = others.toSorted((one, other) => rank(one) - rank(other));
  return first === undefined ? null : { jobKey: first.jobKey, trialKey: first.key };
}

interface TestedTrial extends Pick<TrialTests, "failed" | "passed"> {
  readonly agent: string;
}

/** Counts over the task's trials in which a test ran, including this one. */
function countFailures(trials: readonly TestedTrial[], asked: ReadonlySet<string>) {
  const found = Array.from(asked, (name) => {
    const ran = listRuns(trials, name);
    const failed = ran.filter((trial) => trial.failed.includes(name));
    const counts = { nFailed: failed.length, nAgents: countAgents(failed) };
    // Incomplete reports, in whose trials the test may not have run.
    const nAssumed = ran.filter((trial) => !isRunKnown(trial, name)).length;
    // Reports of other trials may cover other tests.
    return [name, { ...counts, nTested: ran.length, nTestedAgents: countAgents(ran), nAssumed }] as const;
  });
  return {
    failures: new Map(found.filter(([, { nFailed }]) => nFailed > 0)),
    /** True if a trial had more failed tests than are kept, so that all counts are lower bounds. */
    isAtLeast: trials.some(({ failed }) => failed.length >= MAX_FAILED_TESTS),
  };
}

function countAgents(trials: readonly TestedTrial[]): number {
  return new Set(trials.map(({ agent }) => agent)).size;
}

/** Shares are 0 to 1, at least one for each name. */
function gatherOthers(rows: readonly { readonly name: string; readonly share: number }[]) {
  return new Map(
    Array.from(
      Map.groupBy(rows, ({ name }) => name),
      ([name, all]) => {
        const shares = all.map(({ share }) => share);
        return [name, { shares, mean: computeMean(shares) }];
      },
    ),
  );
}
