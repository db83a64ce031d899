import { randomUUID } from "node:crypto";

import type { ExpressionBuilder, Kysely } from "kysely";

import { type Account, findLowerRole, hasRole, type Role } from "@/lib/core/domain/account";
import { NotFoundError, ValidationError } from "@/lib/core/domain/app-error";

import { checkName, hashNewPassword } from "./account-names";
import { checkRole, insertAccount } from "./accounts";
import { type Actor, writeChange } from "./audit";
import { hashSecret, makeSecret } from "./secrets";
import { type AccountStore, type AccountTables, transact } from "./store";

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
const LABEL_LENGTH = 100;

export type Invitation = Awaited<ReturnType<typeof listInvitations>>[number];

/** Returns the secret of the link, which lasts one week, is shown once and not stored. */
export async function invite(
  store: AccountStore,
  request: { readonly role: Role; readonly label?: string },
  by: Actor,
): Promise<string> {
  const role = checkRole(request.role);
  const label = checkLabel(request.label ?? "");
  const secret = makeSecret();
  const now = Date.now();
  await transact(store, async (transaction) => {
    await transaction
      .insertInto("invitation")
      .values({
        ...{ id: randomUUID(), token_hash: hashSecret(secret), role, label },
        created_at: new Date(now).toISOString(),
        created_by: by.account.name,
        expires_at: new Date(now + DAYS * DAY_MS).toISOString(),
        ...{ revoked_at: null, accepted_at: null, accepted_by: null },
      })
      .execute();
    await writeChange(transaction, by, "invite", describe({ role, label }));
  });
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

export function listInvitations(store: AccountStore) {
  return store.read([], ({ db }) =>
    db
      .selectFrom("invitation")
      .select(["id", "role", "label", "created_at as createdAt"])
      .select(["created_by as createdBy", "expires_at as expiresAt"])
      .where(isOpen)
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute(),
  );
}

function isOpen(where: ExpressionBuilder<AccountTables, "invitation">) {
  return where.and([
    where("revoked_at", "is", null),
    where("accepted_at", "is", null),
    where("expires_at", ">", new Date().toISOString()),
  ]);
}

export type Promised = NonNullable<Awaited<ReturnType<typeof readInvitation>>>;

export async function readInvitation(store: AccountStore, secret: string) {
  const found = await store.read(undefined, ({ db }) =>
    db
      .selectFrom("invitation")
      .select(["role", "created_by as createdBy", "expires_at as expiresAt"])
      .where("token_hash", "=", hashSecret(secret))
      .where(isOpen)
      .executeTakeFirst(),
  );
  return found ?? null;
}

export async function revokeInvitation(store: AccountStore, id: string, by: Actor): Promise<void> {
  await transact(store, async (transaction) => {
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
  });
}

/** Only one of two concurrent calls succeeds. */
export async function acceptInvitation(
  store: AccountStore,
  request: { readonly secret: string; readonly name: string; readonly password: string },
  address: string,
): Promise<Account> {
  // Checked first, so that strangers cannot have passwords hashed here.
  if ((await readInvitation(store, request.secret)) === null) throw goneError();
  const name = await checkName(request.name);
  const passwordHash = await hashNewPassword(request.password, name);
  return transact(store, async (transaction) => {
    const taken = await takeInvitation(transaction, request.secret, name);
    if (taken === null) throw goneError();
    const account = await insertAccount(transaction, { name, role: taken.role, passwordHash });
    const detail = `new account, ${describe(taken)}, invited by ${taken.createdBy}`;
    await writeChange(transaction, { account, address }, "accept invitation", detail);
    return account;
  });
}

/** Needs the caller's transaction. Returns null for an invalid invitation. */
export async function takeInvitation(db: Kysely<AccountTables>, secret: string, name: string) {
  const taken = await db
    .updateTable("invitation")
    .set({ accepted_at: new Date().toISOString(), accepted_by: name })
    .where("token_hash", "=", hashSecret(secret))
    .where(isOpen)
    .returning(["role", "label", "created_by as createdBy"])
    .executeTakeFirst();
  return taken ?? null;
}

function goneError(): NotFoundError {
  return new NotFoundError(
    "This invitation was used, was revoked or has expired. Ask an admin for a new one.",
  );
}

/** Lets secret scanners and people recognise a token. */
const PREFIX = "assay_";
const FORM = /^assay_[\w-]{43}$/;
const MOST_DAYS = 366;
const MOST_TOKENS = 50;

export type ListedToken = Awaited<ReturnType<typeof listTokens>>[number];

/** Valid for 1 to 366 whole days; returns its text, which is shown once and not stored. */
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
  await transact(store, async (transaction) => {
    await transaction
      .insertInto("api_token")
      .values({
        ...{ id: randomUUID(), token_hash: hashSecret(token), user_id: owner.id, label, role },
        created_at: new Date(now).toISOString(),
        expires_at: new Date(now + request.days * DAY_MS).toISOString(),
        revoked_at: null,
      })
      .execute();
    await writeChange(transaction, by, "make token", `${label}: ${role}, for ${String(request.days)} days`);
  });
  return token;
}

export function listTokens(store: AccountStore, ownerId: string) {
  return store.read([], ({ db }) =>
    db
      .selectFrom("api_token")
      .select(["id", "label", "role", "created_at as createdAt", "expires_at as expiresAt"])
      .where("user_id", "=", ownerId)
      .where(isValid)
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute(),
  );
}

function isValid(where: ExpressionBuilder<AccountTables, "api_token">) {
  return where.and([where("revoked_at", "is", null), where("expires_at", ">", new Date().toISOString())]);
}

export async function revokeToken(store: AccountStore, id: string, by: Actor): Promise<void> {
  await transact(store, async (transaction) => {
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
  });
}

/** Grants the lower of the token's role and the owner's current role. */
export async function findTokenAccount(store: AccountStore, token: string): Promise<Account | null> {
  if (!FORM.test(token)) return null;
  return store.read<Account | null>(null, async ({ db }) => {
    const found = await db
      .selectFrom("api_token")
      .innerJoin("user", "user.id", "api_token.user_id")
      .select(["user.id", "user.name", "user.role", "api_token.role as tokenRole"])
      .where("token_hash", "=", hashSecret(token))
      .where(isValid)
      .where("user.blockedAt", "is", null)
      .executeTakeFirst();
    return found === undefined
      ? null
      : { id: found.id, name: found.name, role: findLowerRole(found.role, found.tokenRole) };
  });
}
