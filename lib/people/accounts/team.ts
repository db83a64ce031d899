import type { IncomingHttpHeaders } from "node:http";

import { type Account, hasRole, type LeastRole } from "@/lib/core/domain/account";
import { formatTarget, type RequestTarget } from "@/lib/core/domain/request-target";

import { hasAdmin } from "./accounts";
import { prepareSessionAnswer, type SessionRequest } from "./answer-session";
import { type BoundedLog, boundLog, MOST_LINES } from "./audit";
import { listHiddenFolders, readFolderRoles } from "./folder-roles";
import { findTokenAccount } from "./invitations";
import { OIDC_PATH, openOidc } from "./oidc";
import type { OidcSettings } from "./oidc-settings";
import {
  ACCOUNT_ACTIONS,
  findActionRole,
  findRouteRole,
  isAsset,
  READING_ACTIONS,
  SESSION_ROLES,
} from "./permissions";
import { openSessions, SESSION_PATH, type Sessions } from "./sessions";
import { type AccountStore, readServerSecret } from "./store";

export interface TeamRequest {
  readonly method: string;
  /** Without the base path. */
  readonly target: RequestTarget;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  readonly isOverTls: boolean;
  /** Undefined for no action, null for an unknown one. */
  readonly action?: string | null | undefined;
}

export type Admission =
  | {
      readonly kind: "admitted";
      readonly account: Account | null;
      readonly cookies: readonly string[];
      readonly hidden: readonly string[] | null;
    }
  | { readonly kind: "sign-in"; readonly location: string }
  | ({ readonly kind: "refused" } & Refused);

export interface Team {
  readonly secret: string;
  /** True if an admin exists or a provider can make one. */
  readonly hasAdmin: () => Promise<boolean>;
  /** Logs changes and refusals first. @throws StoreError */
  readonly admit: (request: TeamRequest) => Promise<Admission>;
  readonly answer: (request: SessionRequest) => Promise<Response>;
  readonly flushLog: () => Promise<void>;
}

interface SignIn {
  readonly hasPasswords: boolean;
  readonly oidc: OidcSettings | null;
}

/** Null if neither accounts nor a provider exist. @throws StoreError */
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
    if (headers.cookie === undefined) return { account: null, cookies: [], bearer };
    return { ...(await sessions.read(new Headers({ cookie: headers.cookie }), isOverTls)), bearer };
  };
  const log = boundLog(store);
  return {
    secret,
    hasAdmin: async () =>
      oidc?.newRole === "admin" ||
      oidc?.roles.some(({ role }) => role === "admin") === true ||
      (await store.read(false, ({ db }) => hasAdmin(db))),
    admit: async (request) => {
      const { method, target, address, action } = request;
      const { path } = target;
      const least = findOffered(method, path, action);
      const isChange = action !== undefined;
      const name = action ?? `${method} ${path}`;
      if (!isChange && isAsset(path)) return { kind: "admitted", account: null, cookies: [], hidden: null };
      const { account, cookies, bearer } = await identify(request);
      const record = (outcome: "allowed" | "refused", detail: string) =>
        log.record({ account, address, outcome, action: name, detail }, account?.id ?? "strangers");
      const refusal =
        findRefusal({ least, account, hasToken: bearer !== undefined, name, isChange }) ??
        findExcess(log, request, account);
      if (refusal === null) {
        if (isChange && !isReading(request) && !Object.hasOwn(ACCOUNT_ACTIONS, name))
          await record("allowed", path);
        const hidden = listHiddenFolders(await readFolderRoles(store), account);
        return { kind: "admitted", account, cookies, hidden };
      }
      // Strangers' page views only redirect to the sign-in page, so they are not logged.
      if (account !== null || isChange || bearer !== undefined) await record("refused", refusal.message);
      const isToSignIn = refusal.status === 401 && asksForPage(request);
      return isToSignIn ? leadToSignIn(formatTarget(target)) : { kind: "refused", ...refusal };
    },
    answer: prepareSessionAnswer(store, sessions, answerOidc, log.record),
    flushLog: log.flush,
  };
}

function asksForPage({ method, headers }: TeamRequest): boolean {
  return method === "GET" && headers.accept?.includes("text/html") === true;
}

function leadToSignIn(url: string): Admission {
  return { kind: "sign-in", location: url === "/" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(url)}` };
}

/** An action needs the role of its page too, because the answer renders the page. */
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
  readonly status: 401 | 403 | 404 | 429;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

function isReading({ method, action }: TeamRequest): boolean {
  return typeof action === "string" ? Object.hasOwn(READING_ACTIONS, action) : method !== "POST";
}

/** Refuses a change that the log would otherwise have to leave out. */
function findExcess(log: BoundedLog, request: TeamRequest, account: Account | null): Refused | null {
  const seconds = account === null || isReading(request) ? null : log.countChange(account.id);
  if (seconds === null) return null;
  const message = `This account made more than ${MOST_LINES.allowed} changes in a minute. Wait ${seconds} seconds, then try again.`;
  return { status: 429, message, retryAfterSeconds: seconds };
}

function findRefusal({
  least,
  account,
  hasToken,
  name,
  isChange,
}: {
  readonly least: LeastRole | null;
  readonly account: Account | null;
  readonly hasToken: boolean;
  readonly name: string;
  readonly isChange: boolean;
}): Refused | null {
  if (least === null && isChange) return NO_ACTION;
  if (least === null && account !== null) return NO_PAGE;
  if (hasToken && Object.hasOwn(ACCOUNT_ACTIONS, name))
    return {
      status: 403,
      message: "Tokens cannot manage accounts, invitations or tokens. Sign in with a browser.",
    };
  if (least !== null && hasRole(account, least)) return null;
  if (account !== null)
    return {
      status: 403,
      message: hasToken
        ? `This requires the ${least} role, and this token has the ${account.role} role. Create a token with that role, or ask an admin.`
        : `This requires the ${least} role, and ${account.name} has the ${account.role} role. Ask an admin.`,
    };
  return hasToken ? WRONG_TOKEN : NOBODY;
}

const NO_ACTION: Refused = {
  status: 404,
  message: "There is no such action. Reload the page: Assay may have been updated.",
};

const NO_PAGE: Refused = { status: 404, message: "There is no page at this URL." };

const WRONG_TOKEN: Refused = {
  status: 401,
  message: "This token is not accepted. It may have been revoked or have expired.",
};

const NOBODY: Refused = {
  status: 401,
  message:
    "Sign in first: open this server's first page in a browser. A program sends a token, created on the page of its " +
    'owner\'s account, as "Authorization: Bearer" and the token.',
};
