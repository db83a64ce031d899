"use server";

import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { requireOwnName } from "@/lib/pages/annotations/reviewer";
import { findRunMembers } from "@/lib/pages/run-sets/runs";
import { save } from "@/lib/pages/shell/act";
import { deleteRunSet, getViewStore, renameRunSet, restoreRunSet, saveRunSet } from "@/lib/people/views";

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
}) {
  return save(async () => {
    const parsed = NEW_SET.safeParse(set);
    if (!parsed.success) throw new ValidationError("Choose the jobs to count together.", {});
    const { refs, ...named } = parsed.data;
    await requireOwnName(named.createdBy);
    const { id } = await saveRunSet(getViewStore(), { ...named, members: await findRunMembers(refs) });
    return { status: "done" as const, id };
  });
}

export async function renameRunSetAction(id: string, name: string) {
  return save(() => renameRunSet(getViewStore(), { id, name }));
}

export async function deleteRunSetAction(id: string) {
  return save(() => deleteRunSet(getViewStore(), id));
}

export async function restoreRunSetAction(id: string) {
  return save(() => restoreRunSet(getViewStore(), id));
}
