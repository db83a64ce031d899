import type { BreakdownSource, DimensionShare, TrialDerivedDetails } from "@/lib/core/domain/breakdown";
import { listShares } from "@/lib/core/domain/dimension-names";
import type { LoadIssue, Parsed } from "@/lib/core/domain/load-issue";
import { MAX_TRIAL_ITEMS } from "@/lib/core/domain/text-bounder";
import type { ErrorTag } from "@/lib/core/domain/trial";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";

import { isObject, type JsonObject } from "./json-shape";
import { parseChecks } from "./parse-checks";
import { parseDetails } from "./parse-details";
import { parseErrorTags, tagsFromAnalysis } from "./parse-error-tags";
import { parseLooseJson } from "./parse-loose-json";
import { parseRewardDetails, textOrNull } from "./parse-reward-details";

export const DETAILS_KINDS = ["reward-details", "details"] as const;

export interface DetailsFile {
  readonly file: string;
  readonly step: string | null;
  /** `checks`: a report under a verifier-defined name, see {@link parseChecks}. */
  readonly kind: (typeof DETAILS_KINDS)[number] | "checks";
  readonly root: JsonObject;
}

export function listVerifierFolders(
  steps: readonly string[],
): readonly { readonly folder: string; readonly step: string | null }[] {
  return [
    { folder: "verifier", step: null },
    ...steps.map((step) => ({ folder: `steps/${step}/verifier`, step })),
  ];
}

/** Returns null for a literal `null`. A non-object becomes the value of `details`. */
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

export function listDetailsTags(files: readonly DetailsFile[]): readonly ErrorTag[] {
  return files.flatMap((file) => (file.kind === "details" ? parseErrorTags(file.root) : []));
}

/**
 * Takes dimensions from the first file that has them. Keeps at most 1,000 entries per list. @param report - called for each cut
 * list
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
    // Checks accompany other reports, so a trial without them lacks nothing.
    hasDetails: files.some(({ kind }) => kind !== "checks"),
  };
}
