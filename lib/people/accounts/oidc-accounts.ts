import type { Kysely, Transaction } from "kysely";

import { type Account, type Role, ROLES } from "@/lib/core/domain/account";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { ConflictError } from "@/lib/core/domain/app-error";

import { findAccountNameProblem, findNamesake } from "./account-names";
import {
  findIdentity,
  hasAdmin,
  holdAdmins,
  insertIdentity,
  insertUser,
  PASSWORD_PROVIDER,
} from "./accounts";
import { type Actor, writeChange } from "./audit";
import { takeInvitation } from "./invitations";
import { type Person, SignInRefusal } from "./oidc-provider";
import type { OidcSettings } from "./oidc-settings";
import { type AccountStore, type AccountTables, transact } from "./store";

export interface Claim {
  readonly invitation: string | null;
  readonly connectTo: Account | null;
}

export interface Found {
  readonly account: Account;
  readonly change: string;
}

/** Identifies a person by issuer and subject only: e-mail addresses and names can pass to other people. @throws SignInRefusal */
export async function findPersonsAccount(
  store: AccountStore,
  settings: OidcSettings,
  person: Person,
  claim: Claim,
): Promise<Found> {
  checkEmail(person, settings);
  return transact(store, async (transaction, engine) => {
    await holdAdmins(transaction, engine);
    const known = await findByIdentity(transaction, settings, person);
    if (claim.connectTo !== null) return connect(transaction, settings, person, claim.connectTo, known);
    if (known === null) return addPerson(transaction, settings, person, claim.invitation);
    if (known.isBlocked) throw new SignInRefusal("blocked", "", known.account);
    return follow(transaction, settings, person, known.account);
  });
}

export async function isConnected(
  store: AccountStore,
  { issuer }: Pick<OidcSettings, "issuer">,
  userId: string,
): Promise<boolean> {
  return store.read(false, ({ db }) => hasIdentity(db, issuer, userId));
}

/** Sessions stay. @throws ConflictError without a password to sign in with */
export async function disconnect(
  store: AccountStore,
  { issuer }: Pick<OidcSettings, "issuer">,
  by: Actor,
): Promise<void> {
  const { id, name } = by.account;
  await transact(store, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom("account")
      .where("userId", "=", id)
      .where("providerId", "=", issuer.href)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    const password = await findIdentity(transaction, id, PASSWORD_PROVIDER);
    if (password === undefined)
      throw new ConflictError(
        "This account has no password, so no one could sign in to it any more. Set one with assay accounts password.",
        name,
      );
    await writeChange(transaction, by, "disconnect", `${name} from ${issuer.href}`);
  });
}

function checkEmail({ email }: Person, { domains }: OidcSettings): void {
  if (email === null) throw new SignInRefusal("unverified");
  const domain = email.slice(email.lastIndexOf("@") + 1);
  if (domains.length > 0 && !domains.includes(domain)) throw new SignInRefusal("domain", email);
}

async function findByIdentity(
  db: Transaction<AccountTables>,
  { issuer }: OidcSettings,
  { subject }: Person,
): Promise<{ readonly account: Account; readonly isBlocked: boolean } | null> {
  const found = await db
    .selectFrom("account")
    .innerJoin("user", "user.id", "account.userId")
    .select(["user.id", "user.name", "user.role", "user.blockedAt"])
    .where("account.providerId", "=", issuer.href)
    .where("account.accountId", "=", subject)
    .executeTakeFirst();
  if (found === undefined) return null;
  const { id, name, role, blockedAt } = found;
  return { account: { id, name, role }, isBlocked: blockedAt !== null };
}

async function hasIdentity(db: Kysely<AccountTables>, issuer: URL, userId: string): Promise<boolean> {
  return (await findIdentity(db, userId, issuer.href)) !== undefined;
}

async function connect(
  db: Transaction<AccountTables>,
  { issuer }: OidcSettings,
  { subject, email }: Person,
  account: Account,
  known: { readonly account: Account } | null,
): Promise<Found> {
  if (known?.account.id === account.id) return { account, change: "" };
  if (known !== null) throw new SignInRefusal("connected", `it is of ${known.account.name}`, account);
  if (await hasIdentity(db, issuer, account.id)) throw new SignInRefusal("connected", "", account);
  await insertIdentity(db, account.id, { providerId: issuer.href, accountId: subject, password: null });
  return { account, change: `connected with ${email ?? subject}` };
}

async function addPerson(
  db: Transaction<AccountTables>,
  settings: OidcSettings,
  person: Person,
  invitation: string | null,
): Promise<Found> {
  const name = await chooseName(db, settings, person);
  const invited = invitation === null ? null : await takeInvitation(db, invitation, name);
  if (invitation !== null && invited === null) throw new SignInRefusal("invitation", person.email ?? "");
  const role = findRole(settings, person) ?? invited?.role ?? settings.newRole;
  if (role === null) throw new SignInRefusal("uninvited", person.email ?? "");
  const by = invited === null ? "" : `, invited by ${invited.createdBy}`;
  const account = await insertUser(db, { name, role });
  const identity = { providerId: settings.issuer.href, accountId: person.subject, password: null };
  await insertIdentity(db, account.id, identity);
  return { account, change: `new account, ${role}, ${person.email ?? ""}${by}` };
}

/** Never reuses an existing account's name: its owner may be the same person, with a password. */
async function chooseName(
  db: Transaction<AccountTables>,
  { issuer }: OidcSettings,
  { name, email }: Person,
): Promise<string> {
  const first = (await clean(name)) || (await clean(email ?? ""));
  if (first === "") throw new SignInRefusal("name", email ?? "");
  const owner = await findNamesake(db, first);
  if (owner === null) return first;
  if (!(await hasIdentity(db, issuer, owner.id))) throw new SignInRefusal("name", first);
  // Falls back to the address alone, since a name in another script cannot join it.
  const second = (await clean(`${email ?? ""} (${first})`)) || (await clean(email ?? ""));
  if (second !== "" && (await findNamesake(db, second)) === null) return second;
  throw new SignInRefusal("name", second);
}

async function clean(name: string): Promise<string> {
  const printable = name.toWellFormed().replaceAll(/\p{Cc}+/gu, " ");
  const cut = printable.slice(0, DRAFT_LIMITS.reviewerId).toWellFormed().replaceAll("\uFFFD", "").trim();
  return (await findAccountNameProblem(cut)) === null ? cut : "";
}

function findRole({ roles }: OidcSettings, { groups }: Person): Role | null {
  const held = roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  return ROLES.findLast((role) => held.includes(role)) ?? null;
}

/** Leaving a group of the settings loses its role; the last admin keeps it. */
async function follow(
  db: Transaction<AccountTables>,
  settings: OidcSettings,
  person: Person,
  account: Account,
): Promise<Found> {
  const isThroughGroups = settings.roles.some(({ role }) => role === account.role);
  const left = isThroughGroups ? (settings.newRole ?? "viewer") : account.role;
  const role = findRole(settings, person) ?? left;
  if (role === account.role) return { account, change: "" };
  const set = (to: Role) => db.updateTable("user").set({ role: to }).where("id", "=", account.id).execute();
  await set(role);
  if (await hasAdmin(db))
    return { account: { ...account, role }, change: `${role} instead of ${account.role}` };
  await set(account.role);
  return { account, change: "" };
}
