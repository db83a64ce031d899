import { randomUUID } from "node:crypto";

import type { AnnotationStore } from "../store";
import { type ImportPlan, planImport } from "./file";
import { changeCodebook, readCodebook } from "./verbs";

/** What an import did, or would do. */
export interface ImportResult extends ImportPlan {
  /** Whether the codebook was changed. Never where there is an error or a conflict: all of a file is taken, or nothing. */
  readonly isDone: boolean;
  /** Of the codebook, after the import where it was done. */
  readonly version: number;
}

/**
 * Takes the categories of a file over, all or none.
 *
 * @param isTrial - says what would be done, and changes nothing
 * @throws ValidationError for a text that is no codebook's file
 * @throws ConflictError when somebody changed the codebook since it was compared with the file
 * @throws StoreError
 */
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
