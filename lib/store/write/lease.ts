import type { IndexStore } from "../open-store";

const NAME = "indexer";

/** How long a lease holds without being renewed. */
export const LEASE_MS = 15_000;

/** How far the clocks of several servers may be apart; see `lib/annotations/queues/leases.ts`. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Who may write the index. `kept`: we, as before, so that nobody else has written since. `taken`: we from now on, after
 * anybody may have written. `other`: another program.
 */
export type LeaseState = "kept" | "taken" | "other";

/**
 * Takes or renews the right to write the index. Of several programs over the same folders one keeps it up to date and the
 * others read; when that one ends without a word, another takes over after {@link LEASE_MS}. A row and no lock of a session: it
 * is the same on both engines, shows who holds it, and stays through a connection that is lost or that a pooler lends to somebody else.
 *
 * @param canTakeOver - whether a holder is known to have ended, so that its lease need not run out
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
    // A clock that went back would keep a dead holder's lease for ever.
    const isOfLaterClock = expiresMs > nowMs + LEASE_MS + CLOCK_SKEW_MS;
    const hasEnded = expiresMs <= nowMs || isOfLaterClock || canTakeOver(other);
    if (other !== holder && !hasEnded) return "other";
    const renewal = transaction
      .updateTable("leases")
      .set(values)
      .where("name", "=", NAME)
      .where("holder", "=", other);
    // Of two that see the same end, one takes it: the row must still be what was looked at. Our own may have been renewed
    // meanwhile by another part of this program.
    const claim = other === holder ? renewal : renewal.where("expiresMs", "=", expiresMs);
    const updated = await claim.executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return "other";
    return other === holder ? "kept" : "taken";
  });
}

/** Gives the lease back, so that another program need not wait. */
export async function returnLease({ db }: IndexStore, holder: string): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", NAME).where("holder", "=", holder).execute();
}
