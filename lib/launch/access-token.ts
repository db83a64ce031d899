import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

import { LaunchError } from "./launch-error.ts";

const TOKEN_BYTES = 32;
/** What somebody can say in an address and in a header; a shorter one could be guessed. */
const TOKEN_FORM = /^[\w.~-]{16,200}$/;
const PARAMETER = "token";
const COOKIE_SECONDS = 30 * 24 * 60 * 60;

/** What a request is answered that goes no further than the guard. */
export interface Refusal {
  readonly status: 303 | 400 | 401 | 403 | 405 | 413 | 415;
  /** Plain text for whoever asked, with nothing of the request in it. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is asked of a request: the headers, and where it came in. */
export type GuardedRequest = Pick<IncomingMessage, "method" | "url" | "headers"> & {
  readonly socket: { readonly localAddress?: string | undefined; readonly localPort?: number | undefined };
};

const NO_ENTRY: Refusal = {
  status: 401,
  message:
    "This Assay asks for an access token.\n\n" +
    "In a browser, open the address that was printed where it was started: it ends in ?token= and the token.\n" +
    'A script sends the header "Authorization: Bearer" with the token.\n',
  headers: { "WWW-Authenticate": 'Bearer realm="Assay"', "Cache-Control": "no-store" },
};

/** A new token: 256 random bits as 43 characters that an address takes as they are. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/**
 * A chosen token as it was given.
 *
 * @throws LaunchError `bad-argument` for one that is short or does not fit into an address
 */
export function checkToken(token: string): string {
  if (TOKEN_FORM.test(token)) return token;
  throw new LaunchError(
    "bad-argument",
    "ASSAY_TOKEN needs 16 to 200 letters, digits, or any of . _ ~ -; unset it to have a token made.",
  );
}

/**
 * Asks every request for `token`: in the address, whose answer is a cookie and the way to the address without it; in that
 * cookie; or in the header `Authorization`. The cookie holds what is derived from the token and no script can read it. Of
 * another site it comes with nothing but a link that somebody follows, so that links in messages work. It lasts 30 days
 * and ends with the token.
 *
 * @param isSecure - whether the browser speaks TLS to whatever stands before this server
 * @returns why a request is refused or sent on; null for one that has the token
 */
export function prepareAccess(
  token: string,
  isSecure: (request: GuardedRequest) => boolean,
): (request: GuardedRequest) => Refusal | null {
  const ticket = createHmac("sha256", token).update("assay cookie").digest("base64url");
  return (request) => {
    const { method, url = "/", headers, socket } = request;
    // Cookies know no ports, and there may be another Assay on this machine.
    const cookie = `assay-access-${socket.localPort ?? 0}`;
    const { given, rest } = takeFromAddress(url);
    if (given !== null && (method === "GET" || method === "HEAD") && isEqual(given, token)) {
      const secure = isSecure(request) ? "; Secure" : "";
      return {
        status: 303,
        message: "",
        headers: {
          Location: rest,
          "Set-Cookie": `${cookie}=${ticket}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
          "Cache-Control": "no-store",
        },
      };
    }
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
    if (bearer !== undefined && isEqual(bearer, token)) return null;
    if (readCookies(headers.cookie, cookie).some((value) => isEqual(value, ticket))) return null;
    return NO_ENTRY;
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

function readCookies(header: string | undefined, name: string): string[] {
  return (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** Compares in a time that tells nothing of where two texts part. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
