import "server-only";

import type { Route } from "next";
import { cache } from "react";

import { verifierHref } from "@/lib/addresses/review";
import { StoreError } from "@/lib/domain/app-error";
import { readVerdict } from "@/lib/domain/review";
import { OUTCOMES } from "@/lib/domain/trial";
import { countConfusion, countMissingLabels } from "@/lib/stats";
import type { GroupSummary, IndexStore, JobHead } from "@/lib/store";

import { getStore } from "../../shell/catalog";
import { type Draws, getDraws } from "./draws";
import { countAgents, type Member, nameMember, type Population } from "./population";
import { correctGroup } from "./review";
import { collectSample, countLeftOut, listLabels, writeAgent } from "./sample";
import { describeMargin, listLeftOut } from "./words";

/** A group's score as humans would have it, beside the recorded one, or why it cannot be given. */
export type GroupCorrection = {
  /** The page that says how. */
  readonly href: Route;
  readonly nLabels: number;
} & (
  | {
      readonly kind: "computed";
      readonly observed: number;
      readonly corrected: number;
      readonly low: number;
      readonly high: number;
      /** The interval behind the score, see `describeMargin`. */
      readonly margin: string;
      readonly nTrials: number;
    }
  | { readonly kind: "too-few"; readonly nThere: number; readonly nNeeded: number }
  /** Why the labels there are correct no score, those of most labels first. */
  | { readonly kind: "left-out"; readonly reasons: readonly string[] }
);

/** Digits of a score with its interval beside it. */
const SHORT_DECIMALS = 2;

/** A group, or the part of one with the same settings, of a job. */
interface GroupOfJob {
  readonly job: Pick<JobHead, "rowId" | "key">;
  readonly summary: Pick<GroupSummary, "group" | "counts">;
}

/** {@link getDraws} for pages that stand without it; null when it cannot be read. */
const getDrawsOrNull = cache(async (store: IndexStore): Promise<Draws | null> => {
  try {
    return await getDraws(store);
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
});

/** The corrections of some groups and of runs counted together, in their order; null for null, for a group that nobody labelled, and when labels cannot be read. */
export async function getGroupCorrections(
  store: IndexStore,
  groups: readonly (GroupOfJob | readonly GroupOfJob[] | null)[],
): Promise<readonly (GroupCorrection | null)[]> {
  const draws = groups.length === 0 ? null : await getDrawsOrNull(store);
  return groups.map(
    (group) => group && draws && ("job" in group ? correctOne(draws, group) : correctRuns(draws, group)),
  );
}

/** The same for the shown groups of a job's page. */
export async function getJobCorrections({
  job,
  shown,
}: {
  readonly job: GroupOfJob["job"];
  readonly shown: { readonly groups: readonly GroupOfJob["summary"][] };
}): Promise<readonly (GroupCorrection | null)[]> {
  return getGroupCorrections(
    await getStore(),
    shown.groups.map((summary) => ({ job, summary })),
  );
}

/** The correction of one group by all draws that cover it; null without any label of its trials. */
export function correctOne(draws: Draws, group: GroupOfJob): GroupCorrection | null {
  return correctRuns(draws, [group]);
}

/**
 * The same of runs counted together, by the labels of all their trials. Of runs that share rollouts there is none: whoever asks
 * leaves them out.
 */
export function correctRuns(draws: Draws, runs: readonly GroupOfJob[]): GroupCorrection | null {
  const [first] = runs;
  if (first === undefined) return null;
  const { agent, model } = first.summary.group;
  const names = new Set(runs.map(({ job, summary }) => nameGroup(job.rowId, summary.group.key)));
  const href = verifierHref({
    jobs: [...new Set(runs.map(({ job }) => job.key))],
    agents: [writeAgent(agent, model)],
  });
  const withVerdict = OUTCOMES.filter((outcome) => readVerdict(outcome) !== null);
  const nWithVerdict = runs.reduce(
    (all, { summary }) => withVerdict.reduce((sum, outcome) => sum + summary.counts[outcome], all),
    0,
  );
  const populations = new Set(
    draws.draws.flatMap(({ population, problem }) =>
      problem === null && population !== null ? population : [],
    ),
  );
  for (const population of populations) {
    const byGroup = listGroups(population);
    const members = [...names].flatMap((name) => byGroup.get(name) ?? []);
    // A list that leaves some of the trials out says nothing of them.
    if (members.length === 0 || members.length !== nWithVerdict) continue;
    const sample = collectSample(new Map(members.map((one) => [nameMember(one), one])), draws.draws);
    const labels = listLabels(sample);
    const score = labels.length === 0 ? null : correctGroup(sample);
    if (score === null) continue;
    const nLabels = labels.length;
    if (score.kind === "computed") {
      const { observed, corrected, low, high, nTrials } = score;
      const margin = describeMargin(score, SHORT_DECIMALS);
      return { kind: "computed", href, nLabels, observed, corrected, low, high, margin, nTrials };
    }
    const [verdicts] = countAgents(members);
    if (verdicts === undefined) continue;
    const { nThere, nNeeded } = countMissingLabels(verdicts, countConfusion(labels));
    return { kind: "too-few", href, nLabels, nThere, nNeeded };
  }
  const judged = draws.judged.filter(
    ({ place, final }) =>
      place !== null &&
      names.has(nameGroup(place.jobRowId, place.groupKey)) &&
      (final === "pass" || final === "fail") &&
      readVerdict(place.outcome) !== null,
  );
  if (judged.length === 0) return null;
  const { counts } = countLeftOut({ ...draws, judged }, null, { jobs: [], agents: [], families: [] });
  return { kind: "left-out", href, nLabels: judged.length, reasons: listLeftOut(counts) };
}

/** Members by group, found once of each population. */
const groupsOf = new WeakMap<Population, ReadonlyMap<string, readonly Member[]>>();

function listGroups(population: Population): ReadonlyMap<string, readonly Member[]> {
  const known = groupsOf.get(population);
  if (known !== undefined) return known;
  const groups = new Map<string, Member[]>();
  for (const member of population.values())
    for (const key of member.groups) {
      const name = nameGroup(member.jobRowId, key);
      const own = groups.get(name);
      if (own === undefined) groups.set(name, [member]);
      else own.push(member);
    }
  groupsOf.set(population, groups);
  return groups;
}

function nameGroup(jobRowId: number, key: string): string {
  return `${jobRowId} ${key}`;
}
