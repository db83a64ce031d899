import { randomUUID } from "node:crypto";

import type { Kysely } from "kysely";

import { type Account, type Role, ROLES } from "@/lib/core/domain/account";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ConflictError, NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import type { OpenDatabase } from "@/lib/store/database";

import { checkName, findNamesake } from "./account-names";
import { type Author, writeChange } from "./audit";
import { hashNewPassword } from "./passwords";
import { type AccountStore, type AccountTables, transact } from "./store";

interface NewAccount {
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

export interface ListedAccount extends Account {
  readonly createdAt: string;
  readonly blockedAt: string | null;
}

export function checkRole(role: string): Role {
  const found = ROLES.find((one) => one === role);
  if (found !== undefined) return found;
  const message = `A role is one of ${ROLES.join(", ")}.`;
  throw new ValidationError(message, { role: message });
}

/** @throws ValidationError, or ConflictError if the name is taken, ignoring case */
export async function addAccount(
  store: AccountStore,
  { name, role, password }: NewAccount,
  by: Author,
): Promise<Account> {
  const checked = {
    name: await checkName(name),
    role: checkRole(role),
    passwordHash: await hashNewPassword(password, name),
  };
  return transact(store, async (transaction) => {
    const account = await insertAccount(transaction, checked);
    await writeChange(transaction, by, "add account", `${account.name}, ${account.role}`);
    return account;
  });
}

/** Needs the caller's transaction. @throws ConflictError if the name is taken */
export async function insertAccount(
  db: Kysely<AccountTables>,
  { name, role, passwordHash }: Pick<NewAccount, "name" | "role"> & { readonly passwordHash: string },
): Promise<Account> {
  const account = await insertUser(db, { name, role });
  await insertIdentity(db, account.id, {
    providerId: PASSWORD_PROVIDER,
    accountId: account.id,
    password: passwordHash,
  });
  return account;
}

/** The account cannot sign in yet. @throws ConflictError if the name is taken */
export async function insertUser(
  db: Kysely<AccountTables>,
  { name, role }: Pick<NewAccount, "name" | "role">,
): Promise<Account> {
  const username = computeReviewerKey(name);
  const taken = await findNamesake(db, name);
  if (taken !== null)
    throw new ConflictError(
      `There is already an account ${taken.name}, which looks the same. Choose another name.`,
      taken.name,
    );
  const id = randomUUID();
  const now = new Date().toISOString();
  // Never used for mail; the library requires a unique address.
  const email = `${id}@accounts.invalid`;
  await db
    .insertInto("user")
    .values({
      id,
      name,
      email,
      emailVerified: 0,
      username,
      role,
      blockedAt: null,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  return { id, name, role };
}

/** Better Auth's provider id for passwords. */
export const PASSWORD_PROVIDER = "credential";

export async function insertIdentity(
  db: Kysely<AccountTables>,
  userId: string,
  identity: Pick<AccountTables["account"], "providerId" | "accountId" | "password">,
): Promise<void> {
  const now = new Date().toISOString();
  await db
    .insertInto("account")
    .values({ id: randomUUID(), userId, ...identity, createdAt: now, updatedAt: now })
    .execute();
}

/** Returns how an account signs in through a provider, or by {@link PASSWORD_PROVIDER}; undefined if it does not. */
export function findIdentity(
  db: Kysely<AccountTables>,
  userId: string,
  providerId: string,
): Promise<Pick<AccountTables["account"], "password"> | undefined> {
  return db
    .selectFrom("account")
    .select("password")
    .where("userId", "=", userId)
    .where("providerId", "=", providerId)
    .executeTakeFirst();
}

export async function listAccounts(store: AccountStore): Promise<readonly ListedAccount[]> {
  return store.read<readonly ListedAccount[]>([], ({ db }) =>
    db
      .selectFrom("user")
      .select(["id", "name", "role", "createdAt", "blockedAt"])
      .orderBy("username")
      .orderBy("id")
      .execute(),
  );
}

/** Ignores case. @throws NotFoundError */
export async function findAccount(store: AccountStore, name: string): Promise<ListedAccount> {
  const key = computeReviewerKey(name);
  const found = (await listAccounts(store)).find((account) => computeReviewerKey(account.name) === key);
  if (found === undefined) throw new NotFoundError(`There is no account ${name}.`);
  return found;
}

interface AccountChange {
  readonly role?: Role;
  readonly isBlocked?: boolean;
  readonly password?: string;
}

/** Blocking or a new password ends sessions and tokens. @throws ValidationError, NotFoundError, ConflictError (last admin) */
export async function changeAccount(
  store: AccountStore,
  id: string,
  change: AccountChange,
  by: Author,
): Promise<Account> {
  const { isBlocked } = change;
  const role = change.role === undefined ? undefined : checkRole(change.role);
  const name = (await listAccounts(store)).find((one) => one.id === id)?.name ?? "";
  const password = change.password === undefined ? undefined : await hashNewPassword(change.password, name);
  const now = new Date().toISOString();
  return transact(store, async (transaction, engine) => {
    await holdAdmins(transaction, engine);
    const ofId = transaction.selectFrom("user").select(["id", "name", "role"]).where("id", "=", id);
    const before = await (engine === "sqlite" ? ofId : ofId.forUpdate()).executeTakeFirst();
    if (before === undefined) throw new NotFoundError("There is no such account.");
    const blocking = isBlocked === undefined ? {} : { blockedAt: isBlocked ? now : null };
    const changed = { ...before, role: role ?? before.role };
    await transaction
      .updateTable("user")
      .set({ updatedAt: now, role: changed.role, ...blocking })
      .where("id", "=", id)
      .execute();
    if (password !== undefined) await replacePassword(transaction, id, password);
    if (password !== undefined || isBlocked === true) await endEverything(transaction, id, now);
    if (!(await hasAdmin(transaction)))
      throw new ConflictError("This is the last admin. Make another account an admin first.", changed.name);
    if (role !== undefined)
      await writeChange(transaction, by, "change role", `${name}: ${before.role} → ${role}`);
    if (isBlocked !== undefined)
      await writeChange(transaction, by, isBlocked ? "block account" : "unblock account", name);
    if (password !== undefined) await writeChange(transaction, by, "set password", name);
    return changed;
  });
}

async function endEverything(db: Kysely<AccountTables>, userId: string, now: string): Promise<void> {
  await db.deleteFrom("session").where("userId", "=", userId).execute();
  await db
    .updateTable("api_token")
    .set({ revoked_at: now })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
}

async function replacePassword(db: Kysely<AccountTables>, userId: string, password: string): Promise<void> {
  await db
    .deleteFrom("account")
    .where("userId", "=", userId)
    .where("providerId", "=", PASSWORD_PROVIDER)
    .execute();
  await insertIdentity(db, userId, { providerId: PASSWORD_PROVIDER, accountId: userId, password });
}

/** Serializes changes of admins until the transaction ends, so that two concurrent ones cannot leave none. */
export async function holdAdmins(
  db: Kysely<AccountTables>,
  engine: OpenDatabase<AccountTables>["engine"],
): Promise<void> {
  if (engine === "sqlite") return;
  await db.selectFrom("user").select("id").where("role", "=", "admin").orderBy("id").forUpdate().execute();
}

export async function hasAdmin(db: Kysely<AccountTables>): Promise<boolean> {
  const found = await db
    .selectFrom("user")
    .select("id")
    .where("role", "=", "admin")
    .where("blockedAt", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}
