import type { JobEntry } from "@/lib/domain/catalog";
import { encodeValue, type JobRow } from "@/lib/store";

/** One row a judgment that stands in files, in trial order. */
export function prepareJudgmentRows({
  trials,
  recordedJudgments,
}: JobEntry): readonly JobRow<"recordedJudgments">[] {
  if (recordedJudgments.length === 0) return [];
  const positions = new Map(trials.map((trial, position) => [trial.key, position]));
  return recordedJudgments.flatMap(({ trialKey, judgments }) => {
    const position = positions.get(trialKey);
    if (position === undefined) return [];
    return judgments.map((judgment, ordinal) => ({
      position,
      ordinal,
      kind: judgment.kind,
      judgment: judgment.judgment,
      reviewer: judgment.reviewerId,
      atMs: judgment.time?.epochMs ?? null,
      record: encodeValue(judgment),
    }));
  });
}
