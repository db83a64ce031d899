import "server-only";
import {
  checkRuns,
  describeJoin,
  listRewardKeys,
  nameRuns,
  nameStem,
  summariseSet,
} from "@/lib/core/comparison";
import { compareNames } from "@/lib/core/domain/compare-text";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { JobsParams } from "@/lib/pages/jobs/address";
import type { IndexStore } from "@/lib/store/tables";

import { type ChosenGroup, findGroups, type FoundGroup } from "../compare/groups";
import type { JobsPage } from "../jobs/page";
import { type IdentityOf, getCached, getIdentityOf, getStore } from "../shell/catalog";
import { findSetsByRule } from "./rule";
import { nameWithAgent, readRunsTogether } from "./runs";
import { findSavedSets, listSavedSets, readNamedRuns, type SavedSet } from "./saved";

export type JobsRunSets = Awaited<ReturnType<typeof getJobsRunSets>>;

const MOST_APART = 20;

export async function getJobsRunSets(
  { join, rule, changed }: Pick<JobsParams, "join" | "rule" | "changed">,
  { items }: Pick<JobsPage, "items">,
) {
  const store = await getStore();
  const { sets, apart } = await listSavedSets(store);
  const [suggestions, panel, found] = await Promise.all([
    getSuggestions(
      items.map(({ job }) => job.rowId),
      { sets, apart },
      rule ?? "numbers",
    ),
    join.length === 0 ? null : getJoinPanel(join, rule ?? "numbers"),
    changed === null ? null : findSavedSets(store, [changed]),
  ]);
  const set = found?.get(changed ?? "");
  const said = apart.find(({ id }) => id === changed) ?? null;
  return {
    suggestions,
    panel,
    /** `isApart`: it records that the runs are not repeats of one another. */
    changed: set === undefined ? said && { ...said, isApart: true } : { ...set, isApart: false },
    /** The newest records that runs are not repeats, by job names. */
    apart: apart
      .filter(({ isDeleted }) => !isDeleted)
      .slice(0, MOST_APART)
      .map(({ id, members }) => ({ id, jobs: members.map(({ name }) => name) })),
  };
}

const MOST_SHOWN = 3;
/** Sets with more trials are not checked for a suggestion. */
const MOST_TRIALS = 10_000;

type NamedRun = Awaited<ReturnType<typeof readNamedRuns>>[number];

/** Omits runs of saved sets, and sets with two runs that a user marked as no repeats. */
async function getSuggestions(
  jobRowIds: readonly number[],
  { sets: saved, apart }: { readonly sets: readonly SavedSet[]; readonly apart: readonly SavedSet[] },
  rule: string,
) {
  const runs = await readNamedRuns(await getStore());
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
  const ordered = set.toSorted((a, b) => compareNames(a.jobName, b.jobName));
  const refs = ordered.map(({ ref }) => ref);
  const jobs = ordered.map(({ jobName }) => jobName);
  if (set.reduce((sum, { nTrials }) => sum + nTrials, 0) > MOST_TRIALS)
    return { refs, jobs, checks: null, nTasks: null };
  const checked = await getCached(`run-set-checks ${JSON.stringify(refs)}`, async (store) => {
    const joined = await readRunsTogether(store, refs);
    if (joined === undefined) return null;
    const nTasks = new Set(joined.trials.map(({ taskName }) => taskName)).size;
    return { checks: checkRuns(joined), nTasks };
  });
  return { refs, jobs, ...(checked ?? { checks: null, nTasks: null }) };
}

export type JoinPanel = Awaited<ReturnType<typeof getJoinPanel>>;

async function getJoinPanel(refs: readonly string[], rule: string) {
  const identityOf = await getIdentityOf();
  const shown = await getStore();
  const found = await findGroups(shown, refs, identityOf);
  const runs = [...new Set(found.chosen.flatMap((group) => group.runs.map(({ ref }) => ref)))];
  const panel = await getCached(`join ${JSON.stringify(runs)}`, (store) =>
    computePanel(store, runs, identityOf),
  );
  const own = new Set(runs);
  const isFound = findSetsByRule(await readNamedRuns(shown), rule).sets.some(
    (set) => set.length === own.size && set.every((ref) => own.has(ref)),
  );
  return {
    ...panel,
    unknown: found.unknown,
    /** The name rule that matches exactly these runs, so that the set can grow; null without one. */
    rule: isFound && own.size > 1 ? rule : null,
  };
}

async function computePanel(store: IndexStore, refs: readonly string[], identityOf: IdentityOf) {
  const set = await readRunsTogether(store, refs, identityOf);
  if (set === undefined) return NOTHING;
  const key = listRewardKeys([set])[0]?.key ?? "reward";
  return {
    name: nameWithAgent(nameStem(set.runs.map(({ job }) => job.name)), set.runs),
    members: listMembers(set),
    checks: checkRuns(set),
    rows: describeJoin(set, key, await readOther(store, set)),
    joined: { ...drawMean(set), nTrials: set.trials.length },
    identity: set.identity,
  };
}

const NO_MEAN = { mean: null, low: null, high: null };

const NOTHING = {
  name: "",
  members: [],
  checks: [],
  rows: [],
  joined: { ...NO_MEAN, nTrials: 0 },
  identity: 0,
};

function listMembers({ runs, contents }: ChosenGroup) {
  return runs.map(({ ref, job }, at) => {
    // `nKnown`: trials left out because an earlier run has the same rollout.
    const { trials = [], nKnown = 0 } = contents[at] ?? {};
    const { key: jobKey, name: jobName, when } = job;
    return { ref, jobKey, jobName, nTrials: trials.length, nKnown, when, ...drawMean({ trials }) };
  });
}

function drawMean(content: Pick<ChosenGroup, "trials">) {
  const { interval } = summariseSet(content);
  if (interval.kind === "unavailable") return NO_MEAN;
  const { mean, bounds } = interval;
  return bounds.kind === "unavailable"
    ? { mean, low: null, high: null }
    : { mean, low: bounds.low, high: bounds.high };
}

/** Reads what a difference is detected against: the newest run over the same dataset outside the set, with its repeats. */
async function readOther(
  store: IndexStore,
  set: FoundGroup,
): Promise<Pick<ChosenGroup, "label" | "trials"> | null> {
  const own = new Set(set.runs.map(({ ref }) => ref));
  const { source } = set.runs[0].group;
  const runs = (await readNamedRuns(store)).filter((run) => run.source === source && !own.has(run.ref));
  const [newest] = runs;
  if (newest === undefined) return null;
  const repeats = findSetsByRule(runs, "numbers").sets.find((refs) => refs.includes(newest.ref));
  const other = await readRunsTogether(store, repeats ?? [newest.ref]);
  return other === undefined
    ? null
    : { label: nameRuns(other.runs.map(({ job }) => job.name)), trials: other.trials };
}
