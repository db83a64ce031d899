"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { getActor } from "@/lib/pages/annotations/actor";
import { type ImportSummary, runStagedImport } from "@/lib/pages/annotations/import";
import { getReviewer } from "@/lib/pages/annotations/reviewer";
import { noteSave } from "@/lib/pages/shell/live";
import { getAccount } from "@/lib/pages/shell/request";
import {
  addImportPart,
  beginImport,
  endImport,
  getAnnotationStore,
  undoTagImport,
} from "@/lib/people/annotations";

import { describeFailure } from "../../core/domain/describe-failure";

export type ImportResult<T> =
  | { readonly status: "done"; readonly value: T }
  | { readonly status: "failed"; readonly message: string };

const idSchema = z.uuid();
const partSchema = z.object({
  id: idSchema,
  file: z.int().min(0),
  name: z.string().max(1_000),
  base64: z.base64(),
});

export async function startImport(): Promise<ImportResult<string>> {
  return answer(async () => beginImport(await getOwner()));
}

export async function sendImportPart(unchecked: z.input<typeof partSchema>): Promise<ImportResult<null>> {
  return answer(async () => {
    const { id, ...part } = parse(partSchema, unchecked);
    addImportPart({ id, owner: await getOwner() }, part);
    return null;
  });
}

export async function checkImport(uncheckedId: string): Promise<ImportResult<ImportSummary>> {
  return answer(async () => {
    const id = parse(idSchema, uncheckedId);
    return runStagedImport({ id, owner: await getOwner() }, true);
  });
}

export async function applyImport(uncheckedId: string): Promise<ImportResult<ImportSummary>> {
  return answer(async () => {
    const id = parse(idSchema, uncheckedId);
    const summary = await runStagedImport({ id, owner: await getOwner() }, false);
    endImport(id);
    noteSave();
    revalidatePath("/", "layout");
    return summary;
  });
}

export async function undoTagImportAction(uncheckedId: string): Promise<ImportResult<null>> {
  return answer(async () => {
    const importId = parse(idSchema, uncheckedId);
    const [{ reviewerId: author }, actor] = await Promise.all([getReviewer(), getActor()]);
    await undoTagImport(getAnnotationStore(), { importId, author, actor });
    noteSave();
    revalidatePath("/", "layout");
    return null;
  });
}

async function getOwner(): Promise<string | null> {
  return (await getAccount())?.id ?? null;
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ValidationError("The page is out of date. Reload it and choose the files again.", {});
}

async function answer<T>(work: () => Promise<T>): Promise<ImportResult<T>> {
  try {
    return { status: "done", value: await work() };
  } catch (error) {
    return { status: "failed", message: describeFailure(error) };
  }
}
