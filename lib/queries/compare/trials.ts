import "server-only";

import type { ExceptionCause } from "@/lib/domain/exception-cause";
import type { TokenUsage, TrialRecord } from "@/lib/domain/trial";
import { selectFailure } from "@/lib/domain/trial-failure";
import { countGroupFigures, type IndexStore, type JobHead, readAllTrials, readSuspicions } from "@/lib/store";

import { createCache } from "../shell/cache";

/** What a comparison needs of a trial. Traces and phases are left out, since groups of thousands of trials are kept. */
export interface ComparedTrial extends Pick<
  TrialRecord,
  "key" | "folder" | "taskName" | "taskDigest" | "agentVersion" | "attempt" | "state" | "outcome" | "rewards"
> {
  /** Of the trial, else of one of its steps. */
  readonly failure: { readonly type: string; readonly cause: ExceptionCause } | null;
  readonly tokens: Pick<TokenUsage, "costUsd">;
  /** The verifier may have crashed. */
  readonly isSuspect: boolean;
}

/** Everything of a group beyond its summary. */
export interface GroupContent {
  /** Attempts in order, running, missing and unreadable ones included. */
  readonly trials: readonly ComparedTrial[];
  /** Recorded figures that could be compared, and how many of them are exact. */
  readonly figures: { readonly nFigures: number; readonly nExact: number };
}

const MOST_KEPT = 12;

const kept = new WeakMap<IndexStore, ReturnType<typeof createCache<GroupContent>>>();

/** The trials of a group, or of the part `key` of the group `figureKey`. The last few groups are kept, so that changing a setting reads nothing again. */
export async function readGroupContent(
  store: IndexStore,
  { rowId: id, version }: Pick<JobHead, "rowId" | "version">,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  const keep = kept.get(store) ?? createCache<GroupContent>(MOST_KEPT);
  kept.set(store, keep);
  return keep(`${id} ${version} ${key}`, () => readContent(store, id, key, figureKey));
}

async function readContent(
  store: IndexStore,
  jobRowId: number,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  const [trials, figures, suspicions] = await Promise.all([
    readAllTrials(store, jobRowId, key),
    countGroupFigures(store, { jobRowId, key: figureKey }),
    readSuspicions(store, jobRowId),
  ]);
  const compared = trials.map((trial) => pickCompared(trial, suspicions.has(trial.key)));
  const ordered = compared.toSorted((a, b) => a.attempt - b.attempt);
  return { trials: key === figureKey ? ordered : renumber(ordered), figures };
}

/** Attempts numbered among those of the same settings. */
function renumber(trials: readonly ComparedTrial[]): readonly ComparedTrial[] {
  const counts = new Map<string, number>();
  return trials.map((trial) => {
    const attempt = (counts.get(trial.taskName) ?? 0) + 1;
    counts.set(trial.taskName, attempt);
    return { ...trial, attempt };
  });
}

function pickCompared(trial: TrialRecord, isSuspect: boolean): ComparedTrial {
  const { key, folder, taskName, taskDigest, agentVersion, attempt, state, outcome, rewards } = trial;
  const failure = selectFailure(trial);
  return {
    key,
    folder,
    taskName,
    taskDigest,
    agentVersion,
    attempt,
    state,
    outcome,
    rewards,
    failure: failure === null ? null : { type: failure.exception.type, cause: failure.cause },
    tokens: { costUsd: trial.tokens.costUsd },
    isSuspect,
  };
}
