import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { getBasePath } from "../core/domain/base-path.ts";
import { REVIEWER_COOKIE } from "../core/domain/request-marks.ts";

function readCookies({ headers }: Pick<IncomingMessage, "headers">, name: string): string[] {
  return (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** Trusts the proxy's header: the guard removes it from all other requests. */
export function isOverTls({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["x-forwarded-proto"]?.toString().startsWith("https") === true;
}

function writeCookie(
  { headers }: Pick<IncomingMessage, "headers">,
  cookie: { readonly name: string; readonly value: string; readonly days: number },
): string {
  const seconds = cookie.days * 24 * 60 * 60;
  return (
    `${cookie.name}=${cookie.value}; Path=${getBasePath() || "/"}; Max-Age=${seconds}; HttpOnly; SameSite=Lax` +
    (isOverTls({ headers }) ? "; Secure" : "")
  );
}

const KEY_BYTES = 32;
const KEY_FORM = /^[\w-]{43}$/;
/** The longest that browsers keep cookies; every page renews it. */
const DAYS = 400;

/** Gives each browser its own key, required to change judgments saved there. */
export function giveReviewerKey(
  request: Pick<IncomingMessage, "method" | "headers">,
  response: ServerResponse,
): void {
  if (request.method !== "GET" || request.headers.accept?.includes("text/html") !== true) return;
  const kept = readCookies(request, REVIEWER_COOKIE).find((value) => KEY_FORM.test(value));
  const value = kept ?? randomBytes(KEY_BYTES).toString("base64url");
  response.appendHeader("Set-Cookie", writeCookie(request, { name: REVIEWER_COOKIE, value, days: DAYS }));
}
