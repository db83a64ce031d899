import { randomUUID } from "node:crypto";

import type { Kysely } from "kysely";

import type { OpenDatabase } from "@/lib/database";
import { type Account, type Role, ROLES } from "@/lib/domain/account";
import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/domain/annotation";
import { ConflictError, NotFoundError, ValidationError } from "@/lib/domain/app-error";
import { findNameProblem } from "@/lib/domain/name-problem";

import { type Author, writeChange } from "./audit";
import type { AccountStore, AccountTables } from "./store";

/** Better Auth's defaults. */
const PASSWORD_LENGTH = { least: 8, most: 128 } as const;

export interface NewAccount {
  readonly name: string;
  readonly role: Role;
  /** 8 to 128 characters. */
  readonly password: string;
}

export interface ListedAccount extends Account {
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  /** Time of the block; null for an active account. */
  readonly blockedAt: string | null;
}

/** Names that the audit log and judgments use for actors that are not people. */
const RESERVED: readonly string[] = ["command line", "assay"];

/** Returns the key of a name without invisible characters, so that no name passes for another. */
function computeSeenKey(name: string): string {
  return computeReviewerKey(name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ""));
}

/** True if the audit log uses the name for an actor that is not a person. */
export function isReservedName(name: string): boolean {
  return RESERVED.includes(computeSeenKey(name));
}

/** Finds the account with this name, ignoring case and invisible characters; null for none. */
export async function findNamesake(
  db: Kysely<AccountTables>,
  name: string,
): Promise<Pick<Account, "id" | "name"> | null> {
  const key = computeSeenKey(name);
  const all = await db.selectFrom("user").select(["id", "name"]).execute();
  return all.find((one) => computeSeenKey(one.name) === key) ?? null;
}

/** Returns the trimmed name. @throws ValidationError if it is empty, too long, reserved, or has invisible characters */
export function checkName(name: string): string {
  const trimmed = name.trim();
  if (computeReviewerKey(trimmed) === "") throw invalid("name", "Enter a name: it is shown with judgments.");
  if (/[\p{Cc}\p{Cs}]/u.test(trimmed)) throw invalid("name", "A name has no control characters.");
  const problem = findNameProblem(trimmed);
  if (problem !== null) throw invalid("name", problem);
  if (isReservedName(trimmed))
    throw invalid("name", `Nobody is called ${trimmed} here. Choose another name.`);
  if (trimmed.length <= DRAFT_LIMITS.reviewerId) return trimmed;
  throw invalid("name", `A name has at most ${String(DRAFT_LIMITS.reviewerId)} characters.`);
}

/** Returns the role of this name. @throws ValidationError */
export function checkRole(role: string): Role {
  const found = ROLES.find((one) => one === role);
  if (found !== undefined) return found;
  throw invalid("role", `A role is one of ${ROLES.join(", ")}.`);
}

/** Returns Better Auth's scrypt hash of a password. @throws ValidationError if it is too short or too long */
export async function hashPassword(password: string): Promise<string> {
  const { least, most } = PASSWORD_LENGTH;
  if (password.length < least)
    throw invalid("password", `A password has at least ${String(least)} characters.`);
  if (password.length > most) throw invalid("password", `A password has at most ${String(most)} characters.`);
  // Loaded on use, because most programs have no accounts.
  const crypto = await import("better-auth/crypto");
  return crypto.hashPassword(password);
}

/** Adds an account with a password and logs it. @throws ValidationError, or ConflictError if the name is taken, ignoring case */
export async function addAccount(
  store: AccountStore,
  { name, role, password }: NewAccount,
  by: Author,
): Promise<Account> {
  const checked = {
    name: checkName(name),
    role: checkRole(role),
    passwordHash: await hashPassword(password),
  };
  return store.write(({ db }) =>
    db.transaction().execute(async (transaction) => {
      const account = await insertAccount(transaction, checked);
      await writeChange(transaction, by, "add account", `${account.name}, ${account.role}`);
      return account;
    }),
  );
}

/** Inserts an account with a password, in the caller's transaction. @throws ConflictError if the name is taken */
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

/** Inserts an account without a way to sign in. @throws ConflictError if the name is taken */
export async function insertUser(
  db: Kysely<AccountTables>,
  { name, role }: Pick<NewAccount, "name" | "role">,
): Promise<Account> {
  const username = computeReviewerKey(name);
  const taken = await findNamesake(db, name);
  if (taken !== null) throw new ConflictError(`There is an account ${taken.name} already.`, taken.name);
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

/** Adds a way to sign in: a password, or an OpenID Connect identity. */
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

/** Lists every account by name. @throws StoreError */
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

/** Finds an account by name, ignoring case. @throws NotFoundError */
export async function findAccount(store: AccountStore, name: string): Promise<ListedAccount> {
  const key = computeReviewerKey(name);
  const found = (await listAccounts(store)).find((account) => computeReviewerKey(account.name) === key);
  if (found === undefined) throw new NotFoundError(`There is no account ${name}.`);
  return found;
}

export interface AccountChange {
  readonly role?: Role;
  /** A blocked account has no access; its judgments stay. */
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
  const password = change.password === undefined ? undefined : await hashPassword(change.password);
  const now = new Date().toISOString();
  return store.write(({ db, engine }) =>
    db.transaction().execute(async (transaction) => {
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
        throw new ConflictError("This is the last admin. Make somebody else an admin first.", changed.name);
      const { name } = changed;
      if (role !== undefined)
        await writeChange(transaction, by, "change role", `${name}: ${before.role} → ${role}`);
      if (isBlocked !== undefined)
        await writeChange(transaction, by, isBlocked ? "block account" : "unblock account", name);
      if (password !== undefined) await writeChange(transaction, by, "set password", name);
      return changed;
    }),
  );
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

/** An account from a provider has no password yet. */
async function replacePassword(db: Kysely<AccountTables>, userId: string, password: string): Promise<void> {
  await db
    .deleteFrom("account")
    .where("userId", "=", userId)
    .where("providerId", "=", PASSWORD_PROVIDER)
    .execute();
  await insertIdentity(db, userId, { providerId: PASSWORD_PROVIDER, accountId: userId, password });
}

/** Serializes changes of admins until the transaction ends, so that two at once cannot leave none. */
export async function holdAdmins(
  db: Kysely<AccountTables>,
  engine: OpenDatabase<AccountTables>["engine"],
): Promise<void> {
  // SQLite serializes writing transactions itself.
  if (engine === "sqlite") return;
  await db.selectFrom("user").select("id").where("role", "=", "admin").orderBy("id").forUpdate().execute();
}

/** True if an admin can sign in. */
export async function hasAdmin(db: Kysely<AccountTables>): Promise<boolean> {
  const found = await db
    .selectFrom("user")
    .select("id")
    .where("role", "=", "admin")
    .where("blockedAt", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}

function invalid(field: string, message: string): ValidationError {
  return new ValidationError(message, { [field]: message });
}
