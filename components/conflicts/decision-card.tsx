import { AnnotationTime, JudgmentWord } from "@/components/annotations/judgment-words";
import type { DecisionBasis } from "@/lib/core/domain/review";
import type { OpenConflict } from "@/lib/pages/conflicts/open-conflict";

const BASIS_SENTENCES: Readonly<Record<DecisionBasis, string>> = {
  a: "Based on A",
  b: "Based on B",
  both: "Based on A and B",
  own: "Based on their own reading",
};

export function DecisionCard({ conflict: { decision, isChangedSince } }: { conflict: OpenConflict }) {
  if (decision === null) return null;
  const { finalJudgment, basedOn, categories, reason, codebookNote, decidedBy, decidedAt } = decision;
  return (
    <div className="decision-card" tabIndex={-1}>
      <p className="row decision-final">
        {finalJudgment === null ? <b>Left open</b> : <JudgmentWord judgment={finalJudgment} />}
        <span className="muted">
          {decidedBy}, <AnnotationTime timestamp={decidedAt} />
        </span>
      </p>
      {basedOn === null ? null : <p className="muted">{BASIS_SENTENCES[basedOn]}</p>}
      {categories.length === 0 ? null : <p className="review-entry-categories">{categories.join(", ")}</p>}
      <p className="review-entry-notes">{reason}</p>
      {codebookNote === null ? null : (
        <p className="review-entry-notes">
          <b>Codebook unclear:</b> {codebookNote}
        </p>
      )}
      {isChangedSince ? (
        <p className="review-message" role="note">
          A reviewer changed a judgment after this decision. It still counts: decide again if it should not.
        </p>
      ) : null}
    </div>
  );
}
