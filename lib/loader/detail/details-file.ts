import type { BreakdownSource, DimensionShare, TrialDerivedDetails } from "@/lib/domain/breakdown";
import { listShares } from "@/lib/domain/dimension-names";
import type { LoadIssue, Parsed } from "@/lib/domain/load-issue";
import { MAX_TRIAL_ITEMS } from "@/lib/domain/text-bounder";
import type { ErrorTag } from "@/lib/domain/trial";
import type { TrialAnalysis } from "@/lib/domain/trial-file";

import { isObject, type JsonObject } from "./json-shape";
import { parseChecks } from "./parse-checks";
import { parseDetails } from "./parse-details";
import { parseErrorTags, tagsFromAnalysis } from "./parse-error-tags";
import { parseLooseJson } from "./parse-loose-json";
import { parseRewardDetails, textOrNull } from "./parse-reward-details";

/** Larger breakdowns are reported and not read. */
export const MAX_DETAILS_BYTES = 8 * 1024 * 1024;

/** Files of a verifier's folder that may hold a breakdown, in reading order, without `.json`. */
export const DETAILS_KINDS = ["reward-details", "details"] as const;

export interface DetailsFile {
  /** Relative to the trial folder. */
  readonly file: string;
  /** Step of a multi-step trial; null otherwise. */
  readonly step: string | null;
  /** `checks`: a report under a name of the verifier's own, see {@link parseChecks}. */
  readonly kind: (typeof DETAILS_KINDS)[number] | "checks";
  readonly root: JsonObject;
}

/** The folders of a trial in which verifiers leave their files: its own, then that of each step. */
export function listVerifierFolders(
  steps: readonly string[],
): readonly { readonly folder: string; readonly step: string | null }[] {
  return [
    { folder: "verifier", step: null },
    ...steps.map((step) => ({ folder: `steps/${step}/verifier`, step })),
  ];
}

/** The text of such a file, read; null for a literal `null`. A file that is no object is the value of `details`. */
export function parseDetailsFile(
  text: string,
  place: Pick<DetailsFile, "file" | "step" | "kind">,
): Parsed<DetailsFile | null> {
  const parsed = parseLooseJson(text, place.file);
  if (!parsed.ok) return parsed;
  if (isObject(parsed.value)) return { ok: true, value: { ...place, root: parsed.value } };
  if (parsed.value === null) return { ok: true, value: null };
  return { ok: true, value: { ...place, kind: "details", root: { details: parsed.value } } };
}

const PARSERS = { "reward-details": parseRewardDetails, details: parseDetails, checks: parseChecks } as const;

export function toBreakdownSource(file: DetailsFile): BreakdownSource {
  const reward = file.root["reward"];
  return {
    file: file.file,
    step: file.step,
    dimensions: PARSERS[file.kind](file.root),
    statedReward: file.kind === "details" && !isObject(reward) ? textOrNull(reward) : null,
  };
}

/** Error tags that the details state. */
export function listDetailsTags(files: readonly DetailsFile[]): readonly ErrorTag[] {
  return files.flatMap((file) => (file.kind === "details" ? parseErrorTags(file.root) : []));
}

/**
 * What a trial adds to per-dimension means and to lists of error tags, of each the first thousand: shares by dimension, the
 * first file that states one deciding, then `statedTags`, tags of its details and of failed checks of its analysis.
 * @param report - called for each of the two of which some are left out
 */
export function collectDerivedDetails(
  files: readonly DetailsFile[],
  analysis: TrialAnalysis | null,
  report: (code: LoadIssue["code"], detail: string) => void,
  statedTags: readonly ErrorTag[] = [],
): Pick<TrialDerivedDetails, "dimensions" | "errorTags" | "hasDetails"> {
  const shares = new Map<string, DimensionShare>();
  for (const source of files.map(toBreakdownSource)) {
    for (const [name, share] of listShares(source)) {
      if (!shares.has(name)) shares.set(name, share);
    }
  }
  const limit = <T>(all: readonly T[], what: string, code: LoadIssue["code"]): readonly T[] => {
    if (all.length > MAX_TRIAL_ITEMS)
      report(code, `${all.length} ${what} are named. The first ${MAX_TRIAL_ITEMS} were counted.`);
    return all.slice(0, MAX_TRIAL_ITEMS);
  };
  const tags = [...statedTags, ...listDetailsTags(files), ...tagsFromAnalysis(analysis)];
  return {
    dimensions: new Map(limit([...shares], "dimensions", "dimensions_too_many")),
    errorTags: limit(tags, "error tags", "tags_too_many"),
    // Checks stand beside other reports, so that a trial without them lacks nothing.
    hasDetails: files.some(({ kind }) => kind !== "checks"),
  };
}
