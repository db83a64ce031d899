import { type Excerpt, findExcerpt, makePatterns } from "@/lib/domain/search-excerpt";
import { listStepTexts } from "@/lib/domain/trajectory";
import { readTrajectory } from "@/lib/loader/detail";

/** Searches a whole trajectory. Returns null without one; the excerpt is null unless every term occurs. */
export async function searchTrajectory(
  path: string,
  stepNames: readonly string[] | null,
  text: string,
): Promise<{ readonly excerpt: Excerpt | null } | null> {
  const { steps, files } = await readTrajectory(path, stepNames);
  if (files.length === 0) return null;
  const pieces = steps
    .filter(({ copied }) => !copied)
    .map((step) => ({ kind: "step" as const, key: step.key, text: [...listStepTexts(step)].join("\n") }));
  const patterns = makePatterns(text);
  const hasAll = patterns.every((pattern) => pieces.some((piece) => piece.text.search(pattern) !== -1));
  return { excerpt: hasAll ? findExcerpt(pieces, patterns) : null };
}
