import { randomUUID } from "node:crypto";

import type { AnnotationStore } from "../store";
import { type ImportPlan, planImport } from "./file";
import { changeCodebook, readCodebook } from "./verbs";

export interface ImportResult extends ImportPlan {
  readonly isDone: boolean;
  readonly version: number;
}

/** Imports all categories or none. @param isTrial - dry run @throws ValidationError; ConflictError if changed meanwhile */
export async function importCodebook(
  store: AnnotationStore,
  { text, author, isTrial }: { readonly text: string; readonly author: string; readonly isTrial: boolean },
): Promise<ImportResult> {
  const history = await readCodebook(store);
  const { version } = history.codebook;
  const plan = planImport(history, text, randomUUID);
  const { categories, errors, conflicts } = plan;
  if (isTrial || errors.length + conflicts.length > 0 || categories.length === 0)
    return { ...plan, isDone: false, version };
  const change = { kind: "import", categories };
  const after = await changeCodebook(store, { change, author, baseVersion: version });
  return { ...plan, isDone: true, version: after.codebook.version };
}
