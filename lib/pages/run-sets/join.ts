import "server-only";
import {
  checkRuns,
  describeJoin,
  listRewardKeys,
  nameRuns,
  nameStem,
  summariseSet,
} from "@/lib/core/comparison";
import { writeRunSet } from "@/lib/pages/compare/address";
import type { IndexStore } from "@/lib/store/tables";

import { type ChosenGroup, findGroups, type FoundGroup, readChosenGroups } from "../compare/groups";
import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import { nameWithAgent } from "./name-agent";
import { findSetsByRule } from "./rule";
import { getRunNames } from "./suggestions";

export type JoinPanel = Awaited<ReturnType<typeof getJoinPanel>>;

export async function getJoinPanel(refs: readonly string[], rule: string) {
  const identityOf = await getIdentityOf();
  const found = await findGroups(await getStore(), refs, identityOf);
  const runs = [...new Set(found.chosen.flatMap((group) => group.runs.map(({ ref }) => ref)))];
  const panel = await getCached(`join ${JSON.stringify(runs)}`, (store) =>
    computePanel(store, runs, identityOf),
  );
  const own = new Set(runs);
  const isFound = findSetsByRule(await getRunNames(), rule).sets.some(
    (set) => set.length === own.size && set.every((ref) => own.has(ref)),
  );
  return {
    ...panel,
    unknown: found.unknown,
    /** The name rule that matches exactly these runs, so that the set can grow; null without one. */
    rule: isFound && own.size > 1 ? rule : null,
  };
}

async function computePanel(
  store: IndexStore,
  refs: readonly string[],
  identityOf: (agent: string, model: string | null) => number,
) {
  const { chosen } = await findGroups(store, writeRunSet(refs), identityOf);
  const [set] = await readChosenGroups(store, chosen);
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
  const runs = (await getRunNames()).filter((run) => run.source === source && !own.has(run.ref));
  const [newest] = runs;
  if (newest === undefined) return null;
  const repeats = findSetsByRule(runs, "numbers").sets.find((refs) => refs.includes(newest.ref));
  const { chosen } = await findGroups(store, writeRunSet(repeats ?? [newest.ref]), () => 0);
  const [other] = await readChosenGroups(store, chosen);
  return other === undefined
    ? null
    : { label: nameRuns(other.runs.map(({ job }) => job.name)), trials: other.trials };
}
