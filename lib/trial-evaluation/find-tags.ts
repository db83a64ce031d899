import type { Annotation } from "@/lib/domain/annotation";
import type { EvaluationFiles } from "@/lib/domain/evaluation-files";
import type { TrialRecord } from "@/lib/domain/trial";
import type { ErrorTag } from "@/lib/evaluation";

import type { Provenance } from "./types";

/** A trial's error tags; null where nobody looked for errors, which is not "no errors". */
export interface FoundTags {
  readonly tags: readonly ErrorTag[] | null;
  /** One for each tag. */
  readonly origins: readonly Provenance[];
}

/**
 * The error tags of a trial, each once: those that details state, failed checks of its analysis, its exception, and what
 * reviewers chose as categories.
 */
export function findTags(
  { exception }: Pick<TrialRecord, "exception">,
  files: EvaluationFiles,
  judgments: readonly Pick<Annotation, "reviewerId" | "categories">[],
): FoundTags {
  const found = new Map<string, { readonly tag: ErrorTag; readonly origin: Provenance }>();
  const add = (tag: ErrorTag, origin: Provenance) => {
    const name = JSON.stringify([tag.category, tag.source, tag.description]);
    if (tag.category.trim() !== "" && !found.has(name)) found.set(name, { tag, origin });
  };
  for (const { value, file } of files.tags) {
    add({ ...value }, { from: file, rule: value.source === "judge" ? "A judge's." : "Stated there." });
  }
  if (exception !== null) {
    const { type, message } = exception;
    const [line = ""] = message.split("\n", 1);
    const tag = { category: type, description: line === "" ? null : line, source: "mechanical" } as const;
    add(tag, { from: "result.json", rule: "The exception that ended the trial." });
  }
  for (const { reviewerId, categories } of judgments) {
    for (const category of categories) {
      const tag = { category, description: null, source: "human" } as const;
      add(tag, { from: "assay", rule: `Chosen by ${reviewerId}.` });
    }
  }
  const isAssessed = files.tagFiles.length > 0 || found.size > 0;
  const all = [...found.values()];
  return { tags: isAssessed ? all.map(({ tag }) => tag) : null, origins: all.map(({ origin }) => origin) };
}
