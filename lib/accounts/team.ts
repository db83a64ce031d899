import type { IncomingHttpHeaders } from "node:http";

import { z } from "zod";

import { type Account, hasRole, type LeastRole } from "@/lib/domain/account";
import { computeReviewerKey } from "@/lib/domain/annotation";

import { hasAdmin } from "./accounts";
import { recordEvent } from "./audit";
import { listHiddenFolders, readFolderRoles } from "./folder-roles";
import { findActionRole, findRouteRole, isAsset, SESSION_ACTIONS, SESSION_ROLES } from "./permissions";
import { ADDRESS_HEADER, openSessions, SESSION_PATH, type Sessions } from "./sessions";
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
  /** Whether there is an admin, without whom nobody else could be let in. */
  readonly hasAdmin: () => Promise<boolean>;
  /** Decides about a request by `ACTION_ROLES` and `ROUTE_ROLES`, and writes changes and refusals into the log first. @throws StoreError */
  readonly admit: (request: TeamRequest) => Promise<Admission>;
  /**
   * Answers a request that was admitted below {@link SESSION_PATH}.
   *
   * @param request.account - who was admitted
   * @param request.origin - of the page that asks
   * @throws StoreError
   */
  readonly answer: (
    request: TeamRequest & {
      readonly account: Account | null;
      readonly origin: string;
      readonly body: Uint8Array | null;
    },
  ) => Promise<Response>;
}

/** Returns what guards a server whose store has an account; null where it has none, and nobody signs in. @throws StoreError */
export async function openTeam(store: AccountStore): Promise<Team | null> {
  const isTeam = await store.read(false, async ({ db }) => {
    return (await db.selectFrom("user").select("id").executeTakeFirst()) !== undefined;
  });
  if (!isTeam) return null;
  const secret = await readServerSecret(store);
  return makeTeam(store, secret, await openSessions(store, secret));
}

function makeTeam(store: AccountStore, secret: string, sessions: Sessions): Team {
  const identify = async ({ headers, isOverTls }: TeamRequest) => {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
    if (bearer !== undefined) return { account: await findTokenAccount(store, bearer), cookies: [], bearer };
    // Who brings no cookie has no session.
    if (headers.cookie === undefined) return { account: null, cookies: [], bearer };
    return { ...(await sessions.read(new Headers({ cookie: headers.cookie }), isOverTls)), bearer };
  };
  const limiter = makeLimiter();
  return {
    secret,
    hasAdmin: () => store.read(false, ({ db }) => hasAdmin(db)),
    admit: async (request) => {
      const { method, url, address, action } = request;
      const [path = ""] = url.split("?", 1);
      const least = findLeastRole(method, path, action);
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
      // Of strangers, who may ask without end, only so many.
      const isLogged = account !== null || ((isChange || bearer !== undefined) && limiter());
      if (isLogged) await log("refused", refusal.message);
      const isToSignIn = account === null && least !== null && asksForPage(request);
      return isToSignIn ? leadToSignIn(url) : { kind: "refused", ...refusal };
    },
    answer: async ({ method, url, headers, address, isOverTls, account, origin, body }) => {
      const sent = new Headers({ [ADDRESS_HEADER]: address, origin });
      for (const name of ["cookie", "content-type", "user-agent"] as const) {
        const value = headers[name];
        if (value !== undefined) sent.set(name, value);
      }
      const request = new Request(new URL(url, origin), {
        method,
        headers: sent,
        ...(body === null ? {} : { body: Buffer.from(body) }),
      });
      const response = await sessions.answer(request, isOverTls);
      if (response.ok || limiter())
        await recordEvent(store, {
          account: account ?? (await findNamed(store, body)),
          address,
          outcome: response.ok ? "allowed" : "refused",
          action: `${method} ${url.split("?")[0] ?? ""}`,
          detail: response.ok ? null : `Status ${String(response.status)}`,
        });
      return response;
    },
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
      message: `This takes the role ${least}, and ${account.name} is ${account.role}. Ask an admin.`,
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

const credentials = z.object({ username: z.string() });

/** The account that somebody wants to sign in to. What else was typed as a name may be a password, and is not looked at further. */
async function findNamed(
  store: AccountStore,
  body: Uint8Array | null,
): Promise<Pick<Account, "id" | "name"> | null> {
  const text = body === null ? "null" : Buffer.from(body).toString();
  const given = credentials.safeParse(parseJson(text));
  if (!given.success) return null;
  const username = computeReviewerKey(given.data.username);
  return store.read<Pick<Account, "id" | "name"> | null>(null, async ({ db }) => {
    const user = await db
      .selectFrom("user")
      .select(["id", "name"])
      .where("username", "=", username)
      .executeTakeFirst();
    return user ?? null;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const REFUSALS_A_MINUTE = 60;

/** Whether one more refusal of strangers may be written in this minute. */
function makeLimiter(): () => boolean {
  let minute = 0;
  let n = 0;
  return () => {
    const now = Math.floor(Date.now() / 60_000);
    n = now === minute ? n + 1 : 1;
    minute = now;
    return n <= REFUSALS_A_MINUTE;
  };
}
