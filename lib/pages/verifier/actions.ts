"use server";

import type { Route } from "next";
import { revalidatePath } from "next/cache";
import { z } from "zod";

import { queueHref } from "@/lib/pages/annotations/review-address";
import { getReviewer } from "@/lib/pages/annotations/reviewer";
import { getStore } from "@/lib/pages/shell/catalog";
import { noteSave } from "@/lib/pages/shell/live";
import { queueNextLabels } from "@/lib/pages/verifier/next-labels";

import { describeFailure } from "../../core/domain/describe-failure";

export type NextLabelsResult =
  | { readonly status: "made"; readonly href: Route }
  | { readonly status: "failed"; readonly message: string };

const request = z.object({ queue: z.string().max(200).nullable() });

export async function makeNextLabels(unchecked: z.input<typeof request>): Promise<NextLabelsResult> {
  const parsed = request.safeParse(unchecked);
  if (!parsed.success) return { status: "failed", message: "The page is out of date. Reload it." };
  try {
    const params = { queue: parsed.data.queue, jobs: [], agents: [], families: [] };
    const { reviewerId } = await getReviewer();
    const id = await queueNextLabels(await getStore(), params, reviewerId);
    noteSave();
    revalidatePath("/", "layout");
    return { status: "made", href: queueHref(id) };
  } catch (error) {
    return { status: "failed", message: describeFailure(error) };
  }
}
