"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { requireOwnName } from "@/lib/pages/annotations/reviewer";
import { findRunMembers } from "@/lib/pages/run-sets/members";
import { noteSave } from "@/lib/pages/shell/live";
import { deleteRunSet, getViewStore, renameRunSet, restoreRunSet, saveRunSet } from "@/lib/people/views";

import { describeFailure } from "../../core/domain/describe-failure";

export type RunSetResult =
  | { readonly status: "done"; readonly id: string }
  | { readonly status: "failed"; readonly message: string };

const NEW_SET = z.object({
  name: z.unknown(),
  refs: z.array(z.string().max(4000)).min(1).max(100),
  createdBy: z.unknown(),
  rule: z.unknown(),
  kind: z.unknown(),
});

/** Saves jobs as one run set, or as `apart`: not repeats of each other. `refs` are references from URLs. */
export async function saveRunSetAction(set: {
  readonly name: string;
  readonly refs: readonly string[];
  readonly createdBy: string | null;
  readonly rule: string | null;
  readonly kind: "together" | "apart";
}): Promise<RunSetResult> {
  return change(async () => {
    const parsed = NEW_SET.safeParse(set);
    if (!parsed.success) throw new ValidationError("Choose the jobs that are to be counted together.", {});
    const { refs, ...named } = parsed.data;
    await requireOwnName(named.createdBy);
    return (await saveRunSet(getViewStore(), { ...named, members: await findRunMembers(refs) })).id;
  });
}

export async function renameRunSetAction(id: string, name: string): Promise<RunSetResult> {
  return change(async () => {
    await renameRunSet(getViewStore(), { id, name });
    return id;
  });
}

export async function deleteRunSetAction(id: string): Promise<RunSetResult> {
  return change(async () => {
    await deleteRunSet(getViewStore(), id);
    return id;
  });
}

export async function restoreRunSetAction(id: string): Promise<RunSetResult> {
  return change(async () => {
    await restoreRunSet(getViewStore(), id);
    return id;
  });
}

async function change(work: () => Promise<string>): Promise<RunSetResult> {
  try {
    const id = await work();
    noteSave();
    for (const page of ["/", "/views"]) revalidatePath(page);
    return { status: "done", id };
  } catch (error) {
    return { status: "failed", message: describeFailure(error) };
  }
}
