import "server-only";
import { checkRuns, summariseSet } from "@/lib/core/comparison";
import { oncePer } from "@/lib/core/domain/once-per";
import { type CheckVerdict, VERDICTS } from "@/lib/core/domain/verification";
import type { AnnotationStore } from "@/lib/people/annotations";
import type { ViewStore } from "@/lib/people/views";
import type { IndexStore } from "@/lib/store/tables";

import { countReviews, getJudgedOrNull } from "../annotations/judged";
import { findGroups, type FoundGroup, readChosenGroups } from "../compare/groups";
import { createCache } from "../shell/cache";
import type { IdentityOf } from "../shell/catalog";
import { type SavedSet } from "./saved";

/** A running job is no worse than a wrong figure. */
const WORST_FIRST: readonly CheckVerdict[] = [...VERDICTS.slice(0, 4), "interim", ...VERDICTS.slice(4)];

/** Sets with cached figures. Each was computed from all its trials. */
const MOST_KEPT = 200;
const summariesOf: (store: IndexStore) => ReturnType<typeof createCache<SetFigures>> = oncePer(() =>
  createCache(MOST_KEPT),
);

type SetFigures = { readonly summary: ReturnType<typeof summariseSet>; readonly differs: readonly string[] };

export async function readSetRows(
  { store, annotations }: { readonly store: IndexStore; readonly annotations: AnnotationStore },
  sets: readonly SavedSet[],
  refs: ReadonlySet<string>,
  identityOf: IdentityOf,
  views?: ViewStore,
) {
  const shown = sets.filter(({ members }) => members.some(({ ref }) => ref !== null && refs.has(ref)));
  if (shown.length === 0) return [];
  const { chosen } = await findGroups(
    store,
    shown.map(({ ref }) => ref),
    identityOf,
    views,
  );
  const judged = await getJudgedOrNull(store, annotations);
  return Promise.all(
    chosen.map(async (group) => {
      const { summary, differs } = await getFigures(store, group);
      const { runs, saved, refs: own, identity, label } = group;
      const reviewed = runs.flatMap(({ job, group: { key } }) =>
        [...(judged?.byJob.get(job.rowId)?.values() ?? [])].filter(({ groupKey }) => groupKey === key),
      );
      const verdicts = new Set(runs.map((run) => run.group.verdict));
      const [{ group: first }] = runs;
      return {
        id: saved?.id ?? "",
        ref: own[0] ?? "",
        /** Notes missing and differing runs. */
        name: label,
        runs: runs.map(({ ref }) => ref),
        nRuns: runs.length,
        missing: saved?.missing ?? [],
        ...describeGrowth(shown.find(({ id }) => id === saved?.id)),
        differs,
        row: {
          ...toSummary(summary),
          group: {
            ...first,
            verdict: WORST_FIRST.find((verdict) => verdicts.has(verdict)) ?? "not-recorded",
          },
          hasRecordedMetric: runs.some((run) => run.summary.hasRecordedMetric),
          identity,
          reviews: judged && countReviews(reviewed),
        },
      };
    }),
  );
}

/** True if a rule adds new jobs, and the jobs added since the set was saved. */
function describeGrowth(set: SavedSet | undefined) {
  const { rule = null, members = [] } = set ?? {};
  return { grows: rule !== null, added: members.flatMap(({ name, isNew }) => (isNew ? name : [])) };
}

function getFigures(store: IndexStore, group: FoundGroup): Promise<SetFigures> {
  const versions = group.runs.map(({ job, group: { key } }) => [job.rowId, job.version, key]);
  return summariesOf(store)(JSON.stringify(versions), async () => {
    const [joined] = await readChosenGroups(store, [group]);
    const checks = joined === undefined ? [] : checkRuns(joined);
    return {
      summary: summariseSet(joined ?? { trials: [] }),
      differs: checks.flatMap(({ name, state }) => (state === "differs" ? name : [])),
    };
  });
}

/** Nothing is recorded for a set. */
function toSummary({ key, ...summary }: SetFigures["summary"]) {
  const { interval } = summary;
  const mean = interval.kind === "computed" ? interval.mean : null;
  return {
    ...summary,
    headline: mean === null ? null : { key, value: mean, text: String(mean) },
    regraded: { nTrials: 0, costUsd: null },
    ulps: null,
    recordedPassAtK: null,
    setups: null,
    setup: null,
  };
}
