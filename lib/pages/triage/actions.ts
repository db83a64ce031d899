"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";

import { NotFoundError } from "@/lib/core/domain/app-error";
import { getActor } from "@/lib/pages/annotations/actor";
import { getReviewer } from "@/lib/pages/annotations/reviewer";
import { readClusters } from "@/lib/pages/clusters/clusters";
import { getStore } from "@/lib/pages/shell/catalog";
import { noteSave } from "@/lib/pages/shell/live";
import {
  type Actor,
  dismissFinding,
  getAnnotationStore,
  nameCluster,
  restoreFinding,
} from "@/lib/people/annotations";

import { describeFailure } from "../../core/domain/describe-failure";

export type TriageResult =
  | { readonly status: "done" }
  | { readonly status: "failed"; readonly message: string };

const nameRequest = z.object({ key: z.string().max(100), name: z.string().max(10_000), base: z.int() });

/** An empty name removes it. `base` is the number of the last change that the user saw. */
export async function nameClusterAction(unchecked: {
  readonly key: string;
  readonly name: string;
  readonly base: number;
}): Promise<TriageResult> {
  return change(async (author, actor) => {
    const { key, name, base } = nameRequest.parse(unchecked);
    const { clusters } = await readClusters(await getStore());
    const cluster = clusters.find((one) => one.key === key);
    if (cluster === undefined) throw new NotFoundError("There is no such cluster.");
    await nameCluster(getAnnotationStore(), { key, name, cluster, author, base }, actor);
  });
}

export async function dismissFindingAction(unchecked: {
  readonly key: string;
  readonly title: string;
  readonly reason: string;
  readonly base: number;
}): Promise<TriageResult> {
  return change((author, actor) => dismissFinding(getAnnotationStore(), { ...unchecked, author }, actor));
}

export async function restoreFindingAction(unchecked: {
  readonly key: string;
  readonly reason: string;
  readonly base: number;
}): Promise<TriageResult> {
  return change((author, actor) => restoreFinding(getAnnotationStore(), { ...unchecked, author }, actor));
}

async function change(work: (author: string, actor: Actor) => Promise<void>): Promise<TriageResult> {
  try {
    const [{ reviewerId }, actor] = await Promise.all([getReviewer(), getActor()]);
    await work(reviewerId, actor);
    noteSave();
    revalidatePath("/errors", "layout");
    return { status: "done" };
  } catch (error) {
    if (error instanceof z.ZodError)
      return { status: "failed", message: "The page is out of date. Reload it." };
    return { status: "failed", message: describeFailure(error) };
  }
}
