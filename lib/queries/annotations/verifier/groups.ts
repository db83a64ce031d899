import "server-only";

import type { Route } from "next";
import { cache } from "react";

import { verifierHref } from "@/lib/addresses/review";
import { StoreError } from "@/lib/domain/app-error";
import { readVerdict } from "@/lib/domain/review";
import { OUTCOMES } from "@/lib/domain/trial";
import { correctByLabels, type LabelledScore } from "@/lib/labels/correct";
import type { Draws } from "@/lib/labels/draws";
import { writeAgent } from "@/lib/labels/sample";
import type { GroupSummary, IndexStore, JobHead } from "@/lib/store";

import { getStore } from "../../shell/catalog";
import { getDraws } from "./draws";

/** A group's score as humans would have it, or why it cannot be given, and the page that says how. */
export type GroupCorrection = LabelledScore & { readonly href: Route };

const WITH_VERDICT = OUTCOMES.filter((outcome) => readVerdict(outcome) !== null);

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
  const href = verifierHref({
    jobs: [...new Set(runs.map(({ job }) => job.key))],
    agents: [writeAgent(agent, model)],
  });
  const labelled = runs.map(({ job, summary }) => ({
    jobRowId: job.rowId,
    key: summary.group.key,
    nWithVerdict: WITH_VERDICT.reduce((sum, outcome) => sum + summary.counts[outcome], 0),
  }));
  const score = correctByLabels(draws, labelled);
  return score && { ...score, href };
}
