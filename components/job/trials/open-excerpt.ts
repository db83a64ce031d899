import type { Excerpt } from "@/lib/core/domain/search-excerpt";
import type { TrialParams } from "@/lib/pages/trial/address";

export function openExcerpt(excerpt: Excerpt | null): Partial<TrialParams> {
  if (excerpt?.kind === "step") return { step: excerpt.key, find: excerpt.match.trim() };
  return excerpt?.kind === "test" ? { tab: "tests" } : {};
}
