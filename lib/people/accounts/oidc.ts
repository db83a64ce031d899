import type { IncomingHttpHeaders } from "node:http";

import type { Transaction } from "kysely";
import { z } from "zod";

import { type Account, type Role, ROLES } from "@/lib/core/domain/account";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { ConflictError } from "@/lib/core/domain/app-error";
import { getBasePath, withBasePath } from "@/lib/core/domain/base-path";
import { readOwnPath, type RequestTarget } from "@/lib/core/domain/request-target";
import { describeSignInProblem, type SignInProblem } from "@/lib/core/domain/sign-in-problem";

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
import { type Person, SignInRefusal, openProvider, type Ties } from "./oidc-provider";
import type { OidcSettings } from "./oidc-settings";
import { nameCookies } from "./secrets";
import { type AccountStore, type AccountTables, transact } from "./store";

interface Found {
  readonly account: Account;
  readonly change: string;
}

/** Identifies a person by issuer and subject only: e-mail addresses and names can pass to other people. */
async function findPersonsAccount(
  store: AccountStore,
  settings: OidcSettings,
  person: Person,
  { invitation, connectTo }: { readonly invitation: string | null; readonly connectTo: Account | null },
): Promise<Found> {
  checkEmail(person, settings);
  return transact(store, async (transaction, engine) => {
    await holdAdmins(transaction, engine);
    const known = await findByIdentity(transaction, settings, person);
    if (connectTo !== null) return connect(transaction, settings, person, connectTo, known);
    if (known === null) return addPerson(transaction, settings, person, invitation);
    if (known.isBlocked) throw new SignInRefusal("blocked", "", known.account);
    return follow(transaction, settings, person, known.account);
  });
}

export async function isConnected(
  store: AccountStore,
  { issuer }: Pick<OidcSettings, "issuer">,
  userId: string,
): Promise<boolean> {
  return store.read(false, async ({ db }) => (await findIdentity(db, userId, issuer.href)) !== undefined);
}

/** Sessions stay. */
export async function disconnect(store: AccountStore, { issuer }: Pick<OidcSettings, "issuer">, by: Actor) {
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

async function findByIdentity(db: Transaction<AccountTables>, { issuer }: OidcSettings, { subject }: Person) {
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

async function connect(
  db: Transaction<AccountTables>,
  { issuer }: OidcSettings,
  { subject, email }: Person,
  account: Account,
  known: { readonly account: Account } | null,
): Promise<Found> {
  if (known?.account.id === account.id) return { account, change: "" };
  if (known !== null) throw new SignInRefusal("connected", `it belongs to ${known.account.name}`, account);
  if ((await findIdentity(db, account.id, issuer.href)) !== undefined)
    throw new SignInRefusal("connected", "", account);
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
async function chooseName(db: Transaction<AccountTables>, { issuer }: OidcSettings, { name, email }: Person) {
  const first = (await clean(name)) || (await clean(email ?? ""));
  if (first === "") throw new SignInRefusal("name", email ?? "");
  const owner = await findNamesake(db, first);
  if (owner === null) return first;
  if ((await findIdentity(db, owner.id, issuer.href)) === undefined) throw new SignInRefusal("name", first);
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

export const OIDC_PATH = "/api/auth/oidc";
export const OIDC_CALLBACK = `${OIDC_PATH}/callback`;

const GOOD_FOR_S = 10 * 60;

export interface OidcAnswer {
  readonly response: Response;
  readonly found?: Found | null;
  readonly event?: {
    readonly account: Pick<Account, "id" | "name"> | null;
    readonly isAllowed: boolean;
    readonly detail: readonly string[];
  };
}

export interface OidcRequest {
  /** Without the base path. */
  readonly target: RequestTarget;
  readonly headers: IncomingHttpHeaders;
  readonly origin: string;
  readonly isOverTls: boolean;
  readonly body: Uint8Array | null;
  readonly account: Account | null;
}

const beginning = z.object({
  to: z.string().max(4_096).nullable(),
  invitation: z.string().max(200).nullable(),
  connect: z.boolean(),
});

/** Encrypted cookie content: only this server reads it, and a sign-in begun elsewhere has no cookie here. */
interface Kept extends Ties {
  readonly until: number;
  readonly to: string;
  readonly invitation: string | null;
  readonly connectTo: string | null;
}

/** A sign-in must return to the same browser within ten minutes, once. `secret` encrypts the cookie and is shared by all servers. */
export function openOidc(
  store: AccountStore,
  settings: OidcSettings,
  secret: string,
): (request: OidcRequest) => Promise<OidcAnswer> {
  const provider = openProvider(settings);
  const way = `With ${settings.name}`;
  const key = `${secret} oidc`;
  const name = `${nameCookies(secret)}.oidc`;

  const begin = async (request: OidcRequest): Promise<OidcAnswer> => {
    const given = beginning.safeParse(parseBody(request.body));
    if (!given.success) return { response: new Response(null, { status: 400 }) };
    const { to, invitation, connect } = given.data;
    if (connect && request.account === null) return { response: new Response(null, { status: 401 }) };
    const { location, ties } = await provider.begin(request.origin + withBasePath(OIDC_CALLBACK));
    const kept: Kept = {
      ...ties,
      until: Date.now() + GOOD_FOR_S * 1000,
      to: readOwnPath(to) ?? "/",
      invitation,
      connectTo: connect ? (request.account?.id ?? null) : null,
    };
    const cookie = await encrypt(key, kept);
    const headers = { "set-cookie": write(name, cookie, request) };
    return { response: Response.json({ location }, { headers }) };
  };

  const finish = async (request: OidcRequest, kept: Kept | null): Promise<OidcAnswer> => {
    const search = new URLSearchParams(request.target.query);
    if (kept === null || kept.until < Date.now() || search.get("state") !== kept.state)
      throw new SignInRefusal("expired");
    const connectTo = kept.connectTo === null ? null : request.account;
    if (connectTo?.id !== (kept.connectTo ?? undefined)) throw new SignInRefusal("expired");
    const person = await provider.finish(`?${search.toString()}`, kept);
    const { invitation } = kept;
    const found = await findPersonsAccount(store, settings, person, { invitation, connectTo });
    return {
      response: redirect(kept.to, name, request),
      found: connectTo === null ? found : null,
      event: {
        account: found.account,
        isAllowed: true,
        detail: found.change === "" ? [way] : [way, found.change],
      },
    };
  };

  return async (request) => {
    const isCallback = request.target.path.startsWith(OIDC_CALLBACK);
    // Other sites may only navigate here.
    const target = request.headers["sec-fetch-dest"];
    if (isCallback && target !== undefined && target !== "document")
      return { response: new Response(null, { status: 403 }) };
    const kept = isCallback ? await decrypt(key, name, request.headers.cookie) : null;
    try {
      return isCallback ? await finish(request, kept) : await begin(request);
    } catch (error) {
      if (!(error instanceof SignInRefusal)) throw error;
      const { problem, message, account } = error;
      const words = describeSignInProblem(problem, settings.name);
      return {
        response: isCallback
          ? redirect(describePlace(kept, problem), name, request)
          : Response.json({ problem }, { status: 502 }),
        event: {
          account: account ?? request.account,
          isAllowed: false,
          detail: [way, message === "" ? words : `${words} (${message})`],
        },
      };
    }
  };
}

function describePlace(kept: Kept | null, problem: SignInProblem): string {
  if (kept !== null && kept.connectTo !== null) return `/account?problem=${problem}`;
  const to = kept === null || kept.to === "/" ? "" : `&to=${encodeURIComponent(kept.to)}`;
  return `/sign-in?problem=${problem}${to}`;
}

function redirect(path: string, name: string, request: OidcRequest): Response {
  return new Response(null, {
    status: 303,
    headers: { location: withBasePath(path), "set-cookie": write(name, "", request) },
  });
}

function write(name: string, value: string, { isOverTls }: OidcRequest): string {
  const age = value === "" ? 0 : GOOD_FOR_S;
  const secure = isOverTls ? "; Secure" : "";
  return `${name}=${value}; Path=${getBasePath() || "/"}; Max-Age=${String(age)}; HttpOnly; SameSite=Lax${secure}`;
}

async function encrypt(key: string, kept: Kept): Promise<string> {
  const { symmetricEncrypt } = await import("better-auth/crypto");
  return symmetricEncrypt({ key, data: JSON.stringify(kept) });
}

async function decrypt(key: string, name: string, cookies = ""): Promise<Kept | null> {
  const pair = cookies.split(/; */).find((one) => one.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1);
  if (value === undefined) return null;
  const { symmetricDecrypt } = await import("better-auth/crypto");
  try {
    return JSON.parse(await symmetricDecrypt({ key, data: value })) as Kept; // Only {@link encrypt} could have written it.
  } catch {
    return null;
  }
}

export function parseBody(body: Uint8Array | null): unknown {
  try {
    return JSON.parse(Buffer.from(body ?? []).toString());
  } catch {
    return null;
  }
}
