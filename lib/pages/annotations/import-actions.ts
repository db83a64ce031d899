"use server";

import { z } from "zod";

import { runStagedImport } from "@/lib/pages/annotations/import";
import { getActor, getReviewer } from "@/lib/pages/annotations/reviewer";
import { act, save } from "@/lib/pages/shell/act";
import { getAccount } from "@/lib/pages/shell/request";
import {
  addImportPart,
  beginImport,
  endImport,
  getAnnotationStore,
  undoTagImport,
} from "@/lib/people/annotations";

const idSchema = z.uuid();
const partSchema = z.object({
  id: idSchema,
  file: z.int().min(0),
  name: z.string().max(1_000),
  base64: z.base64(),
});

export async function startImport() {
  return act(async () => ({ id: beginImport(await getOwner()) }));
}

export async function sendImportPart(unchecked: z.input<typeof partSchema>) {
  return act(async () => {
    const { id, ...part } = partSchema.parse(unchecked);
    addImportPart({ id, owner: await getOwner() }, part);
  });
}

export async function checkImport(uncheckedId: string) {
  return act(async () => {
    const id = idSchema.parse(uncheckedId);
    return runStagedImport({ id, owner: await getOwner() }, true);
  });
}

export async function applyImport(uncheckedId: string) {
  return save(async () => {
    const id = idSchema.parse(uncheckedId);
    const summary = await runStagedImport({ id, owner: await getOwner() }, false);
    endImport(id);
    return summary;
  });
}

export async function undoTagImportAction(uncheckedId: string) {
  return save(async () => {
    const importId = idSchema.parse(uncheckedId);
    const [{ reviewerId: author }, actor] = await Promise.all([getReviewer(), getActor()]);
    await undoTagImport(getAnnotationStore(), { importId, author, actor });
  });
}

async function getOwner(): Promise<string | null> {
  return (await getAccount())?.id ?? null;
}
