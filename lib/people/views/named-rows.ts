import { NotFoundError } from "@/lib/core/domain/app-error";
import { listNames } from "@/lib/core/format/list-names";

import type { ViewStore } from "./store";

const NOUNS = { views: "view", run_sets: "run set" } as const;

type NamedTable = keyof typeof NOUNS;

export function describeWrongRows(table: NamedTable, place: string, ids: readonly string[]): string | null {
  if (ids.length === 0) return null;
  return (
    `The saved ${NOUNS[table]}s in ${place} have rows that are none of this Assay and are left out: ${listNames(ids)}. ` +
    "Update Assay if a newer version wrote them, otherwise correct or delete them there."
  );
}

/** Renames, deletes or restores a row. @throws NotFoundError when it was deleted meanwhile, StoreError */
export async function changeNamedRow(
  store: ViewStore,
  table: NamedTable,
  id: string,
  values: { readonly name: string } | { readonly deleted_at: string | null },
): Promise<void> {
  const nChanged = await store.write(async ({ db }) => {
    const query = db.updateTable(table).set(values).where("id", "=", id);
    const { numUpdatedRows } = await (
      "name" in values ? query.where("deleted_at", "is", null) : query
    ).executeTakeFirst();
    return numUpdatedRows;
  });
  if (nChanged === 0n) throw new NotFoundError(`This ${NOUNS[table]} was deleted meanwhile.`);
}
