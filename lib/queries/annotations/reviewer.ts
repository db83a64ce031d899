import "server-only";

import { cookies } from "next/headers";

import { computeReviewerKey } from "@/lib/domain/annotation";
import { ForbiddenError } from "@/lib/domain/app-error";
import { NAME_COOKIE, parseReviewerName, type ReviewerName } from "@/lib/domain/request-marks";

import { getAccount } from "../shell/request";

export interface BrowserReviewer extends ReviewerName {
  /** See `computeReviewerKey`; empty while nobody gave a name. */
  readonly reviewerKey: string;
}

/** Returns the name of the account that asks, or where there are none the one that was typed in this browser; blank when nobody gave one. */
export async function getReviewer(): Promise<BrowserReviewer> {
  const typed = parseReviewerName((await cookies()).get(NAME_COOKIE)?.value ?? "");
  const account = await getAccount();
  const reviewer = account ? { ...typed, reviewerId: account.name } : typed;
  return { ...reviewer, reviewerKey: computeReviewerKey(reviewer.reviewerId) };
}

/**
 * Has nobody who is signed in act under another name. Where there are no accounts, names are typed and any is taken.
 *
 * @param name - as the request has it; anything, since it was checked by nobody
 * @throws ForbiddenError
 */
export async function requireOwnName(name: unknown): Promise<void> {
  const account = await getAccount();
  if (!account || (typeof name === "string" && computeReviewerKey(name) === computeReviewerKey(account.name)))
    return;
  throw new ForbiddenError(
    `You are signed in as ${account.name}, and act under that name alone. Reload the page.`,
  );
}

/** Returns the name in a form that nothing checked yet; blank where it has none. */
export function readName(form: unknown, field: "reviewerId" | "decidedBy"): string {
  return typeof form === "object" && form !== null && field in form ? String(Reflect.get(form, field)) : "";
}
