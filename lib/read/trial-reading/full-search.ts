import { existsSync } from "node:fs";

import { type Excerpt, findExcerpt, makePatterns, type TextPiece } from "@/lib/core/domain/search-excerpt";
import { listStepTexts } from "@/lib/core/domain/trajectory";
import { readTestReports, readTrajectory } from "@/lib/read/loader/detail";

/**
 * Returns null if the folder is gone; the excerpt is null unless every term occurs. @param exception - type and message, or empty
 */
export async function searchTrial(
  path: string,
  stepNames: readonly string[] | null,
  exception: string,
  text: string,
): Promise<{ readonly excerpt: Excerpt | null } | null> {
  if (!existsSync(path)) return null;
  const { steps } = await readTrajectory(path, stepNames);
  const { value: reports } = await readTestReports(path, stepNames);
  const tests = reports.flatMap((report) => report.tests.map(({ name }) => name));
  const own = steps.filter(({ copied }) => !copied);
  const pieces: readonly TextPiece[] = [
    { kind: "exception", key: "", text: exception },
    { kind: "test", key: "", text: tests.join("\n") },
    ...own.map((step) => ({
      kind: "step" as const,
      key: step.key,
      text: [...listStepTexts(step)].join("\n"),
    })),
  ];
  const patterns = makePatterns(text);
  const hasAll = patterns.every((pattern) => pieces.some((piece) => piece.text.search(pattern) !== -1));
  return { excerpt: hasAll ? findExcerpt(pieces, patterns) : null };
}
