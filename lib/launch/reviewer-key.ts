import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { REVIEWER_COOKIE } from "../domain/request-marks.ts";
import { readCookies, writeCookie } from "./cookies.ts";

const KEY_BYTES = 32;
const KEY_FORM = /^[\w-]{43}$/;
/** As long as browsers keep anything; every page begins it anew. */
const DAYS = 400;

/** Has every page give its browser a key of its own, with which alone a judgment saved there can be changed. */
export function giveReviewerKey(
  request: Pick<IncomingMessage, "method" | "headers">,
  response: ServerResponse,
): void {
  if (request.method !== "GET" || request.headers.accept?.includes("text/html") !== true) return;
  const kept = readCookies(request, REVIEWER_COOKIE).find((value) => KEY_FORM.test(value));
  const value = kept ?? randomBytes(KEY_BYTES).toString("base64url");
  response.appendHeader("Set-Cookie", writeCookie(request, { name: REVIEWER_COOKIE, value, days: DAYS }));
}
