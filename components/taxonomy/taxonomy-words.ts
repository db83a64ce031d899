import { capitalise } from "@/lib/core/format/words";
import { CLASSES, type FailureClass } from "@/lib/core/triage/classes";
import type { TagSource } from "@/lib/pages/taxonomy/categories";
import type { StoredScanner } from "@/lib/store/tables";

export const SOURCE_WORDS: Readonly<Record<TagSource, string>> = {
  rule: "rule",
  scanner: "scanner",
  judge: "judge",
  verifier: "verifier",
  import: "import",
  reviewer: "reviewer",
};

export function nameSource(source: TagSource, tool: string | null): string {
  return tool === null ? SOURCE_WORDS[source] : `${SOURCE_WORDS[source]}, ${tool}`;
}

export function nameCategory(
  source: TagSource,
  category: string,
  scanners: ReadonlyMap<string, StoredScanner>,
): string {
  if (source === "rule") return capitalise(CLASSES[category as FailureClass].words);
  return source === "scanner" ? (scanners.get(category)?.title ?? category) : category;
}
