import "server-only";
import type { Route } from "next";
import { cache } from "react";

import { type LabelledScore } from "@/lib/core/comparison/labelled-score";
import { unlessUnreadable } from "@/lib/core/domain/app-error";
import { readVerdict } from "@/lib/core/domain/review";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { verifierHref } from "@/lib/pages/annotations/review-address";
import { correctByLabels } from "@/lib/people/labels/correct";
import type { Draws } from "@/lib/people/labels/draws";
import { writeAgent } from "@/lib/people/labels/sample";
import type { GroupSummary, IndexStore, JobHead } from "@/lib/store/tables";

import { getStore } from "../shell/catalog";
import { getDraws } from "./draws";

/** The human-corrected score of a group, or why there is none, with the page that explains it. */
export type GroupCorrection = LabelledScore & { readonly href: Route };

const WITH_VERDICT = OUTCOMES.filter((outcome) => readVerdict(outcome) !== null);

interface GroupOfJob {
  readonly job: Pick<JobHead, "rowId" | "key">;
  readonly summary: Pick<GroupSummary, "group" | "counts">;
}

const getDrawsOrNull = cache((store: IndexStore) => unlessUnreadable(() => getDraws(store), null));

/** Returns one correction per input, in order. Null for null, for a group without labels, and if labels cannot be read. */
export async function getGroupCorrections(
  store: IndexStore,
  groups: readonly (GroupOfJob | readonly GroupOfJob[] | null)[],
): Promise<readonly (GroupCorrection | null)[]> {
  const draws = groups.length === 0 ? null : await getDrawsOrNull(store);
  return groups.map((group) => group && draws && correctRuns(draws, "job" in group ? [group] : group));
}

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

/** Corrects the score of pooled runs by the labels of all their trials. Callers must leave out runs that share rollouts. */
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
