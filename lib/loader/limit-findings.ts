import type { TrialFindings } from "@/lib/domain/breakdown";
import type { LoadIssue } from "@/lib/domain/load-issue";

/** More than any rubric or taxonomy has; a file of some megabytes can name a hundred thousand. */
const MAX_NAMES = 1000;

type Said = Pick<TrialFindings, "dimensions" | "errorTags">;

/**
 * The first thousand dimensions and the first thousand error tags of one trial, so that no file makes pages endless.
 *
 * @param report - called once for each of the two of which some are left out
 */
export function limitFindings<T extends Said>(
  said: T,
  report: (code: LoadIssue["code"], detail: string) => void,
): T {
  const { dimensions, errorTags } = said;
  const areFew = (size: number, what: string, code: LoadIssue["code"]) => {
    if (size > MAX_NAMES) report(code, `${size} ${what} are named. The first ${MAX_NAMES} were counted.`);
    return size <= MAX_NAMES;
  };
  return {
    ...said,
    dimensions: areFew(dimensions.size, "dimensions", "dimensions_too_many")
      ? dimensions
      : new Map([...dimensions].slice(0, MAX_NAMES)),
    errorTags: areFew(errorTags.length, "error tags", "tags_too_many")
      ? errorTags
      : errorTags.slice(0, MAX_NAMES),
  };
}
