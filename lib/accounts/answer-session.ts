import type { IncomingHttpHeaders } from "node:http";

import { z } from "zod";

import type { Account } from "@/lib/domain/account";
import { computeReviewerKey } from "@/lib/domain/annotation";

import type { AuditEvent } from "./audit";
import { OIDC_PATH, type OidcAnswer, type OidcRequest } from "./oidc";
import { ADDRESS_HEADER, type Sessions } from "./sessions";
import type { AccountStore } from "./store";

/** A request about signing in or out that was admitted. */
export interface SessionRequest {
  readonly method: string;
  /** Path and query as they were asked for, without the base path. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Where it comes from, as the server or its proxy saw it. */
  readonly address: string;
  readonly isOverTls: boolean;
  /** Who was admitted. */
  readonly account: Account | null;
  /** Of the page that asks. */
  readonly origin: string;
  readonly body: Uint8Array | null;
}

/** Writes an event into the log; of refused strangers, who may ask without end, only so many. @param isOfAnybody - false for such */
type Log = (event: AuditEvent, isOfAnybody: boolean) => Promise<void>;

/**
 * Returns what answers requests about signing in and out, with a line in the log for each.
 *
 * @param answerOidc - of the provider that people sign in through; null for none
 */
export function prepareSessionAnswer(
  store: AccountStore,
  sessions: Sessions,
  answerOidc: ((request: OidcRequest) => Promise<OidcAnswer>) | null,
  log: Log,
): (request: SessionRequest) => Promise<Response> {
  return async (request) => {
    if (answerOidc !== null && readPath(request).startsWith(OIDC_PATH))
      return answerThroughProvider(request, sessions, answerOidc, log);
    const response = await askLibrary(request, sessions);
    const way = readPath(request).includes("/sign-in/") ? ["With a password"] : [];
    const status = response.ok ? [] : [`Status ${String(response.status)}`];
    const account = request.account ?? (await findNamed(store, request.body));
    const event = describeEvent(request, account, response.ok, [...way, ...status]);
    await log(event, response.ok);
    return response;
  };
}

function readPath({ url }: SessionRequest): string {
  return url.split("?", 1)[0] ?? "";
}

async function answerThroughProvider(
  request: SessionRequest,
  sessions: Sessions,
  answer: (request: OidcRequest) => Promise<OidcAnswer>,
  log: Log,
): Promise<Response> {
  // A token is for programs: with one, nobody connects an account with somebody who has it for ever.
  const account = request.headers.authorization === undefined ? request.account : null;
  const { response, found, event } = await answer({ ...request, account });
  if (event !== null)
    await log(
      describeEvent(request, event.account, event.isAllowed, event.detail),
      event.isAllowed || event.account !== null,
    );
  if (found === null) return response;
  const cookies = await sessions.begin(found.account.id, listHeaders(request), request.isOverTls);
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

function askLibrary(request: SessionRequest, sessions: Sessions): Promise<Response> {
  const { method, url, origin, body, isOverTls } = request;
  const asked = new Request(new URL(url, origin), {
    method,
    headers: listHeaders(request),
    ...(body === null ? {} : { body: Buffer.from(body) }),
  });
  return sessions.answer(asked, isOverTls);
}

/** What the library needs to know of a request. */
function listHeaders({ address, origin, headers }: SessionRequest): Headers {
  const sent = new Headers({ [ADDRESS_HEADER]: address, origin });
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
    action: `${request.method} ${readPath(request)}`,
    detail: details.length === 0 ? null : details.join(": "),
  };
}

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
