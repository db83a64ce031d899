import type { JobKind } from "@/lib/core/domain/job";
import type { StoredHead } from "@/lib/core/domain/job-head";

import type { IndexStore } from "../open-store";
import type { Json } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { createVersion } from "./rows";
import { UNREAD } from "./source";

export interface FoundSource {
  readonly root: number;
  readonly folder: string;
  readonly kind: JobKind;
  readonly name: string;
  readonly nameSort: string;
  readonly whenMs: number | null;
  readonly nTrials: number;
  readonly head: Json<StoredHead>;
}

export async function readSources({ db }: IndexStore): Promise<readonly Stored<"sources">[]> {
  return db.selectFrom("sources").selectAll().orderBy("root").orderBy("folder").orderBy("kind").execute();
}

export async function readSource({ db }: IndexStore, id: number): Promise<Stored<"sources"> | null> {
  return (await db.selectFrom("sources").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/**
 * Adds a source and lists its job, so that pages show it before its trials are read. Does not change an existing source.
 *
 * @returns its id
 */
export async function addSource({ db }: IndexStore, found: FoundSource): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { root, folder, kind, ...listed } = found;
    const known = await transaction
      .selectFrom("sources")
      .select("id")
      .where("root", "=", root)
      .where("folder", "=", folder)
      .where("kind", "=", kind)
      .executeTakeFirst();
    if (known !== undefined) return known.id;
    const { id } = await transaction
      .insertInto("sources")
      .values({ root, folder, kind, state: "listed", fingerprint: "" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const { name } = listed;
    const version = createVersion();
    await transaction
      .insertInto("jobs")
      .values({
        sourceId: id,
        part: 0,
        version,
        trialsVersion: version,
        key: name,
        keySearch: name.toLowerCase(),
        ...listed,
        uuid: null,
        state: "unknown",
        purpose: "benchmark",
        verdict: "not-recorded",
        nMismatched: 0,
        bestMean: null,
        costUsd: null,
        search: `${name}\n${folder}`.toLowerCase(),
        aliases: "",
        ...UNREAD,
      })
      .execute();
    return id;
  });
}
