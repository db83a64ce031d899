import type { TrialFindings } from "@/lib/domain/breakdown";
import type { LoadIssue } from "@/lib/domain/load-issue";
import { MAX_TRIAL_ITEMS } from "@/lib/domain/text-bounder";

type Findings = Pick<TrialFindings, "dimensions" | "errorTags">;

/**
 * The first thousand dimensions and the first thousand error tags of one trial, so that no file makes pages endless.
 *
 * @param report - called once for each of the two of which some are left out
 */
export function limitFindings<T extends Findings>(
  said: T,
  report: (code: LoadIssue["code"], detail: string) => void,
): T {
  const { dimensions, errorTags } = said;
  const areFew = (size: number, what: string, code: LoadIssue["code"]) => {
    if (size > MAX_TRIAL_ITEMS)
      report(code, `${size} ${what} are named. The first ${MAX_TRIAL_ITEMS} were counted.`);
    return size <= MAX_TRIAL_ITEMS;
  };
  return {
    ...said,
    dimensions: areFew(dimensions.size, "dimensions", "dimensions_too_many")
      ? dimensions
      : new Map([...dimensions].slice(0, MAX_TRIAL_ITEMS)),
    errorTags: areFew(errorTags.length, "error tags", "tags_too_many")
      ? errorTags
      : errorTags.slice(0, MAX_TRIAL_ITEMS),
  };
}
