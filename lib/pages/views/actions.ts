"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { requireOwnName } from "@/lib/pages/annotations/reviewer";
import { noteSave } from "@/lib/pages/shell/live";
import { deleteView, getViewStore, renameView, restoreView, saveView } from "@/lib/people/views";

import { describeFailure } from "../../core/domain/describe-failure";

export type ViewResult =
  | { readonly status: "done" }
  | { readonly status: "failed"; readonly message: string };

const NEW_VIEW = z.object({ name: z.unknown(), href: z.unknown(), createdBy: z.unknown() });

export async function saveViewAction(view: {
  readonly name: string;
  readonly href: string;
  readonly createdBy: string | null;
}): Promise<ViewResult> {
  return change(async () => {
    const parsed = NEW_VIEW.safeParse(view);
    if (!parsed.success) throw new ValidationError("The page is out of date. Reload it.", {});
    await requireOwnName(parsed.data.createdBy);
    await saveView(getViewStore(), parsed.data);
  });
}

export async function renameViewAction(id: string, name: string): Promise<ViewResult> {
  return change(() => renameView(getViewStore(), { id, name }));
}

export async function deleteViewAction(id: string): Promise<ViewResult> {
  return change(() => deleteView(getViewStore(), id));
}

export async function restoreViewAction(id: string): Promise<ViewResult> {
  return change(() => restoreView(getViewStore(), id));
}

async function change(work: () => Promise<unknown>): Promise<ViewResult> {
  try {
    await work();
    noteSave();
    revalidatePath("/views");
    return { status: "done" };
  } catch (error) {
    return { status: "failed", message: describeFailure(error) };
  }
}
