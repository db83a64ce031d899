import { NotFoundError } from "@/lib/domain/app-error";

import type { ViewStore } from "./store";

/** What people give names to, by its table, in words. */
const NOUNS = { views: "view", run_sets: "run set" } as const;

type NamedTable = keyof typeof NOUNS;

/** Most rows that a sentence names. */
const MOST_NAMED = 3;

/** Which rows are left out because they cannot be read, and what to do; null where there are none. */
export function describeWrongRows(table: NamedTable, place: string, ids: readonly string[]): string | null {
  if (ids.length === 0) return null;
  const named = ids.slice(0, MOST_NAMED).join(", ");
  const more = ids.length > MOST_NAMED ? ` and ${String(ids.length - MOST_NAMED)} more` : "";
  return (
    `The saved ${NOUNS[table]}s in ${place} have rows that are none of this Assay and are left out: ${named}${more}. ` +
    "Update Assay if a newer version wrote them, otherwise correct or delete them there."
  );
}

/** Gives a row another name, takes it away or brings it back. @throws NotFoundError when it was deleted meanwhile, StoreError */
export async function changeNamedRow(
  store: ViewStore,
  table: NamedTable,
  id: string,
  values: { readonly name: string } | { readonly deleted_at: string | null },
): Promise<void> {
  const nChanged = await store.write(async ({ db }) => {
    const query = db.updateTable(table).set(values).where("id", "=", id);
    // A name is given to what can be seen only.
    const { numUpdatedRows } = await (
      "name" in values ? query.where("deleted_at", "is", null) : query
    ).executeTakeFirst();
    return numUpdatedRows;
  });
  if (nChanged === 0n) throw new NotFoundError(`This ${NOUNS[table]} was deleted meanwhile.`);
}
