import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { REVIEWER_COOKIE } from "../core/domain/request-marks.ts";
import { readCookies, writeCookie } from "./cookies.ts";

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
