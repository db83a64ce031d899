import type { ErrorTag } from "@/lib/core/domain/trial";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";

import { isObject, type JsonObject, listOr, pickText } from "./json-shape";

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
