import type { IndexStore } from "./open-store";

const NAME = "indexer";

/** How long a lease holds without being renewed. */
export const LEASE_MS = 15_000;

/**
 * Takes or renews the right to write the index. Of several programs over the same folders one keeps it up to date and the
 * others read; when that one ends without a word, another takes over after {@link LEASE_MS}.
 *
 * @param canTakeOver - whether a holder is known to have ended, so that its lease need not run out
 * @returns null when it is ours, else who has it
 */
export async function takeLease(
  { db }: IndexStore,
  holder: string,
  nowMs: number,
  canTakeOver: (other: string) => boolean,
): Promise<string | null> {
  return db.transaction().execute(async (transaction) => {
    const values = { holder, expires_ms: nowMs + LEASE_MS };
    await transaction
      .insertInto("leases")
      .values({ name: NAME, ...values })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const current = await transaction
      .selectFrom("leases")
      .selectAll()
      .where("name", "=", NAME)
      .executeTakeFirstOrThrow();
    const isFree =
      current.holder === holder ||
      current.expires_ms <= nowMs ||
      // A clock that went back would keep a dead holder's lease for ever.
      current.expires_ms > nowMs + LEASE_MS ||
      canTakeOver(current.holder);
    if (!isFree) return current.holder;
    await transaction.updateTable("leases").set(values).where("name", "=", NAME).execute();
    return null;
  });
}

/** Gives the lease back, so that another program need not wait. */
export async function returnLease({ db }: IndexStore, holder: string): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", NAME).where("holder", "=", holder).execute();
}
