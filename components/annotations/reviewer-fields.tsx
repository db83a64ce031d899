import type { AnnotationDraft } from "@/lib/domain/annotation";
import { DRAFT_LIMITS } from "@/lib/domain/annotation";

type Reviewer = Pick<AnnotationDraft, "reviewerId" | "reviewerDiscipline">;

/** Who judges: name and discipline, remembered in this browser. */
export function ReviewerFields({
  value,
  problems,
  onChange,
}: {
  value: Reviewer;
  problems: { readonly reviewerId?: string; readonly reviewerDiscipline?: string };
  onChange: (change: Partial<Reviewer>) => void;
}) {
  const problem = problems.reviewerId ?? problems.reviewerDiscipline;
  return (
    <div className="review-part review-reviewer">
      <label>
        <span className="review-label">Reviewer</span>
        <input
          id="review-name"
          className="review-input"
          value={value.reviewerId}
          placeholder="Your name"
          autoComplete="name"
          maxLength={DRAFT_LIMITS.reviewerId}
          aria-invalid={problems.reviewerId !== undefined}
          aria-describedby="review-reviewer-problem"
          onChange={(event) => onChange({ reviewerId: event.target.value })}
          onKeyDown={leaveOnEscape}
        />
      </label>
      <label>
        <span className="review-label">
          Discipline <span className="muted">optional</span>
        </span>
        <input
          className="review-input"
          value={value.reviewerDiscipline ?? ""}
          autoComplete="off"
          maxLength={DRAFT_LIMITS.reviewerDiscipline}
          aria-invalid={problems.reviewerDiscipline !== undefined}
          onChange={(event) =>
            onChange({ reviewerDiscipline: event.target.value === "" ? null : event.target.value })
          }
          onKeyDown={leaveOnEscape}
        />
      </label>
      {problem === undefined ? null : (
        <p className="review-problem" id="review-reviewer-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Escape leaves a field, so that the single keys work again. */
export function leaveOnEscape(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key === "Escape" && !event.nativeEvent.isComposing) event.currentTarget.blur();
}
