import "server-only";
import { revalidatePath } from "next/cache";
import { z } from "zod";

import { describeFailure, ConflictError, ValidationError } from "@/lib/core/domain/app-error";

import { noteSave } from "./live";

/** Expected failures are values, since forms keep what was typed. */
export interface ActionFailure {
  readonly status: "invalid" | "conflict" | "failed";
  readonly message: string;
  /** By field of the form. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Result of an action; `done` if its work returns nothing. */
type Outcome<T> = (T extends object ? T : { readonly status: "done" }) | ActionFailure;

/** Runs a server action that does not save, or shows itself what it saved. */
export async function act<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return ((await work()) ?? { status: "done" }) as Outcome<T>;
  } catch (error) {
    if (error instanceof z.ZodError)
      return { status: "failed", message: "The page is out of date. Reload it.", fields: {} };
    if (error instanceof ValidationError)
      return { status: "invalid", message: error.message, fields: error.fields };
    const isConflict = error instanceof ConflictError;
    // Rendering again gives the form the conflicting version.
    if (isConflict) revalidatePath("/", "layout");
    return { status: isConflict ? "conflict" : "failed", message: describeFailure(error), fields: {} };
  }
}

/** Runs a server action that saves, see {@link showSave}. */
export function save<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  return act(async () => {
    const value = await work();
    showSave();
    return value;
  });
}

/** Tells all pages of a save. The response includes the current page, rendered with the change. */
export function showSave(): void {
  noteSave();
  revalidatePath("/", "layout");
}
