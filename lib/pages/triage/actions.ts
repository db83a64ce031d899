"use server";

import { z } from "zod";

import { NotFoundError } from "@/lib/core/domain/app-error";
import { getActor, getReviewer } from "@/lib/pages/annotations/reviewer";
import { readClusters } from "@/lib/pages/clusters/clusters";
import { save } from "@/lib/pages/shell/act";
import { getStore } from "@/lib/pages/shell/catalog";
import { dismissFinding, getAnnotationStore, nameCluster, restoreFinding } from "@/lib/people/annotations";

const nameRequest = z.object({ key: z.string().max(100), name: z.string().max(10_000), base: z.int() });

/** An empty name removes it. `base` is the number of the last change that the user saw. */
export async function nameClusterAction(unchecked: z.input<typeof nameRequest>) {
  return save(async () => {
    const { key, name, base } = nameRequest.parse(unchecked);
    const { clusters } = await readClusters(await getStore());
    const cluster = clusters.find((one) => one.key === key);
    if (cluster === undefined) throw new NotFoundError("This cluster does not exist.");
    const { reviewerId: author } = await getReviewer();
    await nameCluster(getAnnotationStore(), { key, name, cluster, author, base }, await getActor());
  });
}

export async function dismissFindingAction(unchecked: {
  readonly key: string;
  readonly title: string;
  readonly reason: string;
  readonly base: number;
}) {
  return save(async () => {
    const { reviewerId: author } = await getReviewer();
    await dismissFinding(getAnnotationStore(), { ...unchecked, author }, await getActor());
  });
}

export async function restoreFindingAction(unchecked: {
  readonly key: string;
  readonly reason: string;
  readonly base: number;
}) {
  return save(async () => {
    const { reviewerId: author } = await getReviewer();
    await restoreFinding(getAnnotationStore(), { ...unchecked, author }, await getActor());
  });
}
