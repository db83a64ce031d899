import type { IncomingHttpHeaders } from "node:http";

import { z } from "zod";

import { type Account, SENDER_HEADER } from "@/lib/core/domain/account";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { formatTarget, type RequestTarget } from "@/lib/core/domain/request-target";

import { findIdentity, PASSWORD_PROVIDER } from "./accounts";
import type { AuditEvent } from "./audit";
import { OIDC_PATH, type OidcAnswer, type OidcRequest, parseBody } from "./oidc";
import { findPasswordProblem, hashPassword } from "./passwords";
import type { Sessions } from "./sessions";
import type { AccountStore } from "./store";

export interface SessionRequest {
  readonly method: string;
  readonly target: RequestTarget;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  readonly isOverTls: boolean;
  readonly account: Account | null;
  readonly origin: string;
  readonly body: Uint8Array | null;
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
  return store.read<string | null>(
    null,
    async ({ db }) => (await findIdentity(db, account.id, PASSWORD_PROVIDER))?.password ?? null,
  );
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
  if (event !== null)
    await log(
      describeEvent(request, event.account, event.isAllowed, event.detail),
      event.account?.id ?? "sign-ins",
    );
  if (found === null) return response;
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

const credentials = z.object({ username: z.string() });

/** Finds the named account. Anything else typed as a name may be a password, so it is not looked at. */
async function findNamed(
  store: AccountStore,
  body: Uint8Array | null,
): Promise<Pick<Account, "id" | "name"> | null> {
  const given = credentials.safeParse(parseBody(body));
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
