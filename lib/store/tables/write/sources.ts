import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";
import { type JobContent, writeJob } from "./source";

export type FoundSource = Pick<Stored<"sources">, "root" | "folder" | "kind"> & {
  readonly job: JobContent["job"];
};

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
    const { root, folder, kind, job } = found;
    const known = await transaction
      .selectFrom("sources")
      .select("id")
      .where((where) => where.and({ root, folder, kind }))
      .executeTakeFirst();
    if (known !== undefined) return known.id;
    const { id } = await transaction
      .insertInto("sources")
      .values({ root, folder, kind, state: "listed", fingerprint: "" })
      .returning("id")
      .executeTakeFirstOrThrow();
    await writeJob(transaction, id, 0, job);
    return id;
  });
}

const NAME = "indexer";

export const LEASE_MS = 15_000;

/** Largest clock difference between servers; see `lib/people/annotations/queues/stored-queue.ts`. */
const CLOCK_SKEW_MS = 60_000;

/**
 * `kept`: we still hold the lease, so no other program has written. `taken`: we hold it from now on, and others may have written
 * before. `other`: another program holds it.
 */
type LeaseState = "kept" | "taken" | "other";

/**
 * Takes or renews the right to write the index. One of several programs over the same folders updates it and the others read; if
 * it dies, another takes over after {@link LEASE_MS}. The lease is a row, not a session lock: it works the same on both engines
 * and shows its holder. It also survives a lost connection, or one that a pooler lends to another client.
 *
 * @param canTakeOver - true if the holder is known to have ended, so that its lease need not run out
 */
export async function takeLease(
  { db }: IndexStore,
  holder: string,
  nowMs: number,
  canTakeOver: (other: string) => boolean,
): Promise<LeaseState> {
  const values = { holder, expiresMs: nowMs + LEASE_MS };
  return db.transaction().execute(async (transaction) => {
    const added = await transaction
      .insertInto("leases")
      .values({ name: NAME, ...values })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 1n) return "taken";
    const { holder: other, expiresMs } = await transaction
      .selectFrom("leases")
      .selectAll()
      .where("name", "=", NAME)
      .executeTakeFirstOrThrow();
    // A clock that went back would keep a dead holder's lease forever.
    const isOfLaterClock = expiresMs > nowMs + LEASE_MS + CLOCK_SKEW_MS;
    const hasEnded = expiresMs <= nowMs || isOfLaterClock || canTakeOver(other);
    if (other !== holder && !hasEnded) return "other";
    const renewal = transaction
      .updateTable("leases")
      .set(values)
      .where("name", "=", NAME)
      .where("holder", "=", other);
    // If two see the same expiry, one wins: the row must be unchanged. Another part of this program may have renewed our own.
    const claim = other === holder ? renewal : renewal.where("expiresMs", "=", expiresMs);
    const updated = await claim.executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return "other";
    return other === holder ? "kept" : "taken";
  });
}

export async function returnLease({ db }: IndexStore, holder: string): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", NAME).where("holder", "=", holder).execute();
}
