/** Cookie with the random key of a browser, by which a judgment is known to be its own. */
export const REVIEWER_COOKIE = "assay-reviewer";

/** Cookie with the name that was given in a browser: readable by the page, and no proof of anything. */
export const NAME_COOKIE = "assay-name";

/** Who judges in a browser, as typed. */
export interface ReviewerName {
  readonly reviewerId: string;
  readonly reviewerDiscipline: string | null;
}

/** Returns the value of the cookie for a name. */
export function formatReviewerName({ reviewerId, reviewerDiscipline }: ReviewerName): string {
  return [reviewerId, reviewerDiscipline ?? ""]
    .map((text) => encodeURIComponent(text.toWellFormed()))
    .join("/");
}

/** Reads the cookie; a blank name from anything else. */
export function parseReviewerName(value: string): ReviewerName {
  try {
    const [reviewerId = "", discipline = ""] = value.split("/").map((text) => decodeURIComponent(text));
    return { reviewerId: reviewerId.slice(0, 200), reviewerDiscipline: discipline.slice(0, 200) || null };
  } catch (error) {
    if (error instanceof URIError) return { reviewerId: "", reviewerDiscipline: null };
    throw error;
  }
}
