import { randomUUID } from "node:crypto";

import type { Kysely } from "kysely";

import type { Account, Role } from "@/lib/core/domain/account";
import { NotFoundError, ValidationError } from "@/lib/core/domain/app-error";

import { checkName } from "./account-names";
import { checkRole, insertAccount } from "./accounts";
import { type Actor, writeChange } from "./audit";
import { hashNewPassword } from "./passwords";
import { hashSecret, makeSecret } from "./secrets";
import type { AccountStore, AccountTables } from "./store";

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
export const LABEL_LENGTH = 100;

/** The link is shown once and not stored. */
export interface Invitation {
  readonly id: string;
  readonly role: Role;
  readonly label: string | null;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
}

/** Returns the secret of the link, which lasts one week. @throws ValidationError */
export async function invite(
  store: AccountStore,
  request: { readonly role: Role; readonly label?: string },
  by: Actor,
): Promise<string> {
  const role = checkRole(request.role);
  const label = checkLabel(request.label ?? "");
  const secret = makeSecret();
  const now = Date.now();
  await store.write(({ db }) =>
    db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("invitation")
        .values({
          id: randomUUID(),
          token_hash: hashSecret(secret),
          role,
          created_at: new Date(now).toISOString(),
          created_by: by.account.name,
          expires_at: new Date(now + DAYS * DAY_MS).toISOString(),
          revoked_at: null,
          accepted_at: null,
          accepted_by: null,
          label,
        })
        .execute();
      await writeChange(transaction, by, "invite", describe({ role, label }));
    }),
  );
  return secret;
}

function checkLabel(text: string): string | null {
  const label = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
  if (label.length <= LABEL_LENGTH) return label || null;
  throw new ValidationError(`Enter who it is for, in at most ${String(LABEL_LENGTH)} characters.`, {});
}

function describe({ role, label }: Pick<Invitation, "role" | "label">): string {
  return label === null ? role : `${role}, for ${label}`;
}

export async function listInvitations(store: AccountStore): Promise<readonly Invitation[]> {
  return store.read<readonly Invitation[]>([], ({ db }) =>
    db
      .selectFrom("invitation")
      .select([
        "id",
        "role",
        "label",
        "created_at as createdAt",
        "created_by as createdBy",
        "expires_at as expiresAt",
      ])
      .where("revoked_at", "is", null)
      .where("accepted_at", "is", null)
      .where("expires_at", ">", new Date().toISOString())
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute(),
  );
}

export type Promised = Pick<Invitation, "role" | "createdBy" | "expiresAt">;

export async function readInvitation(store: AccountStore, secret: string): Promise<Promised | null> {
  return store.read<Promised | null>(null, async ({ db }) => {
    const found = await db
      .selectFrom("invitation")
      .select(["role", "created_by as createdBy", "expires_at as expiresAt"])
      .where("token_hash", "=", hashSecret(secret))
      .where("revoked_at", "is", null)
      .where("accepted_at", "is", null)
      .where("expires_at", ">", new Date().toISOString())
      .executeTakeFirst();
    return found ?? null;
  });
}

export async function revokeInvitation(store: AccountStore, id: string, by: Actor): Promise<void> {
  await store.write(({ db }) =>
    db.transaction().execute(async (transaction) => {
      const revoked = await transaction
        .updateTable("invitation")
        .set({ revoked_at: new Date().toISOString() })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .where("accepted_at", "is", null)
        .returning(["role", "label", "created_by"])
        .executeTakeFirst();
      if (revoked === undefined) throw new NotFoundError("This invitation was already accepted or revoked.");
      const detail = `${describe(revoked)}, made by ${revoked.created_by}`;
      await writeChange(transaction, by, "revoke invitation", detail);
    }),
  );
}

/** Only one of two concurrent calls succeeds. @throws ValidationError, ConflictError (name), NotFoundError */
export async function acceptInvitation(
  store: AccountStore,
  request: { readonly secret: string; readonly name: string; readonly password: string },
  address: string,
): Promise<Account> {
  // Checked first, so that strangers cannot have passwords hashed here.
  if ((await readInvitation(store, request.secret)) === null) throw goneError();
  const name = await checkName(request.name);
  const passwordHash = await hashNewPassword(request.password, name);
  return store.write(({ db }) =>
    db.transaction().execute(async (transaction) => {
      const taken = await takeInvitation(transaction, request.secret, name);
      if (taken === null) throw goneError();
      const account = await insertAccount(transaction, { name, role: taken.role, passwordHash });
      const detail = `new account, ${describe(taken)}, invited by ${taken.createdBy}`;
      await writeChange(transaction, { account, address }, "accept invitation", detail);
      return account;
    }),
  );
}

/** Needs the caller's transaction. Returns null for an invalid invitation. */
export async function takeInvitation(
  db: Kysely<AccountTables>,
  secret: string,
  name: string,
): Promise<Pick<Invitation, "role" | "label" | "createdBy"> | null> {
  const now = new Date().toISOString();
  const taken = await db
    .updateTable("invitation")
    .set({ accepted_at: now, accepted_by: name })
    .where("token_hash", "=", hashSecret(secret))
    .where("revoked_at", "is", null)
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .returning(["role", "label", "created_by as createdBy"])
    .executeTakeFirst();
  return taken ?? null;
}

function goneError(): NotFoundError {
  return new NotFoundError(
    "This invitation was used, was revoked or has expired. Ask an admin for a new one.",
  );
}
