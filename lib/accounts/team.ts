import type { IncomingHttpHeaders } from "node:http";

import { type Account, hasRole, type LeastRole } from "@/lib/domain/account";

import { hasAdmin } from "./accounts";
import { prepareSessionAnswer, type SessionRequest } from "./answer-session";
import { recordEvent } from "./audit";
import { listHiddenFolders, readFolderRoles } from "./folder-roles";
import { OIDC_PATH, openOidc } from "./oidc";
import type { OidcSettings } from "./oidc-settings";
import { findActionRole, findRouteRole, isAsset, SESSION_ACTIONS, SESSION_ROLES } from "./permissions";
import { openSessions, SESSION_PATH, type Sessions } from "./sessions";
import { type AccountStore, readServerSecret } from "./store";
import { findTokenAccount } from "./tokens";

/** A request as the server's guard let it through. */
export interface TeamRequest {
  readonly method: string;
  /** Path and query as they were asked for, without the base path. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Where it comes from, as the server or its proxy saw it. */
  readonly address: string;
  /** Whether the browser speaks TLS, with a proxy before the server. */
  readonly isOverTls: boolean;
  /** Name of the server action that it asks for; undefined when it asks for none, null for one that there is not. */
  readonly action?: string | null | undefined;
}

/** Whether a request may go on, and as whose. */
export type Admission =
  | {
      readonly kind: "admitted";
      readonly account: Account | null;
      readonly cookies: readonly string[];
      /** Addresses of the folders that the account does not see, in order; null of what shows nothing of any folder. */
      readonly hidden: readonly string[] | null;
    }
  /** To be sent to the page where people sign in, with the way back. */
  | { readonly kind: "sign-in"; readonly location: string }
  | { readonly kind: "refused"; readonly status: 401 | 403 | 404; readonly message: string };

/** Decides who may do what where accounts are asked for. */
export interface Team {
  /** What every server on the store knows, and nobody else. */
  readonly secret: string;
  /** Whether there is an admin or a way to become one, without whom nobody else could be let in. */
  readonly hasAdmin: () => Promise<boolean>;
  /** Decides about a request by `ACTION_ROLES` and `ROUTE_ROLES`, and writes changes and refusals into the log first. @throws StoreError */
  readonly admit: (request: TeamRequest) => Promise<Admission>;
  /** Answers a request that was admitted below {@link SESSION_PATH}. @throws StoreError */
  readonly answer: (request: SessionRequest) => Promise<Response>;
}

/** How people sign in. */
export interface SignIn {
  readonly hasPasswords: boolean;
  /** The provider of OpenID Connect; null for none. */
  readonly oidc: OidcSettings | null;
}

/**
 * Returns what guards a server whose store has an account, or where people come in from a provider of OpenID Connect; null where
 * neither is so, and nobody signs in.
 *
 * @throws StoreError
 */
export async function openTeam(
  store: AccountStore,
  { hasPasswords, oidc }: SignIn = { hasPasswords: true, oidc: null },
): Promise<Team | null> {
  const isTeam = await store.read(false, async ({ db }) => {
    return (await db.selectFrom("user").select("id").executeTakeFirst()) !== undefined;
  });
  if (!isTeam && oidc === null) return null;
  const secret = await readServerSecret(store);
  return makeTeam(store, secret, await openSessions(store, secret, hasPasswords), { hasPasswords, oidc });
}

/** Addresses that passwords go to. */
const PASSWORD_PATHS = ["/api/auth/sign-in/username", "/api/auth/change-password"];

function makeTeam(
  store: AccountStore,
  secret: string,
  sessions: Sessions,
  { hasPasswords, oidc }: SignIn,
): Team {
  const answerOidc = oidc === null ? null : openOidc(store, oidc, secret);
  const findOffered = (method: string, path: string, action: string | null | undefined) => {
    const isOff = !hasPasswords && PASSWORD_PATHS.includes(path);
    const isOfNobody = answerOidc === null && path.startsWith(OIDC_PATH);
    return isOff || isOfNobody ? null : findLeastRole(method, path, action);
  };
  const identify = async ({ headers, isOverTls }: TeamRequest) => {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
    if (bearer !== undefined) return { account: await findTokenAccount(store, bearer), cookies: [], bearer };
    // Who brings no cookie has no session.
    if (headers.cookie === undefined) return { account: null, cookies: [], bearer };
    return { ...(await sessions.read(new Headers({ cookie: headers.cookie }), isOverTls)), bearer };
  };
  const limiter = makeLimiter();
  const signInLimiter = makeLimiter();
  return {
    secret,
    hasAdmin: async () =>
      oidc?.newRole === "admin" ||
      oidc?.roles.some(({ role }) => role === "admin") === true ||
      (await store.read(false, ({ db }) => hasAdmin(db))),
    admit: async (request) => {
      const { method, url, address, action } = request;
      const [path = ""] = url.split("?", 1);
      const least = findOffered(method, path, action);
      const isChange = action !== undefined;
      const name = action ?? `${method} ${path}`;
      if (!isChange && isAsset(path)) return { kind: "admitted", account: null, cookies: [], hidden: null };
      const { account, cookies, bearer } = await identify(request);
      const log = (outcome: "allowed" | "refused", detail: string | null) =>
        recordEvent(store, { account, address, outcome, action: name, detail });
      const refusal = findRefusal({ least, account, hasToken: bearer !== undefined, name });
      if (refusal === null) {
        if (isChange) await log("allowed", path);
        const hidden = listHiddenFolders(await readFolderRoles(store), account);
        return { kind: "admitted", account, cookies, hidden };
      }
      // Of each account only so many, and of all strangers, who may ask without end.
      const isLogged =
        account === null ? (isChange || bearer !== undefined) && limiter("") : limiter(account.id);
      if (isLogged) await log("refused", refusal.message);
      const isToSignIn = account === null && least !== null && asksForPage(request);
      return isToSignIn ? leadToSignIn(url) : { kind: "refused", ...refusal };
    },
    answer: prepareSessionAnswer(store, sessions, answerOidc, (event, isOfAnybody) =>
      isOfAnybody || signInLimiter("") ? recordEvent(store, event) : Promise.resolve(),
    ),
  };
}

function asksForPage({ method, headers }: TeamRequest): boolean {
  return method === "GET" && headers.accept?.includes("text/html") === true;
}

function leadToSignIn(url: string): Admission {
  return { kind: "sign-in", location: url === "/" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(url)}` };
}

/** Null for what there is not. An action is answered with the page that it was sent to, so that it takes what either takes. */
function findLeastRole(method: string, path: string, action: string | null | undefined): LeastRole | null {
  if (path === SESSION_PATH || path.startsWith(`${SESSION_PATH}/`))
    return action === undefined ? (SESSION_ROLES[`${method} ${path}`] ?? null) : null;
  const ofRoute = findRouteRole(path);
  if (action === undefined || ofRoute === null) return ofRoute;
  const ofAction = action === null ? null : findActionRole(action);
  if (ofAction === null) return null;
  if (ofRoute === "anyone" || ofAction === "anyone") return ofRoute === "anyone" ? ofAction : ofRoute;
  return hasRole({ role: ofAction }, ofRoute) ? ofAction : ofRoute;
}

interface Refused {
  readonly status: 401 | 403 | 404;
  readonly message: string;
}

/** Why a request goes no further; null where nothing speaks against it. */
function findRefusal({
  least,
  account,
  hasToken,
  name,
}: {
  readonly least: LeastRole | null;
  readonly account: Account | null;
  readonly hasToken: boolean;
  /** Of the action. */
  readonly name: string;
}): Refused | null {
  if (least === null)
    return { status: 404, message: "There is no such action. Reload the page: Assay may have been updated." };
  if (hasToken && SESSION_ACTIONS.has(name))
    return {
      status: 403,
      message: "No token manages accounts, invitations or tokens. Sign in in a browser.",
    };
  if (hasRole(account, least)) return null;
  if (account !== null)
    return {
      status: 403,
      message: hasToken
        ? `This takes the role ${least}, and this token has the role ${account.role}. Make a token of that role, or ask an admin.`
        : `This takes the role ${least}, and ${account.name} has the role ${account.role}. Ask an admin.`,
    };
  return hasToken ? WRONG_TOKEN : NOBODY;
}

const WRONG_TOKEN: Refused = {
  status: 401,
  message: "This token is not accepted: it may have been revoked, or be too old.",
};

const NOBODY: Refused = {
  status: 401,
  message:
    "Sign in first: open this server's first page in a browser. A program sends a token that was made on the page of its " +
    'owner\'s account, as "Authorization: Bearer" and the token.',
};

const REFUSALS_A_MINUTE = 60;

/** Whether one more refusal of somebody may be written in this minute. */
function makeLimiter(): (whom: string) => boolean {
  let minute = 0;
  const counts = new Map<string, number>();
  return (whom) => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) counts.clear();
    minute = now;
    const n = (counts.get(whom) ?? 0) + 1;
    counts.set(whom, n);
    return n <= REFUSALS_A_MINUTE;
  };
}
