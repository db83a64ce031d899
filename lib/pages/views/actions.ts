"use server";

import { z } from "zod";

import { requireOwnName } from "@/lib/pages/annotations/reviewer";
import { save } from "@/lib/pages/shell/act";
import { deleteView, getViewStore, renameView, restoreView, saveView } from "@/lib/people/views";

const NEW_VIEW = z.object({ name: z.unknown(), href: z.unknown(), createdBy: z.unknown() });

export async function saveViewAction(unchecked: {
  readonly name: string;
  readonly href: string;
  readonly createdBy: string | null;
}) {
  return save(async () => {
    const view = NEW_VIEW.parse(unchecked);
    await requireOwnName(view.createdBy);
    await saveView(getViewStore(), view);
  });
}

export async function renameViewAction(id: string, name: string) {
  return save(() => renameView(getViewStore(), { id, name }));
}

export async function deleteViewAction(id: string) {
  return save(() => deleteView(getViewStore(), id));
}

export async function restoreViewAction(id: string) {
  return save(() => restoreView(getViewStore(), id));
}
