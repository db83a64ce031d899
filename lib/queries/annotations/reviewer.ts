import "server-only";

import { cookies } from "next/headers";

import { computeReviewerKey } from "@/lib/domain/annotation";
import { NAME_COOKIE, parseReviewerName, type ReviewerName } from "@/lib/domain/request-marks";

/** Who a browser says that it is. */
export interface BrowserReviewer extends ReviewerName {
  /** See `computeReviewerKey`; empty while nobody gave a name. */
  readonly reviewerKey: string;
}

/** Returns the name that was given in this browser. It is typed, not proved; blank when nobody gave one. */
export async function getReviewer(): Promise<BrowserReviewer> {
  const reviewer = parseReviewerName((await cookies()).get(NAME_COOKIE)?.value ?? "");
  return { ...reviewer, reviewerKey: computeReviewerKey(reviewer.reviewerId) };
}
