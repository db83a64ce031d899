import type { RefObject } from "react";

import type { DecisionChoice } from "@/components/annotations/draft-storage";
import { JUDGMENT_MARKS, JUDGMENT_WORDS } from "@/components/annotations/judgment-words";
import { Problem } from "@/components/annotations/review-fields";
import { CommandKey } from "@/components/shell/command-key";
import { Mark } from "@/components/ui/mark";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import { DECISION_BASES, type DecisionBasis } from "@/lib/core/domain/review";

import { BASIS_WORDS } from "./use-decision-commands";

export function leaveOnEscape(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key === "Escape" && !event.nativeEvent.isComposing) event.currentTarget.blur();
}

export function ChoiceField({
  value,
  problem,
  onChoose,
}: {
  value: DecisionChoice | null;
  problem: string | undefined;
  onChoose: (choice: DecisionChoice) => void;
}) {
  return (
    <div>
      <div
        className="review-verdicts"
        role="group"
        aria-label="Decision"
        aria-describedby="decision-choice-problem"
      >
        {JUDGMENTS.map((judgment, index) => (
          <button
            key={judgment}
            type="button"
            className={`review-verdict review-verdict-${judgment}`}
            aria-pressed={value === judgment}
            data-decision-field={index === 0 ? "choice" : undefined}
            data-invalid={problem === undefined ? undefined : ""}
            onClick={() => onChoose(judgment)}
          >
            <Mark status={JUDGMENT_MARKS[judgment]} size={16} />
            {JUDGMENT_WORDS[judgment]}
            <CommandKey id={`review.${judgment}`} />
          </button>
        ))}
        <button
          type="button"
          className="review-verdict decision-open"
          aria-pressed={value === "open"}
          onClick={() => onChoose("open")}
        >
          Leave open <CommandKey id="adjudication.open" />
        </button>
      </div>
      <Problem id="decision-choice-problem" text={problem} isAlert />
    </div>
  );
}

export function BasisField({
  value,
  onChange,
}: {
  value: DecisionBasis | null;
  onChange: (basis: DecisionBasis | null) => void;
}) {
  return (
    <div className="review-part row decision-basis">
      <h3>
        <span id="decision-basis">Based on</span> <CommandKey id="adjudication.basis" />
      </h3>
      <div className="row decision-segment" role="group" aria-labelledby="decision-basis">
        {DECISION_BASES.map((basis) => (
          <button
            key={basis}
            type="button"
            aria-pressed={value === basis}
            onClick={() => onChange(value === basis ? null : basis)}
          >
            {BASIS_WORDS[basis]}
          </button>
        ))}
      </div>
    </div>
  );
}

export function ReasonField({
  value,
  problem,
  inputRef,
  onChange,
}: {
  value: string;
  problem: string | undefined;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  onChange: (reason: string) => void;
}) {
  return (
    <div className="review-part">
      <h3>
        <label htmlFor="decision-reason">Reason, required</label> <CommandKey id="review.note" />
      </h3>
      <textarea
        id="decision-reason"
        ref={inputRef}
        className="input review-note"
        rows={4}
        value={value}
        required
        data-decision-field="reason"
        aria-invalid={problem !== undefined}
        aria-describedby="decision-reason-help decision-reason-problem"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={leaveOnEscape}
      />
      <p className="caption" id="decision-reason-help">
        Both reviewers read it. Their judgments stay as they are.
      </p>
      <Problem id="decision-reason-problem" text={problem} isAlert />
    </div>
  );
}

export function UnclearField({
  value,
  problem,
  onChange,
}: {
  value: string | null;
  problem: string | undefined;
  onChange: (note: string | null) => void;
}) {
  return (
    <div className="review-part">
      <label className="row decision-unclear">
        <input
          type="checkbox"
          checked={value !== null}
          onChange={(event) => onChange(event.target.checked ? "" : null)}
        />
        Codebook unclear <CommandKey id="adjudication.unclear" />
      </label>
      {value === null ? null : (
        <>
          <textarea
            className="input review-note decision-unclear-note"
            rows={2}
            aria-label="What is unclear, or what you propose"
            placeholder="What is unclear, or what you propose"
            value={value}
            autoFocus
            data-decision-field="codebookNote"
            aria-invalid={problem !== undefined}
            aria-describedby="decision-unclear-problem"
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={leaveOnEscape}
          />
          <Problem id="decision-unclear-problem" text={problem} isAlert />
        </>
      )}
    </div>
  );
}
