import type {
  BreakdownSource,
  DimensionShare,
  TrialDerivedDetails,
  Breakdown,
} from "@/lib/core/domain/breakdown";
import { listShares } from "@/lib/core/domain/dimension-names";
import type { LoadIssue, Parsed } from "@/lib/core/domain/load-issue";
import { MAX_TRIAL_ITEMS } from "@/lib/core/domain/text-bounder";
import type { ErrorTag } from "@/lib/core/domain/trial";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";

import {
  parseChecks,
  parseDetails,
  parseRewardDetails,
  textOrNull,
  MAX_CHECKS_BYTES,
  readChecksRoot,
  selectChecksFiles,
} from "./dimensions";
import { isObject, type JsonObject, listOr, pickText } from "./json-shape";
import { chooseStepFolders } from "./list-trial-files";
import { listFolderInside, readTextInside } from "./open-inside";
import { parseLooseJson } from "./parse-loose-json";

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

export function parseErrorTags(root: JsonObject): readonly ErrorTag[] {
  const entries = [...listOr(root["error_taxonomy"]), ...listOr(root["error_tags"])];
  return entries.flatMap((entry) => {
    if (typeof entry === "string") return entry.trim() === "" ? [] : [tag(entry, null, "mechanical")];
    if (!isObject(entry)) return [];
    const category = pickText(entry, "category", "name")?.trim() ?? "";
    return category === ""
      ? []
      : [tag(category, pickText(entry, "description"), parseSource(entry["source"]))];
  });
}

function parseSource(value: unknown): ErrorTag["source"] {
  return value === "human" || value === "judge" ? value : "mechanical";
}

export function tagsFromAnalysis(analysis: TrialAnalysis | null): readonly ErrorTag[] {
  const failed = (analysis?.checks ?? []).filter((check) => check.outcome === "fail");
  return failed.map((check) => tag(check.name, check.explanation, "judge"));
}

function tag(category: string, description: string | null, source: ErrorTag["source"]): ErrorTag {
  return { category: category.trim(), description, source };
}

export async function readBreakdown(
  trialPath: string,
  stepNames: readonly string[] | null = null,
): Promise<Breakdown> {
  const files: DetailsFile[] = [];
  const issues: LoadIssue[] = [];
  for (const { folder, step } of listVerifierFolders(await chooseStepFolders(trialPath, stepNames))) {
    for (const kind of DETAILS_KINDS) {
      const file = `${folder}/${kind}.json`;
      const text = await readTextInside(trialPath, file);
      if (text === null) continue;
      const parsed = text.ok ? parseDetailsFile(text.value, { file, step, kind }) : text;
      if (!parsed.ok) issues.push(parsed.issue);
      else if (parsed.value !== null) files.push(parsed.value);
    }
    files.push(...(await readChecks(trialPath, folder, step)));
  }
  return {
    sources: files.map(toBreakdownSource).filter(({ dimensions }) => dimensions.length > 0),
    errorTags: listDetailsTags(files),
    files: files.map(({ file }) => file),
    issues,
  };
}

async function readChecks(trialPath: string, folder: string, step: string | null): Promise<DetailsFile[]> {
  const names = (await listFolderInside(trialPath, folder)).map(({ name }) => name);
  const found: DetailsFile[] = [];
  for (const name of selectChecksFiles(names)) {
    const file = `${folder}/${name}`;
    const text = await readTextInside(trialPath, file, MAX_CHECKS_BYTES);
    const root = text?.ok === true ? readChecksRoot(text.value) : null;
    if (root !== null) found.push({ file, step, kind: "checks", root });
  }
  return found;
}
