import { randomUUID } from "node:crypto";

import type { Kysely } from "kysely";

import { type Account, type Role, ROLES, hasRole } from "@/lib/core/domain/account";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ConflictError, NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import type { OpenDatabase } from "@/lib/store/database";

import { checkName, findNamesake, hashNewPassword } from "./account-names";
import { type Author, writeChange, type Actor } from "./audit";
import { type AccountStore, type AccountTables, transact } from "./store";

export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>[number];

export function checkRole(role: string): Role {
  const found = ROLES.find((one) => one === role);
  if (found !== undefined) return found;
  const message = `A role is one of ${ROLES.join(", ")}.`;
  throw new ValidationError(message, { role: message });
}

export async function addAccount(
  store: AccountStore,
  { name, role, password }: Pick<Account, "name" | "role"> & { readonly password: string },
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

/** Needs the caller's transaction. */
export async function insertAccount(
  db: Kysely<AccountTables>,
  { passwordHash, ...user }: Pick<Account, "name" | "role"> & { readonly passwordHash: string },
): Promise<Account> {
  const account = await insertUser(db, user);
  await insertPassword(db, account.id, passwordHash);
  return account;
}

function insertPassword(db: Kysely<AccountTables>, accountId: string, password: string): Promise<void> {
  return insertIdentity(db, accountId, { providerId: PASSWORD_PROVIDER, accountId, password });
}

/** The account cannot sign in yet. */
export async function insertUser(db: Kysely<AccountTables>, { name, role }: Pick<Account, "name" | "role">) {
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
      ...{ id, name, email, emailVerified: 0, username },
      ...{ role, blockedAt: null, createdAt: now, updatedAt: now },
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
export function findIdentity(db: Kysely<AccountTables>, userId: string, providerId: string) {
  return db
    .selectFrom("account")
    .select("password")
    .where((where) => where.and({ userId, providerId }))
    .executeTakeFirst();
}

export function listAccounts(store: AccountStore) {
  return store.read([], ({ db }) =>
    db
      .selectFrom("user")
      .select(["id", "name", "role", "createdAt", "blockedAt"])
      .orderBy("username")
      .orderBy("id")
      .execute(),
  );
}

/** Ignores case. */
export async function findAccount(store: AccountStore, name: string): Promise<ListedAccount> {
  const key = computeReviewerKey(name);
  const found = (await listAccounts(store)).find((account) => computeReviewerKey(account.name) === key);
  if (found === undefined) throw new NotFoundError(`There is no account ${name}.`);
  return found;
}

/** Blocking or a new password ends sessions and tokens. */
export async function changeAccount(
  store: AccountStore,
  id: string,
  change: { readonly role?: Role; readonly isBlocked?: boolean; readonly password?: string },
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
    if (password !== undefined) {
      const old = { userId: id, providerId: PASSWORD_PROVIDER };
      await transaction
        .deleteFrom("account")
        .where((where) => where.and(old))
        .execute();
      await insertPassword(transaction, id, password);
    }
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

/** Serializes changes of admins until the transaction ends, so that two concurrent ones cannot leave none. */
export async function holdAdmins(db: Kysely<AccountTables>, engine: OpenDatabase<AccountTables>["engine"]) {
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

const DEFAULT_ROLE: Role = "viewer";

type FolderRoles = ReadonlyMap<string, Role>;

export function readFolderRoles(store: AccountStore): Promise<FolderRoles> {
  return store.read<FolderRoles>(new Map(), async ({ db }) => {
    const rows = await db.selectFrom("folder_role").select(["address", "role"]).execute();
    return new Map(rows.map(({ address, role }) => [address, role]));
  });
}

export function listHiddenFolders(roles: FolderRoles, account: Account | null): readonly string[] {
  return [...roles].flatMap(([address, role]) => (hasRole(account, role) ? [] : address)).toSorted();
}

/** Takes a path or bucket URL; returns the old role. */
export async function setFolderRole(
  store: AccountStore,
  { address, role }: { readonly address: string; readonly role: Role },
  by: Actor,
): Promise<Role> {
  const checked = checkRole(role);
  return transact(store, async (transaction) => {
    const known = await transaction
      .selectFrom("folder_role")
      .select("role")
      .where("address", "=", address)
      .executeTakeFirst();
    const values = { role: checked, changed_at: new Date().toISOString(), changed_by: by.account.name };
    await transaction
      .insertInto("folder_role")
      .values({ address, ...values })
      .onConflict((conflict) => conflict.column("address").doUpdateSet(values))
      .execute();
    const before = known?.role ?? DEFAULT_ROLE;
    await writeChange(transaction, by, "show folder", `${address}: ${before} → ${checked}`);
    return before;
  });
}
