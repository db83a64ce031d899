import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import type { Annotation } from "@/lib/core/domain/annotation";
import { compareText } from "@/lib/core/domain/compare-text";

import { JUDGMENT_WORDS } from "./judgment-words";
import type { ReviewDraft } from "./use-review-draft";

/** Offers the undone judgment as a draft, but not automatically: an undone judgment must not look saved. */
export function UndoneJudgment({
  form: { mine, isDirty },
  onUse,
}: {
  form: ReviewDraft;
  onUse: (version: Annotation) => void;
}) {
  const undone = isDirty ? null : findUndone(mine);
  if (undone === null) return null;
  return (
    <div className="review-message">
      <p>Undone: {JUDGMENT_WORDS[undone.judgment]}. What you wrote is kept in the history.</p>
      <p className="review-message-actions">
        <Button data-command="review.again" onClick={() => onUse(undone)}>
          Use this text again <CommandKey id="review.again" />
        </Button>
      </p>
    </div>
  );
}

function findUndone(mine: ReviewDraft["mine"]): Annotation | null {
  if (mine === null || mine.versions.some(({ versionId }) => versionId === mine.headVersionId)) return null;
  const undone = mine.versions.filter(({ status }) => status === "withdrawn");
  return undone.toSorted((a, b) => compareText(b.withdrawnAt ?? "", a.withdrawnAt ?? ""))[0] ?? null;
}
