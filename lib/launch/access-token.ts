import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

import { ADMIN_HEADER } from "../domain/request-marks.ts";
import { readCookies, writeCookie } from "./cookies.ts";
import { LaunchError } from "./launch-error.ts";

const TOKEN_BYTES = 32;
/** What somebody can say in an address and in a header; a shorter one could be guessed. */
const TOKEN_FORM = /^[\w.~-]{16,200}$/;
const PARAMETER = "token";
const COOKIE_DAYS = 30;

/** What a request is answered that goes no further than the guard. */
export interface Refusal {
  readonly status: 303 | 400 | 401 | 403 | 404 | 405 | 413 | 415 | 503;
  /** Plain text for whoever asked, with nothing of the request in it. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is asked of a request: the headers, and where it came in. */
export type GuardedRequest = Pick<IncomingMessage, "method" | "url" | "headers"> & {
  readonly socket: { readonly localAddress?: string | undefined; readonly localPort?: number | undefined };
};

const NO_TOKEN = refuseEntry("This Assay requires an access token, and the request had none.");

/** Says nothing of what was wrong with it: whoever guesses is told no more than that. */
const WRONG_TOKEN = refuseEntry(
  "The access token of this request, or of an earlier visit, is not accepted. It may be from an earlier start:\n" +
    "Assay makes a new token at every start unless ASSAY_TOKEN sets one.",
);

function refuseEntry(reason: string): Refusal {
  return {
    status: 401,
    message:
      `${reason}\n\n` +
      "In a browser, open the address that Assay printed when it last started: it ends in ?token= and the token.\n" +
      'In a script, send the header "Authorization: Bearer" with the token.\n',
    headers: { "WWW-Authenticate": 'Bearer realm="Assay"', "Cache-Control": "no-store" },
  };
}

/** A new token: 256 random bits as 43 characters that an address takes as they are. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/**
 * A chosen token as it was given in this variable of the environment. @throws LaunchError `bad-argument` when it is short
 * or odd
 */
export function checkToken(variable: string, token: string): string {
  if (TOKEN_FORM.test(token)) return token;
  throw new LaunchError("bad-argument", `${variable} needs 16 to 200 letters, digits, or any of . _ ~ -.`);
}

/** What requests may have to show; null where nothing is asked for, or nobody is admin. */
export interface Tokens {
  readonly token: string | null;
  /** Opens the same door, and its owner may change every judgment. */
  readonly adminToken: string | null;
}

/**
 * Asks every request for a token: in the address, whose answer is a cookie and the way to the address without it; in that
 * cookie, derived from the token and good for 30 days; or in `Authorization`. A request of an admin is marked ({@link
 * ADMIN_HEADER}).
 * @returns why a request is refused or sent on; null for one that may go on
 */
export function prepareAccess({ token, adminToken }: Tokens): (request: GuardedRequest) => Refusal | null {
  const entries = [token, adminToken]
    .filter((one) => one !== null)
    .map((one) => ({
      token: one,
      ticket: createHmac("sha256", one).update("assay cookie").digest("base64url"),
    }));
  return (request) => {
    const { method, url = "/", headers, socket } = request;
    Reflect.deleteProperty(headers, ADMIN_HEADER);
    // Cookies know no ports, and there may be another Assay on this machine.
    const name = `assay-access-${socket.localPort ?? 0}`;
    const { given, rest } = takeFromAddress(url);
    const entered = entries.find((one) => given !== null && isEqual(given, one.token));
    if (entered !== undefined && (method === "GET" || method === "HEAD")) {
      const cookie = writeCookie(request, { name, value: entered.ticket, days: COOKIE_DAYS });
      const headers = { Location: rest, "Set-Cookie": cookie, "Cache-Control": "no-store" };
      return { status: 303, message: "", headers };
    }
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
    const tickets = readCookies(request, name);
    const shown = entries.find(
      (one) =>
        (bearer !== undefined && isEqual(bearer, one.token)) ||
        tickets.some((ticket) => isEqual(ticket, one.ticket)),
    );
    if (shown?.token === adminToken) headers[ADMIN_HEADER] = "1";
    if (shown !== undefined || token === null) return null;
    // The right one in the address of a change is not wrong: it opens pages alone. Other schemes are a proxy's.
    const wrong = [entered === undefined ? given : null, bearer, ...tickets];
    return wrong.some((one) => typeof one === "string") ? WRONG_TOKEN : NO_TOKEN;
  };
}

/** The token of an address, null when it has none, and the address without it, which begins with one slash. */
function takeFromAddress(url: string): { readonly given: string | null; readonly rest: string } {
  const [path = "", ...queries] = url.split("?");
  const query = new URLSearchParams(queries.join("?"));
  const given = query.get(PARAMETER);
  query.delete(PARAMETER);
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  // Two slashes would name another site.
  return { given, rest: `${path.replace(/^[/\\]*/, "/")}${search}` };
}

/** Compares in a time that tells nothing of where two texts part. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
