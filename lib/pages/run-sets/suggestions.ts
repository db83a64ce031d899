import "server-only";
import { checkRuns, nameKind } from "@/lib/core/comparison";
import { sumBy } from "@/lib/core/domain/sum-by";
import { groupRef } from "@/lib/pages/address/href";
import { writeRunSet } from "@/lib/pages/compare/address";
import { readRunNames } from "@/lib/store/tables";

import { findGroups, readChosenGroups } from "../compare/groups";
import { getCached } from "../shell/catalog";
import { findSetsByRule } from "./rule";
import type { SavedSet } from "./saved";

const MOST_SHOWN = 3;
/** Sets with more trials are not checked for a suggestion. */
const MOST_TRIALS = 10_000;

type NamedRun = Awaited<ReturnType<typeof getRunNames>>[number];

export async function getRunNames() {
  return getCached("run-names", async (store) =>
    (await readRunNames(store)).map(({ jobRowId, jobKey, jobName, source, nTrials, ...group }) => ({
      ref: groupRef(jobKey, group.key),
      jobName,
      jobRowId,
      agent: group.agent,
      source,
      nTrials,
      kind: nameKind({ ...group, source }),
    })),
  );
}

/** Omits runs of saved sets, and sets with two runs that a user marked as no repeats. */
export async function getSuggestions(
  jobRowIds: readonly number[],
  { sets: saved, apart }: { readonly sets: readonly SavedSet[]; readonly apart: readonly SavedSet[] },
  rule: string,
) {
  const runs = await getRunNames();
  const { sets, problem } = await getCached(`run-set-suggestions ${rule}`, () =>
    Promise.resolve(findSetsByRule(runs, rule)),
  );
  const onPage = new Set(jobRowIds);
  const isSaved = new Set(saved.flatMap(({ members }) => members.flatMap(({ ref }) => ref ?? [])));
  const dismissed = apart
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ members }) => new Set(members.flatMap(({ ref }) => ref ?? [])));
  const isDismissed = (set: readonly NamedRun[]) =>
    dismissed.some((refs) => set.filter(({ ref }) => refs.has(ref)).length > 1);
  const byRef = new Map(runs.map((run) => [run.ref, run]));
  const found = sets
    .map((refs) => refs.flatMap((ref) => (isSaved.has(ref) ? [] : (byRef.get(ref) ?? []))))
    .filter((set) => set.length > 1 && set.some(({ jobRowId }) => onPage.has(jobRowId)) && !isDismissed(set));
  const nGroups = sumBy(runs, ({ jobRowId }) => jobRowId);
  const shown = await Promise.all(
    found.slice(0, MOST_SHOWN).map(async (set) => {
      const isOne = set.every(({ jobRowId }) => nGroups.get(jobRowId) === 1);
      // Null if the jobs alone identify the runs.
      return { ...(await describeSuggestion(set)), agent: isOne ? null : (set[0]?.agent ?? null) };
    }),
  );
  return { shown, nFound: found.length, problem };
}

/** `checks`: worst first; null if there are too many trials to check. */
async function describeSuggestion(set: readonly NamedRun[]) {
  const ordered = set.toSorted((a, b) => BY_NAME.compare(a.jobName, b.jobName));
  const refs = ordered.map(({ ref }) => ref);
  const jobs = ordered.map(({ jobName }) => jobName);
  if (set.reduce((sum, { nTrials }) => sum + nTrials, 0) > MOST_TRIALS)
    return { refs, jobs, checks: null, nTasks: null };
  const checked = await getCached(`run-set-checks ${JSON.stringify(refs)}`, async (store) => {
    const { chosen } = await findGroups(store, writeRunSet(refs), () => 0);
    const [joined] = await readChosenGroups(store, chosen);
    if (joined === undefined) return null;
    return {
      checks: checkRuns(joined),
      nTasks: new Set(joined.trials.map(({ taskName }) => taskName)).size,
    };
  });
  return { refs, jobs, checks: checked?.checks ?? null, nTasks: checked?.nTasks ?? null };
}

const BY_NAME = new Intl.Collator("en", { numeric: true });
