import "server-only";
import { cookies } from "next/headers";

import { hasRole } from "@/lib/core/domain/account";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ForbiddenError } from "@/lib/core/domain/app-error";
import {
  NAME_COOKIE,
  parseReviewerName,
  REVIEWER_COOKIE,
  type ReviewerName,
} from "@/lib/core/domain/request-marks";
import { type Actor, hashBrowserKey } from "@/lib/people/annotations";

import { getAccount } from "../shell/request";

export interface BrowserReviewer extends ReviewerName {
  readonly reviewerKey: string;
}

/** Returns the account's name. Without accounts, returns the name typed in this browser; blank if none. */
export async function getReviewer(): Promise<BrowserReviewer> {
  const typed = parseReviewerName((await cookies()).get(NAME_COOKIE)?.value ?? "");
  const account = await getAccount();
  const reviewer = account ? { ...typed, reviewerId: account.name } : typed;
  return { ...reviewer, reviewerKey: computeReviewerKey(reviewer.reviewerId) };
}

/**
 * Stops a signed-in user from acting under another name. Without accounts, accepts any typed name.
 * @param name - unchecked input of the request
 */
export async function requireOwnName(name: unknown): Promise<void> {
  const account = await getAccount();
  if (!account || (typeof name === "string" && computeReviewerKey(name) === computeReviewerKey(account.name)))
    return;
  throw new ForbiddenError(
    `You are signed in as ${account.name} and cannot use another name. Reload the page.`,
  );
}

export function readName(form: unknown, field: "reviewerId" | "decidedBy"): string {
  return typeof form === "object" && form !== null && field in form ? String(Reflect.get(form, field)) : "";
}

/**
 * Returns the signed-in account with its browser's key, because that browser may have judged before accounts existed. Without
 * accounts, returns the browser by the key that the server set with its pages. Development sets no key.
 */
export async function getActor(): Promise<Actor> {
  const [account, jar] = await Promise.all([getAccount(), cookies()]);
  const key = jar.get(REVIEWER_COOKIE)?.value ?? "";
  const keyHash = key === "" ? null : hashBrowserKey(key);
  if (!account) return { browserKeyHash: keyHash, isAdmin: false };
  return {
    browserKeyHash: hashBrowserKey(`account ${account.id}`),
    earlierKeyHash: keyHash,
    isAdmin: hasRole(account, "admin"),
  };
}
