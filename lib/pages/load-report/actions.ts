"use server";

import { revalidatePath } from "next/cache";

import { rescan } from "@/lib/pages/load-report/page";

/** Rescans all folders, including those that failed to load. Returns an error message, or null on success. */
export async function rescanAction(): Promise<string | null> {
  const failure = await rescan();
  revalidatePath("/load-report");
  return failure;
}
