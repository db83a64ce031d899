import { z } from "zod";

import { type Account, SENDER_HEADER, hasRole, type LeastRole } from "@/lib/core/domain/account";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { formatTarget } from "@/lib/core/domain/request-target";

import { findPasswordProblem, hashPassword } from "./account-names";
import { findIdentity, PASSWORD_PROVIDER, hasAdmin, listHiddenFolders, readFolderRoles } from "./accounts";
import { type AuditEvent, type BoundedLog, boundLog, MOST_LINES } from "./audit";
import { findTokenAccount } from "./invitations";
import { OIDC_PATH, type OidcAnswer, type OidcRequest, parseBody, openOidc } from "./oidc";
import type { OidcSettings } from "./oidc-settings";
import {
  ACCOUNT_ACTIONS,
  findActionRole,
  findRouteRole,
  isAsset,
  READING_ACTIONS,
  SESSION_ROLES,
} from "./permissions";
import { type Sessions, openSessions, SESSION_PATH } from "./sessions";
import { type AccountStore, readServerSecret } from "./store";

interface SessionRequest extends OidcRequest {
  readonly method: string;
  readonly address: string;
}

/** `actor` is an account's id, or "sign-ins" for all strangers together. */
type Log = (event: AuditEvent, actor: string) => Promise<void>;

export function prepareSessionAnswer(
  store: AccountStore,
  sessions: Sessions,
  answerOidc: ((request: OidcRequest) => Promise<OidcAnswer>) | null,
  log: Log,
): (request: SessionRequest) => Promise<Response> {
  return async (request) => {
    if (answerOidc !== null && request.target.path.startsWith(OIDC_PATH))
      return answerThroughProvider(request, sessions, answerOidc, log);
    const before = await readPasswordHash(store, request);
    const asked = (await refuseNewPassword(request)) ?? (await askLibrary(request, sessions));
    const response = await dropOldPassword(store, request, before, asked);
    const way = request.target.path.includes("/sign-in/") ? ["With a password"] : [];
    const status = response.ok ? [] : [`Status ${String(response.status)}`];
    const account =
      request.account ?? (isPasswordSignIn(request) ? await findNamed(store, request.body) : null);
    const event = describeEvent(request, account, response.ok, [...way, ...status]);
    if (account !== null || !response.ok) await log(event, request.account?.id ?? "sign-ins");
    return response;
  };
}

async function refuseNewPassword({ target, account, body }: SessionRequest): Promise<Response | null> {
  if (!target.path.endsWith("/change-password") || account === null) return null;
  const given = z.object({ newPassword: z.string() }).safeParse(parseBody(body));
  const message = given.success
    ? await findPasswordProblem(given.data.newPassword, account.name)
    : "Send the current and the new password as JSON.";
  return message === null ? null : new Response(message, { status: 422 });
}

async function readPasswordHash(store: AccountStore, request: SessionRequest): Promise<string | null> {
  const account = isPasswordSignIn(request) ? await findNamed(store, request.body) : null;
  if (account === null) return null;
  const identity = await store.read(undefined, ({ db }) => findIdentity(db, account.id, PASSWORD_PROVIDER));
  return identity?.password ?? null;
}

const isPasswordSignIn = (request: SessionRequest) => request.target.path.endsWith("/sign-in/username");

/** Ends sessions begun with a password that was replaced meanwhile. Accounts without a password take equally long to refuse. */
async function dropOldPassword(
  store: AccountStore,
  request: SessionRequest,
  before: string | null,
  response: Response,
): Promise<Response> {
  if (!isPasswordSignIn(request)) return response;
  const account = await findNamed(store, request.body);
  if (response.status === 401 && account !== null && before === null) await hashPassword("as long as any");
  if (!response.ok || account === null || (await readPasswordHash(store, request)) === before)
    return response;
  await store.write(({ db }) => db.deleteFrom("session").where("userId", "=", account.id).execute());
  return Response.json({ message: "The password was changed meanwhile." }, { status: 401 });
}

async function answerThroughProvider(
  request: SessionRequest,
  sessions: Sessions,
  answer: (request: OidcRequest) => Promise<OidcAnswer>,
  log: Log,
): Promise<Response> {
  // Tokens are for programs: one must not connect an account with a provider identity permanently.
  const account = request.headers.authorization === undefined ? request.account : null;
  const { response, found, event } = await answer({ ...request, account });
  if (event !== undefined)
    await log(
      describeEvent(request, event.account, event.isAllowed, event.detail),
      event.account?.id ?? "sign-ins",
    );
  if (!found) return response;
  const cookies = await sessions.begin(found.account.id, listHeaders(request), request.isOverTls);
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

function askLibrary(request: SessionRequest, sessions: Sessions): Promise<Response> {
  const { method, target, origin, isOverTls } = request;
  const body = request.target.path.endsWith("/change-password") ? endOthers(request.body) : request.body;
  const asked = new Request(new URL(formatTarget(target), origin), {
    method,
    headers: listHeaders(request),
    ...(body === null ? {} : { body: Buffer.from(body) }),
  });
  return sessions.answer(asked, isOverTls);
}

/** A password change ends all other sessions, even if the request does not ask for it. */
function endOthers(body: Uint8Array | null): Uint8Array | null {
  const given = z.looseObject({}).safeParse(parseBody(body));
  return given.success ? Buffer.from(JSON.stringify({ ...given.data, revokeOtherSessions: true })) : body;
}

function listHeaders({ address, origin, headers }: SessionRequest): Headers {
  const sent = new Headers({ [SENDER_HEADER]: address, origin });
  for (const name of ["cookie", "content-type", "user-agent"] as const) {
    const value = headers[name];
    if (value !== undefined) sent.set(name, value);
  }
  return sent;
}

function describeEvent(
  request: SessionRequest,
  account: AuditEvent["account"],
  isAllowed: boolean,
  details: readonly string[],
): AuditEvent {
  return {
    account,
    address: request.address,
    outcome: isAllowed ? "allowed" : "refused",
    action: `${request.method} ${request.target.path}`,
    detail: details.length === 0 ? null : details.join(": "),
  };
}

/** Finds the named account. Anything else typed as a name may be a password, so it is not looked at. */
async function findNamed(store: AccountStore, body: Uint8Array | null) {
  const given = z.object({ username: z.string() }).safeParse(parseBody(body));
  if (!given.success) return null;
  const username = computeReviewerKey(given.data.username);
  const user = await store.read(undefined, ({ db }) =>
    db.selectFrom("user").select(["id", "name"]).where("username", "=", username).executeTakeFirst(),
  );
  return user ?? null;
}

export interface TeamRequest extends Pick<
  SessionRequest,
  "method" | "target" | "headers" | "address" | "isOverTls"
> {
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

export type Team = ReturnType<typeof makeTeam>;

interface SignIn {
  readonly hasPasswords: boolean;
  readonly oidc: OidcSettings | null;
}

/** Null if neither accounts nor a provider exist. */
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

function makeTeam(store: AccountStore, secret: string, sessions: Sessions, { hasPasswords, oidc }: SignIn) {
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
    /** True if an admin exists or a provider can make one. */
    hasAdmin: async () =>
      oidc?.newRole === "admin" ||
      oidc?.roles.some(({ role }) => role === "admin") === true ||
      (await store.read(false, ({ db }) => hasAdmin(db))),
    /** Logs changes and refusals first. */
    admit: async (request: TeamRequest): Promise<Admission> => {
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
        findRefusal(least, account, name, { hasToken: bearer !== undefined, isChange }) ??
        findExcess(log, request, account);
      if (refusal === null) {
        if (isChange && !isReading(request) && !Object.hasOwn(ACCOUNT_ACTIONS, name))
          await record("allowed", path);
        const hidden = listHiddenFolders(await readFolderRoles(store), account);
        return { kind: "admitted", account, cookies, hidden };
      }
      // Strangers' page views only redirect to the sign-in page, so they are not logged.
      if (account !== null || isChange || bearer !== undefined) await record("refused", refusal.message);
      return refusal.status === 401 && asksForPage(request)
        ? leadToSignIn(formatTarget(target))
        : { kind: "refused", ...refusal };
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

function findRefusal(
  least: LeastRole | null,
  account: Account | null,
  name: string,
  { hasToken, isChange }: { readonly hasToken: boolean; readonly isChange: boolean },
): Refused | null {
  if (least === null && isChange) return NO_ACTION;
  if (least === null && account !== null) return NO_PAGE;
  if (hasToken && Object.hasOwn(ACCOUNT_ACTIONS, name))
    return {
      status: 403,
      message: "Tokens cannot manage accounts, invitations or tokens. Sign in with a browser.",
    };
  if (least !== null && hasRole(account, least)) return null;
  if (account === null) return hasToken ? WRONG_TOKEN : NOBODY;
  const [owner, advice] = hasToken
    ? ["this token", "Create a token with that role, or ask an admin."]
    : [account.name, "Ask an admin."];
  const message = `This requires the ${least} role, and ${owner} has the ${account.role} role. ${advice}`;
  return { status: 403, message };
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
