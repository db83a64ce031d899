import type { IncomingHttpHeaders } from "node:http";

import { z } from "zod";

import type { Account } from "@/lib/core/domain/account";
import { getBasePath, withBasePath } from "@/lib/core/domain/base-path";
import { readOwnPath } from "@/lib/core/domain/own-path";
import type { RequestTarget } from "@/lib/core/domain/request-target";
import { describeSignInProblem, type SignInProblem } from "@/lib/core/domain/sign-in-problem";

import { type Claim, findPersonsAccount, type Found } from "./oidc-accounts";
import { openProvider, SignInRefusal, type Ties } from "./oidc-provider";
import type { OidcSettings } from "./oidc-settings";
import { nameCookies } from "./secrets";
import type { AccountStore } from "./store";

export const OIDC_PATH = "/api/auth/oidc";
export const OIDC_CALLBACK = `${OIDC_PATH}/callback`;

const GOOD_FOR_S = 10 * 60;

export interface OidcAnswer {
  readonly response: Response;
  readonly found: Found | null;
  readonly event: {
    readonly account: Pick<Account, "id" | "name"> | null;
    readonly isAllowed: boolean;
    readonly detail: readonly string[];
  } | null;
}

export interface OidcRequest {
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
    if (!given.success) return answer(new Response(null, { status: 400 }));
    const { to, invitation, connect } = given.data;
    if (connect && request.account === null) return answer(new Response(null, { status: 401 }));
    const { location, ties } = await provider.begin(request.origin + withBasePath(OIDC_CALLBACK));
    const kept: Kept = {
      ...ties,
      until: Date.now() + GOOD_FOR_S * 1000,
      to: readOwnPath(to) ?? "/",
      invitation,
      connectTo: connect ? (request.account?.id ?? null) : null,
    };
    const cookie = await encrypt(key, kept);
    return answer(Response.json({ location }, { headers: { "set-cookie": write(name, cookie, request) } }));
  };

  const finish = async (request: OidcRequest, kept: Kept | null): Promise<OidcAnswer> => {
    const search = new URLSearchParams(request.target.query);
    if (kept === null || kept.until < Date.now() || search.get("state") !== kept.state)
      throw new SignInRefusal("expired");
    const connectTo = kept.connectTo === null ? null : request.account;
    if (connectTo?.id !== (kept.connectTo ?? undefined)) throw new SignInRefusal("expired");
    const person = await provider.finish(`?${search.toString()}`, kept);
    const claim: Claim = { invitation: kept.invitation, connectTo };
    const found = await findPersonsAccount(store, settings, person, claim);
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
      return answer(new Response(null, { status: 403 }));
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
        found: null,
        event: {
          account: account ?? request.account,
          isAllowed: false,
          detail: [way, message === "" ? words : `${words} (${message})`],
        },
      };
    }
  };
}

function answer(response: Response): OidcAnswer {
  return { response, found: null, event: null };
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
