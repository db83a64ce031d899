"use server";

import { revalidatePath } from "next/cache";

import { rescan } from "@/lib/queries/shell/load-report";

/** Looks at every folder now, at those whose reading failed too; why that did not work in one sentence, null when it did. */
export async function rescanAction(): Promise<string | null> {
  const failure = await rescan();
  revalidatePath("/load-report");
  return failure;
}
