"use server";

import { z } from "zod";

import { queueHref } from "@/lib/pages/annotations/review-address";
import { getReviewer } from "@/lib/pages/annotations/reviewer";
import { save } from "@/lib/pages/shell/act";
import { getStore } from "@/lib/pages/shell/catalog";
import { queueNextLabels } from "@/lib/pages/verifier/page";

const request = z.object({ queue: z.string().max(200).nullable() });

export async function makeNextLabels(unchecked: z.input<typeof request>) {
  return save(async () => {
    const params = { ...request.parse(unchecked), jobs: [], agents: [], families: [] };
    const { reviewerId } = await getReviewer();
    const id = await queueNextLabels(await getStore(), params, reviewerId);
    return { href: queueHref(id) };
  });
}
