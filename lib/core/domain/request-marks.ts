/** Cookie with a browser's random key, which identifies its own judgments. */
export const REVIEWER_COOKIE = "assay-reviewer";

/** Cookie with the name entered in a browser. The page can read it, and it proves nothing. */
export const NAME_COOKIE = "assay-name";

export interface ReviewerName {
  readonly reviewerId: string;
  readonly reviewerDiscipline: string | null;
}

export function formatReviewerName({ reviewerId, reviewerDiscipline }: ReviewerName): string {
  return [reviewerId, reviewerDiscipline ?? ""]
    .map((text) => encodeURIComponent(text.toWellFormed()))
    .join("/");
}

export function parseReviewerName(value: string): ReviewerName {
  try {
    const [reviewerId = "", discipline = ""] = value.split("/").map((text) => decodeURIComponent(text));
    return { reviewerId: reviewerId.slice(0, 200), reviewerDiscipline: discipline.slice(0, 200) || null };
  } catch (error) {
    if (error instanceof URIError) return { reviewerId: "", reviewerDiscipline: null };
    throw error;
  }
}
