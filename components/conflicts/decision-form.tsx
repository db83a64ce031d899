"use client";

import { ChevronUp, Undo2 } from "lucide-react";
import { useState } from "react";

import { CategoryChips } from "@/components/annotations/category-chips";
import { readReviewer } from "@/components/annotations/draft-storage";
import { AnnotationTime, JudgmentWord } from "@/components/annotations/judgment-words";
import { announceArrival } from "@/components/annotations/last-statement";
import { Problem } from "@/components/annotations/review-fields";
import { focusWhereLost, useAfter } from "@/components/annotations/use-focus-after";
import { ForAction, useAccountName, useMay } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import type { DecisionBasis } from "@/lib/core/domain/review";
import type { OpenConflict } from "@/lib/pages/conflicts/open-conflict";

import { leaveOnEscape, BasisField, ChoiceField, ReasonField, UnclearField } from "./decision-fields";
import { DecisionMessages, describeDecisionStatus } from "./decision-messages";

import "@/components/annotations/review-panel.css";
import "@/components/annotations/review-history.css";
import "./decision-form.css";
import { type DecisionFormProps, type DecisionPanel, useDecision, useLastDecision } from "./use-decision";

type Props = Omit<DecisionFormProps, "inBrowser">;

export function DecisionForm(props: Props) {
  return (
    <aside className="review-panel decision-panel" aria-label="Decision">
      {useMay("saveDecision") ? <Decision {...props} /> : <Decided {...props} />}
    </aside>
  );
}

function Decided({ conflict }: Props) {
  return (
    <div className="review-form">
      <header className="row review-head">
        <h2>Decision</h2>
      </header>
      <div className="review-body">
        <DecisionCard conflict={conflict} />
        <ForAction action="saveDecision" subject="Deciding" />
      </div>
    </div>
  );
}

function Decision({ conflict, scope }: Props) {
  const inBrowser = useInBrowser();
  const { storageKey, decision } = conflict;
  const before = useLastDecision(inBrowser ? readReviewer().reviewerId : "");
  useAfter(storageKey, () => {
    announceArrival(storageKey, before);
    focusWhereLost("#conflict-name");
  });
  useAfter(decision?.decisionId ?? "", () =>
    focusWhereLost(".decision-card", ".review-verdicts > button", "#conflict-name"),
  );
  return (
    <DecisionFields
      key={`${String(inBrowser)} ${conflict.storageKey}`}
      conflict={conflict}
      scope={scope}
      inBrowser={inBrowser}
    />
  );
}

function DecisionFields(props: DecisionFormProps) {
  const { conflict, inBrowser } = props;
  const panel = useDecision(props);
  // Used in narrow windows only, where the form is a bottom sheet; elsewhere it is always open.
  const [isOpen, setIsOpen] = useState(false);
  const { words, isBad } = describeDecisionStatus(panel, conflict);
  return (
    <form
      className={isOpen ? "review-form" : "review-form review-folded"}
      aria-label="Decision"
      onSubmit={(event) => {
        event.preventDefault();
        panel.save(false);
      }}
    >
      <header className="row review-head">
        <h2>Decision</h2>
        <Button look="bare" className="review-fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <ChevronUp size={16} aria-hidden /> {isOpen ? "Fold" : "Whole form"}
        </Button>
        {inBrowser ? (
          <span
            className={
              isBad ? "caption nowrap review-status review-status-bad" : "caption nowrap review-status"
            }
            role="status"
          >
            {words}
          </span>
        ) : null}
      </header>
      {/* Before the scripts are there a click would be lost without a word. */}
      <fieldset className="review-fields" disabled={!inBrowser}>
        <div className="review-body">
          {panel.isDeciding ? (
            <Deciding panel={panel} conflict={conflict} onChosen={() => setIsOpen(true)} />
          ) : (
            <DecisionCard conflict={conflict} />
          )}
          <DecisionMessages panel={panel} conflict={conflict} />
        </div>
        <Foot panel={panel} conflict={conflict} />
      </fieldset>
      {panel.last === null ? null : (
        <p className="review-saved caption cut">{panel.last.words}</p>
      )}
    </form>
  );
}

function Deciding({
  panel: { draft, problems, offered, isReviewer, choose, reason, typedCategory, categoryInput },
  conflict,
  onChosen,
}: {
  panel: DecisionPanel;
  conflict: OpenConflict;
  onChosen: () => void;
}) {
  const { content, change, decider } = draft;
  const isSignedIn = useAccountName() !== null;
  return (
    <>
      {isReviewer ? (
        <p className="review-message decision-own" role="note">
          You judged this trial yourself. Somebody else has to decide.
        </p>
      ) : null}
      <ChoiceField
        value={content.choice}
        problem={problems.choice}
        onChoose={(choice) => {
          choose(choice);
          onChosen();
        }}
      />
      <BasisField value={content.basedOn} onChange={(basedOn) => change({ basedOn })} />
      <CategoryChips
        heading="Categories"
        offered={offered}
        chosen={content.categories}
        problem={undefined}
        typed={typedCategory}
        inputRef={categoryInput}
        onChange={(categories) => change({ categories })}
      />
      <ReasonField
        value={content.reason}
        problem={problems.reason}
        inputRef={reason}
        onChange={(text) => change({ reason: text })}
      />
      <UnclearField
        value={content.codebookNote}
        problem={problems.codebookNote}
        onChange={(codebookNote) => change({ codebookNote })}
      />
      <div className="review-part">
        <label>
          <span className="review-label">Decider</span>
          <input
            className="input review-input"
            value={decider.reviewerId}
            readOnly={isSignedIn}
            autoComplete="name"
            maxLength={DRAFT_LIMITS.reviewerId}
            data-decision-field="decidedBy"
            aria-invalid={problems.decidedBy !== undefined}
            aria-describedby="decision-decider-problem"
            onChange={(event) => draft.sign(event.target.value)}
            onKeyDown={leaveOnEscape}
          />
        </label>
        <Problem id="decision-decider-problem" text={problems.decidedBy} isAlert />
      </div>
      <Hidden conflict={conflict} />
    </>
  );
}

function Hidden({ conflict: { context } }: { conflict: OpenConflict }) {
  if (context.agent !== null && context.verifier !== null) return null;
  return (
    <dl className="decision-hidden">
      {context.verifier === null ? (
        <>
          <dt>Verifier</dt>
          <dd>hidden until saved</dd>
        </>
      ) : null}
      {context.agent === null ? (
        <>
          <dt>Agent</dt>
          <dd>hidden until saved</dd>
        </>
      ) : null}
    </dl>
  );
}

function Foot({ panel, conflict }: { panel: DecisionPanel; conflict: OpenConflict }) {
  const { draft, last, isDeciding, isPending, isReviewer } = panel;
  const canUndo = draft.hasDraft || last !== null || (conflict.decision !== null && conflict.mayUndo);
  const isUndoLast = !draft.hasDraft && last !== null;
  return (
    <footer className="row review-foot">
      <Button
        look="bare"
        onClick={panel.undo}
        disabled={!canUndo}
        aria-disabled={isPending}
        title={isUndoLast ? "Undo your decision on the conflict before, and go back to it" : undefined}
      >
        <Undo2 size={14} aria-hidden /> {draft.hasDraft ? "Discard" : isUndoLast ? "Undo last" : "Undo"}{" "}
        <CommandKey id="review.undo" />
      </Button>
      {isDeciding ? (
        <>
          <Button type="submit" disabled={isReviewer} aria-disabled={isPending} title="Ctrl S">
            Save
          </Button>
          <Button
            look="main"
            disabled={isReviewer}
            aria-disabled={isPending}
            onClick={() => panel.save(true)}
            title="Save, then open the next conflict to decide"
            data-command="review.saveNext"
          >
            Save and next <CommandKey id="review.saveNext" />
          </Button>
        </>
      ) : (
        <Button onClick={draft.begin} disabled={isReviewer}>
          Decide again
        </Button>
      )}
    </footer>
  );
}

const BASIS_SENTENCES: Readonly<Record<DecisionBasis, string>> = {
  a: "Based on A",
  b: "Based on B",
  both: "Based on A and B",
  own: "Based on their own reading",
};

function DecisionCard({ conflict: { decision, isChangedSince } }: { conflict: OpenConflict }) {
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
