import { randomUUID } from "node:crypto";

import type { Kysely } from "kysely";

import type { Account, Role } from "@/lib/domain/account";
import { NotFoundError } from "@/lib/domain/app-error";

import { checkName, checkRole, hashPassword, insertAccount } from "./accounts";
import { hashSecret, makeSecret } from "./secrets";
import type { AccountStore, AccountTables } from "./store";

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/** An invitation as admins see it: the link itself is shown once and stored nowhere. */
export interface Invitation {
  readonly id: string;
  readonly role: Role;
  /** UTC, ISO 8601, as are the others. */
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
}

/** Makes an invitation that one person can accept within a week. @returns the secret of its link @throws ValidationError */
export async function invite(
  store: AccountStore,
  { role, createdBy }: { readonly role: Role; readonly createdBy: string },
): Promise<string> {
  const secret = makeSecret();
  const now = Date.now();
  await store.write(({ db }) =>
    db
      .insertInto("invitation")
      .values({
        id: randomUUID(),
        token_hash: hashSecret(secret),
        role: checkRole(role),
        created_at: new Date(now).toISOString(),
        created_by: createdBy,
        expires_at: new Date(now + DAYS * DAY_MS).toISOString(),
        revoked_at: null,
        accepted_at: null,
        accepted_by: null,
      })
      .execute(),
  );
  return secret;
}

/** Lists invitations that can still be accepted, the newest first. @throws StoreError */
export async function listInvitations(store: AccountStore): Promise<readonly Invitation[]> {
  return store.read<readonly Invitation[]>([], ({ db }) =>
    db
      .selectFrom("invitation")
      .select(["id", "role", "created_at as createdAt", "created_by as createdBy", "expires_at as expiresAt"])
      .where("revoked_at", "is", null)
      .where("accepted_at", "is", null)
      .where("expires_at", ">", new Date().toISOString())
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute(),
  );
}

/** Returns the role that an invitation gives; null for one that cannot be accepted, or is none. @throws StoreError */
export async function readInvitation(store: AccountStore, secret: string): Promise<Role | null> {
  return store.read<Role | null>(null, async ({ db }) => {
    const found = await db
      .selectFrom("invitation")
      .select("role")
      .where("token_hash", "=", hashSecret(secret))
      .where("revoked_at", "is", null)
      .where("accepted_at", "is", null)
      .where("expires_at", ">", new Date().toISOString())
      .executeTakeFirst();
    return found?.role ?? null;
  });
}

/** Takes an invitation back that nobody accepted. @throws NotFoundError */
export async function revokeInvitation(store: AccountStore, id: string): Promise<void> {
  const { numUpdatedRows } = await store.write(({ db }) =>
    db
      .updateTable("invitation")
      .set({ revoked_at: new Date().toISOString() })
      .where("id", "=", id)
      .where("revoked_at", "is", null)
      .where("accepted_at", "is", null)
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) throw new NotFoundError("This invitation was accepted or revoked already.");
}

/**
 * Makes the account that an invitation promises. Of two who accept it at once, one does.
 *
 * @throws ValidationError, ConflictError when somebody has that name, or NotFoundError when it cannot be accepted any more
 */
export async function acceptInvitation(
  store: AccountStore,
  request: { readonly secret: string; readonly name: string; readonly password: string },
): Promise<Account> {
  // Asked first, so that nobody without one has passwords hashed here.
  if ((await readInvitation(store, request.secret)) === null) throw goneError();
  const name = checkName(request.name);
  const passwordHash = await hashPassword(request.password);
  return store.write(({ db }) =>
    db.transaction().execute(async (transaction) => {
      const role = await takeInvitation(transaction, request.secret, name);
      if (role === null) throw goneError();
      return insertAccount(transaction, { name, role, passwordHash });
    }),
  );
}

/**
 * Marks an invitation as accepted, in the transaction of whoever calls.
 *
 * @param name - of the account that comes of it
 * @returns the role that it gives; null when it cannot be accepted, or is none
 */
export async function takeInvitation(
  db: Kysely<AccountTables>,
  secret: string,
  name: string,
): Promise<Role | null> {
  const now = new Date().toISOString();
  const taken = await db
    .updateTable("invitation")
    .set({ accepted_at: now, accepted_by: name })
    .where("token_hash", "=", hashSecret(secret))
    .where("revoked_at", "is", null)
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .returning("role")
    .executeTakeFirst();
  return taken?.role ?? null;
}

function goneError(): NotFoundError {
  return new NotFoundError("This invitation was used, revoked, or is too old. Ask an admin for a new one.");
}
