import "server-only";
import { type ComparedTrial, type GroupContent, renumber } from "@/lib/core/comparison";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import type { MarkVerdict } from "@/lib/core/domain/matrix-marks";
import { oncePer } from "@/lib/core/domain/once-per";
import { readVerdict } from "@/lib/core/domain/review";
import { readExclusions } from "@/lib/pages/sensitivity/job";
import type { AnnotationStore } from "@/lib/people/annotations";
import {
  countGroupFigures,
  type IndexStore,
  type JobHead,
  readCountedTrials,
  readGroupSettings,
  readSuspicions,
  type RolloutLink,
} from "@/lib/store/tables";

import { getJudgedOrNull, type JudgedTrial } from "../annotations/judged";
import { createCache } from "../shell/cache";
import type { ChosenGroup, FoundGroup } from "./groups";

const MOST_KEPT = MAX_GROUPS + 6;

const cacheOf = oncePer<IndexStore, ReturnType<typeof createCache<GroupContent>>>(() =>
  createCache(MOST_KEPT),
);

/** Reads the group `figureKey`, or its part `key`. Recent groups are cached, so that changing a setting reads nothing again. */
export async function readGroupContent(
  store: IndexStore,
  job: Pick<JobHead, "key" | "rowId" | "version">,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  return cacheOf(store)(`${job.rowId} ${job.version} ${key}`, () => readContent(store, job, key, figureKey));
}

async function readContent(
  store: IndexStore,
  { key: jobKey, rowId: jobRowId }: Pick<JobHead, "key" | "rowId">,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  const [counted, setup, figures, suspicions, exclusions] = await Promise.all([
    readCountedTrials(store, { jobRowId, key }),
    readGroupSettings(store, { jobRowId, key }),
    countGroupFigures(store, { jobRowId, key: figureKey }),
    readSuspicions(store, jobRowId),
    readExclusions(store, { jobRowId, groupKey: figureKey }),
  ]);
  const trials = counted.map(({ uuid, sourceUuid, costUsd, ...trial }): ComparedTrial => ({
    ...trial,
    tokens: { costUsd },
    rollout: sourceUuid === undefined ? uuid : sourceUuid,
    isSuspect: suspicions.has(trial.key),
    exclusion: exclusions.get(trial.key) ?? null,
    jobKey,
  }));
  const ordered = trials.toSorted((a, b) => a.attempt - b.attempt);
  return { trials: key === figureKey ? ordered : renumber(ordered), figures, ...setup };
}

export interface AttemptVerdict {
  readonly stand: MarkVerdict;
  readonly words: string;
}

export interface GroupVerdicts {
  readonly find: (trial: { readonly jobKey: string; readonly key: string }) => AttemptVerdict | null;
  readonly counts: Readonly<Record<MarkVerdict, number>>;
}

export const NO_VERDICTS: GroupVerdicts = {
  find: () => null,
  counts: { "pass-against": 0, "fail-against": 0, agrees: 0, open: 0 },
};

/**
 * Reads the judgments that corrected scores count, each against the verifier's own outcome, regardless of the page's key and
 * threshold. Returns no verdicts if they cannot be read.
 */
export async function readVerdicts(
  store: IndexStore,
  groups: readonly ChosenGroup[],
  annotations?: AnnotationStore,
): Promise<GroupVerdicts> {
  const judged = await getJudgedOrNull(store, annotations);
  if (judged === null || judged.byJob.size === 0) return NO_VERDICTS;
  const byJob = new Map(
    groups.flatMap(({ runs }) =>
      runs.map(
        ({ job }) => [job.key, judged.byJob.get(job.rowId) ?? new Map<string, JudgedTrial>()] as const,
      ),
    ),
  );
  const find: GroupVerdicts["find"] = ({ jobKey, key }) => {
    const trial = byJob.get(jobKey)?.get(key);
    return trial === undefined ? null : describeVerdict(trial);
  };
  const counts = { ...NO_VERDICTS.counts };
  for (const { trials } of groups)
    for (const trial of trials) {
      const verdict = find(trial);
      if (verdict !== null) counts[verdict.stand]++;
    }
  return { find, counts };
}

function describeVerdict({ outcome, judgments: { judgment } }: JudgedTrial): AttemptVerdict {
  if (judgment === "mixed") return { stand: "open", words: "reviewers differ" };
  if (judgment === "defer") return { stand: "open", words: "reviewers defer" };
  const hasPassed = readVerdict(outcome);
  const words = `reviewers say ${judgment}`;
  // Without a verdict of the verifier there is nothing to agree with.
  if (hasPassed === null) return { stand: "open", words };
  if (hasPassed === (judgment === "pass")) return { stand: "agrees", words };
  return { stand: `${judgment}-against`, words };
}

/**
 * Finds groups that share rollouts: a source and its regrade, or two regrades of one source. Such groups are not independent
 * samples.
 */
export function findSharedRollouts(groups: readonly FoundGroup[], links: readonly RolloutLink[]) {
  const ends = links.map((link) => ({
    trial: `${link.jobRowId} ${link.position}`,
    group: `${link.jobRowId} ${link.groupKey}`,
    source: `${link.sourceJobRowId} ${link.sourcePosition}`,
    sourceGroup: `${link.sourceJobRowId} ${link.sourceGroupKey}`,
  }));
  const sources = new Map(ends.map(({ trial, source }) => [trial, source]));
  const sets = groups.map(({ runs }) => {
    const names = new Set(runs.map(({ job, group }) => `${job.rowId} ${group.key}`));
    const regrades = ends.filter((end) => names.has(end.group)).map(({ trial }) => trial);
    const regraded = ends.filter((end) => names.has(end.sourceGroup)).map(({ source }) => source);
    return new Set([...regrades, ...regraded].map((trial) => findRun(trial, sources)));
  });
  return groups.flatMap((first, index) =>
    groups.slice(index + 1).flatMap((second, offset) => {
      const [own, other] = [sets[index], sets[index + 1 + offset]];
      const nRollouts = [...(own ?? [])].filter((name) => other?.has(name)).length;
      return nRollouts === 0 ? [] : [{ first, second, nRollouts }];
    }),
  );
}

/** Returns the original trial. A regrade may itself be regraded, and files may claim a cycle. */
function findRun(trial: string, sources: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = trial;
  for (let source = sources.get(at); source !== undefined && !seen.has(at);) {
    seen.add(at);
    at = source;
    source = sources.get(at);
  }
  return at;
}
