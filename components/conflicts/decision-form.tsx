"use client";

import { Undo2 } from "lucide-react";
import { useOffline } from "next/offline";
import { Fragment, useState } from "react";

import { CategoryChips } from "@/components/annotations/categories";
import { type DecisionChoice, readReviewer } from "@/components/annotations/drafts";
import { EntryText } from "@/components/annotations/history";
import { AnnotationTime, JudgmentWord, JUDGMENT_WORDS } from "@/components/annotations/judgment-words";
import {
  Choices,
  describeRefusal,
  leaveOnEscape,
  Message,
  NameInput,
  NO_ANSWER_WORDS,
  Problem,
  ReadOnlyForm,
  SavedAt,
  StatementForm,
  TextPart,
  VerdictButtons,
  WAITING_WORDS,
} from "@/components/annotations/statement-form";
import {
  announceArrival,
  focusWhereLost,
  useAfter,
  useLastStatement,
} from "@/components/annotations/statements";
import { ForAction, useMay } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { DECISION_BASES, type DecisionBasis } from "@/lib/core/domain/review";
import { capitalise } from "@/lib/core/format/words";
import type { OpenConflict } from "@/lib/pages/conflicts/page";

import { BASIS_WORDS, type DecisionFormProps, type DecisionPanel, useDecision } from "./use-decision";

import "@/components/annotations/review.css";
import "./conflicts.css";

type Props = Omit<DecisionFormProps, "inBrowser">;

export function DecisionForm({ conflict, scope }: Props) {
  return (
    <aside className="panel review-panel decision-panel" aria-label="Decision">
      {useMay("saveDecision") ? (
        <Decision conflict={conflict} scope={scope} />
      ) : (
        <ReadOnlyForm title="Decision">
          <DecisionCard conflict={conflict} />
          <ForAction action="saveDecision" subject="Deciding" />
        </ReadOnlyForm>
      )}
    </aside>
  );
}

function Decision({ conflict, scope }: Props) {
  const inBrowser = useInBrowser();
  const { storageKey, decision } = conflict;
  const before = useLastStatement(inBrowser ? readReviewer().reviewerId : "", { hasSearch: true });
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
  const [isOpen, setIsOpen] = useState(false);
  return (
    <StatementForm
      title="Decision"
      isOpen={isOpen}
      onFold={() => setIsOpen(!isOpen)}
      onSave={() => panel.save(false)}
      inBrowser={inBrowser}
      status={describeDecisionStatus(panel, conflict)}
      foot={<Foot panel={panel} conflict={conflict} />}
      below={panel.last === null ? null : <p className="review-saved caption cut">{panel.last.words}</p>}
    >
      {panel.isDeciding ? (
        <Deciding panel={panel} conflict={conflict} onChosen={() => setIsOpen(true)} />
      ) : (
        <DecisionCard conflict={conflict} />
      )}
      <DecisionMessages panel={panel} conflict={conflict} />
    </StatementForm>
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
  const { content, change } = draft;
  const onChoose = (choice: DecisionChoice) => {
    choose(choice);
    onChosen();
  };
  return (
    <>
      {isReviewer ? (
        <p className="review-message decision-own" role="note">
          You judged this trial, so someone else must decide.
        </p>
      ) : null}
      <div>
        <VerdictButtons
          label="Decision"
          id="decision-choice"
          value={content.choice}
          problem={problems.choice}
          onChoose={onChoose}
        >
          <button
            type="button"
            className="review-verdict decision-open"
            aria-pressed={content.choice === "open"}
            onClick={() => onChoose("open")}
          >
            Leave open <CommandKey id="adjudication.open" />
          </button>
        </VerdictButtons>
      </div>
      <div className="review-part row decision-basis">
        <h3>
          Based on <CommandKey id="adjudication.basis" />
        </h3>
        <Choices
          label="Based on"
          values={DECISION_BASES}
          words={BASIS_WORDS}
          value={content.basedOn}
          onChange={(basedOn) => change({ basedOn })}
        />
      </div>
      <CategoryChips
        heading="Categories"
        offered={offered}
        chosen={content.categories}
        problem={undefined}
        typed={typedCategory}
        inputRef={categoryInput}
        onChange={(categories) => change({ categories })}
      />
      <TextPart
        id="decision-reason"
        label="Reason, required"
        help="Visible to both reviewers. Their judgments are not changed."
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
      <DeciderField draft={draft} problem={problems.decidedBy} />
      <Hidden conflict={conflict} />
    </>
  );
}

function DeciderField({ draft, problem }: { draft: DecisionPanel["draft"]; problem: string | undefined }) {
  return (
    <div className="review-part">
      <label>
        <span className="label">Decider</span>
        <NameInput
          id="decision-decidedBy"
          value={draft.decider.reviewerId}
          aria-invalid={problem !== undefined}
          aria-describedby="decision-decider-problem"
          onChange={(event) => draft.sign(event.target.value)}
          onKeyDown={leaveOnEscape}
        />
      </label>
      <Problem id="decision-decider-problem" text={problem} isAlert />
    </div>
  );
}

interface UnclearFieldProps {
  readonly value: string | null;
  readonly problem: string | undefined;
  readonly onChange: (note: string | null) => void;
}

function UnclearField({ value, problem, onChange }: UnclearFieldProps) {
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
            aria-label="Open question or proposal"
            placeholder="Open question or proposal"
            value={value}
            autoFocus
            id="decision-codebookNote"
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

function Hidden({ conflict: { context } }: { conflict: OpenConflict }) {
  if (context.agent !== null && context.verifier !== null) return null;
  return (
    <dl className="decision-hidden">
      {(["verifier", "agent"] as const).map((part) =>
        context[part] === null ? (
          <Fragment key={part}>
            <dt>{capitalise(part)}</dt>
            <dd>hidden until saved</dd>
          </Fragment>
        ) : null,
      )}
    </dl>
  );
}

function Foot({ panel, conflict }: { panel: DecisionPanel; conflict: OpenConflict }) {
  const { draft, last, isDeciding, isPending, isReviewer } = panel;
  const canUndo = draft.hasDraft || last !== null || (conflict.decision !== null && conflict.mayUndo);
  const isUndoLast = !draft.hasDraft && last !== null;
  return (
    <>
      <Button
        look="bare"
        onClick={panel.undo}
        disabled={!canUndo}
        aria-disabled={isPending}
        title={isUndoLast ? "Undo your previous decision and return to its conflict" : undefined}
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
    </>
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
      <p className="flow decision-final">
        {finalJudgment === null ? <b>Left open</b> : <JudgmentWord judgment={finalJudgment} />}
        <span className="muted">
          {decidedBy}, <AnnotationTime timestamp={decidedAt} />
        </span>
      </p>
      {basedOn === null ? null : <p className="muted">{BASIS_SENTENCES[basedOn]}</p>}
      <EntryText categories={categories} notes={reason} />
      {codebookNote === null ? null : (
        <p className="prose review-entry-notes">
          <b>Codebook unclear:</b> {codebookNote}
        </p>
      )}
      {isChangedSince ? (
        <p className="review-message" role="note">
          A reviewer changed a judgment after this decision. The decision still counts; decide again to
          replace it.
        </p>
      ) : null}
    </div>
  );
}

function describeDecisionStatus(
  { answer, draft, isPending }: DecisionPanel,
  { decision }: OpenConflict,
): { readonly words: React.ReactNode; readonly isBad: boolean } {
  if (isPending) return { words: "Saving…", isBad: false };
  if (draft.hasDraft) {
    const isRefused = answer !== null && answer.status !== "saved" && answer.status !== "undone";
    return { words: isRefused ? "Not saved" : "Draft, not saved", isBad: isRefused };
  }
  if (decision !== null) return { words: <SavedAt timestamp={decision.decidedAt} />, isBad: false };
  return { words: answer?.status === "undone" ? "Undone" : "Not decided", isBad: false };
}

function DecisionMessages({ panel, conflict }: { panel: DecisionPanel; conflict: OpenConflict }) {
  const { answer, draft, isPending } = panel;
  const isWaiting = useOffline() && isPending;
  const text = isWaiting ? WAITING_WORDS : describeAnswer(answer);
  if (draft.isOvertaken) return <Overtaken panel={panel} conflict={conflict} />;
  if (text === null) return null;
  const isGood = answer?.status === "saved" && !isWaiting;
  return (
    <Message isBad={!isGood}>
      <p>{text}</p>
    </Message>
  );
}

function describeAnswer(answer: DecisionPanel["answer"]): string | null {
  switch (answer?.status) {
    case undefined:
    case "saved":
    case "undone":
      return null;
    case "offline":
      return NO_ANSWER_WORDS;
    case "failed":
    case "conflict":
      return describeRefusal(answer.message);
    case "invalid":
      return [answer.message, ...Object.values(answer.fields)].join(" ");
  }
}

function Overtaken({ panel, conflict: { decision } }: { panel: DecisionPanel; conflict: OpenConflict }) {
  return (
    <Message isBad>
      {decision === null ? (
        <p>The decision you started from was undone. Your text is kept.</p>
      ) : (
        <>
          <p>
            {decision.decidedBy} decided meanwhile, <AnnotationTime timestamp={decision.decidedAt} />:{" "}
            {decision.finalJudgment === null ? "left open" : JUDGMENT_WORDS[decision.finalJudgment]}. Your
            text is kept.
          </p>
          <p className="prose review-entry-notes">{decision.reason}</p>
        </>
      )}
      <p className="flow review-message-actions">
        <Button onClick={panel.keepMine} disabled={panel.isPending || panel.isReviewer}>
          Keep mine
        </Button>
        <Button onClick={panel.draft.forget}>{decision === null ? "Discard mine" : "Keep theirs"}</Button>
      </p>
    </Message>
  );
}
