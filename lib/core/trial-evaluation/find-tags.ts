import type { Annotation } from "@/lib/core/domain/annotation";
import type { EvaluationFiles } from "@/lib/core/domain/evaluation-files";
import type { Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { ErrorTag } from "@/lib/core/evaluation";

import type { Provenance } from "./types";

export function findTags(
  trial: Pick<Trial, "exception" | "steps">,
  files: Pick<EvaluationFiles, "tags" | "tagFiles">,
  judgments: readonly Pick<Annotation, "reviewerId" | "categories">[],
) {
  const found: { readonly tag: ErrorTag; readonly origin: Provenance }[] = files.tags.map(
    ({ value, file }) => ({
      tag: { ...value },
      origin: { from: file, rule: value.source === "judge" ? "From a judge." : "From this file." },
    }),
  );
  const seen = new Set(found.map(({ tag }) => nameTag(tag)));
  const add = (tag: ErrorTag, origin: Provenance) => {
    if (tag.category.trim() === "" || seen.has(nameTag(tag))) return;
    seen.add(nameTag(tag));
    found.push({ tag, origin });
  };
  const failure = selectFailure(trial);
  if (failure !== null) {
    const { stepName } = failure;
    const { type, message } = failure.exception;
    const [line = ""] = message.split("\n", 1);
    const tag = { category: type, description: line === "" ? null : line, source: "mechanical" } as const;
    add(tag, {
      from: "result.json",
      rule: `The exception ${stepName === null ? "that ended the trial" : `of step ${stepName}`}.`,
    });
  }
  for (const { reviewerId, categories } of judgments) {
    for (const category of categories) {
      const tag = { category, description: null, source: "human" } as const;
      add(tag, { from: "assay", rule: `Chosen by ${reviewerId}.` });
    }
  }
  const isAssessed = files.tagFiles.length > 0 || found.length > 0;
  return {
    tags: isAssessed ? found.map(({ tag }) => tag) : null,
    origins: found.map(({ origin }) => origin),
  };
}

function nameTag({ category, source, description }: ErrorTag): string {
  return JSON.stringify([category, source, description]);
}
