import { randomUUID } from "node:crypto";

import { type Account, findLowerRole, hasRole, type Role } from "@/lib/core/domain/account";
import { NotFoundError, ValidationError } from "@/lib/core/domain/app-error";

import { checkRole } from "./accounts";
import { type Actor, writeChange } from "./audit";
import { LABEL_LENGTH } from "./invitations";
import { hashSecret, makeSecret } from "./secrets";
import type { AccountStore } from "./store";

/** Lets secret scanners and people recognise a token. */
const PREFIX = "assay_";
const FORM = /^assay_[\w-]{43}$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_DAYS = 366;
const MOST_TOKENS = 50;

/** The token itself is shown once and not stored. */
export interface ListedToken {
  readonly id: string;
  readonly label: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Valid for 1 to 366 whole days; returns its text. @throws ValidationError */
export async function createToken(
  store: AccountStore,
  request: { readonly label: string; readonly role: Role; readonly days: number },
  by: Actor,
): Promise<string> {
  const owner = by.account;
  const label = request.label.trim();
  const role = checkRole(request.role);
  if (label === "" || label.length > LABEL_LENGTH)
    throw new ValidationError(`Name the token, in at most ${String(LABEL_LENGTH)} characters.`, {});
  if (!Number.isInteger(request.days) || request.days < 1 || request.days > MOST_DAYS)
    throw new ValidationError(`A token is valid for 1 to ${String(MOST_DAYS)} days.`, {});
  if (!hasRole(owner, role))
    throw new ValidationError("A token cannot have a higher role than its owner.", {});
  if ((await listTokens(store, owner.id)).length >= MOST_TOKENS)
    throw new ValidationError(`An account has at most ${String(MOST_TOKENS)} tokens. Revoke one.`, {});
  const token = `${PREFIX}${makeSecret()}`;
  const now = Date.now();
  await store.write(({ db }) =>
    db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("api_token")
        .values({
          id: randomUUID(),
          token_hash: hashSecret(token),
          user_id: owner.id,
          label,
          role,
          created_at: new Date(now).toISOString(),
          expires_at: new Date(now + request.days * DAY_MS).toISOString(),
          revoked_at: null,
        })
        .execute();
      await writeChange(transaction, by, "make token", `${label}: ${role}, for ${String(request.days)} days`);
    }),
  );
  return token;
}

export async function listTokens(store: AccountStore, ownerId: string): Promise<readonly ListedToken[]> {
  return store.read<readonly ListedToken[]>([], ({ db }) =>
    db
      .selectFrom("api_token")
      .select(["id", "label", "role", "created_at as createdAt", "expires_at as expiresAt"])
      .where("user_id", "=", ownerId)
      .where("revoked_at", "is", null)
      .where("expires_at", ">", new Date().toISOString())
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute(),
  );
}

export async function revokeToken(store: AccountStore, id: string, by: Actor): Promise<void> {
  await store.write(({ db }) =>
    db.transaction().execute(async (transaction) => {
      const revoked = await transaction
        .updateTable("api_token")
        .set({ revoked_at: new Date().toISOString() })
        .where("id", "=", id)
        .where("user_id", "=", by.account.id)
        .where("revoked_at", "is", null)
        .returning(["label", "role"])
        .executeTakeFirst();
      if (revoked === undefined) throw new NotFoundError("There is no such token.");
      await writeChange(transaction, by, "revoke token", `${revoked.label}: ${revoked.role}`);
    }),
  );
}

/** Grants the lower of the token's role and the owner's current role. @throws StoreError */
export async function findTokenAccount(store: AccountStore, token: string): Promise<Account | null> {
  if (!FORM.test(token)) return null;
  return store.read<Account | null>(null, async ({ db }) => {
    const found = await db
      .selectFrom("api_token")
      .innerJoin("user", "user.id", "api_token.user_id")
      .select(["user.id", "user.name", "user.role", "api_token.role as tokenRole"])
      .where("token_hash", "=", hashSecret(token))
      .where("revoked_at", "is", null)
      .where("expires_at", ">", new Date().toISOString())
      .where("user.blockedAt", "is", null)
      .executeTakeFirst();
    if (found === undefined) return null;
    return { id: found.id, name: found.name, role: findLowerRole(found.role, found.tokenRole) };
  });
}
