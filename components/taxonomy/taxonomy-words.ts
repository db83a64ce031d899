import { capitalise, FAILURE_WORDS } from "@/lib/format/words";
import type { StoredScanner } from "@/lib/store";
import type { TagSource } from "@/lib/queries/taxonomy/categories";
import type { FailureClass } from "@/lib/triage/classes";

/** Who gives a tag, in a row of a table. */
export const SOURCE_WORDS: Readonly<Record<TagSource, string>> = {
  rule: "rule",
  scanner: "scanner",
  judge: "judge",
  verifier: "verifier",
  reviewer: "reviewer",
};

/** A category as pages print it: the class in words, the title of a scanner, else as it was written. */
export function nameCategory(
  source: TagSource,
  category: string,
  scanners: ReadonlyMap<string, StoredScanner>,
): string {
  if (source === "rule") return capitalise(FAILURE_WORDS[category as FailureClass]);
  return source === "scanner" ? (scanners.get(category)?.title ?? category) : category;
}
