"use client";

import { useState } from "react";

import { readReviewer, rememberReviewer } from "@/components/annotations/drafts";
import { ForAction, useMay } from "@/components/shell/account-context";
import { announce } from "@/components/shell/announcer";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { FieldsForm } from "@/components/ui/fields-form";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { SUGGESTION_ANSWERS, type Suggestion, type SuggestionAnswer } from "@/lib/core/domain/suggestion";
import { listNames } from "@/lib/core/format/list-names";
import { answerSuggestionAction } from "@/lib/pages/annotations/suggestion-actions";
import type { TrialAnswers } from "@/lib/pages/annotations/suggestions";

import "./suggestion-answer.css";

const WORDS: Readonly<Record<SuggestionAnswer, string>> = { accepted: "Yes", rejected: "No" };

export function SuggestionAnswers({
  of,
  suggestion: { suggester, version },
  label,
  question = "Correct?",
}: {
  of: TrialAnswers | null;
  suggestion: Suggestion;
  label: string;
  question?: string;
}) {
  const [waiting, setWaiting] = useState<SuggestionAnswer | null>(null);
  const [named, setNamed] = useState<SuggestionAnswer | null>(null);
  const { isPending: isSaving, run } = useAction({ isAnnounced: true });
  const mayAnswer = useMay("answerSuggestionAction");
  if (of === null) return null;
  const own = of.answers.filter((one) => one.suggester === suggester && one.version === version);
  const mine = own.find(({ isOwn }) => isOwn)?.answer ?? null;
  const others = own.filter(({ isOwn }) => !isOwn);
  if (!mayAnswer && own.length === 0) return null;
  const isDisputed = new Set(own.map(({ answer }) => answer)).size > 1;
  const save = (answer: SuggestionAnswer | null): void =>
    run(
      () => answerSuggestionAction({ target: of.target, suggester, version, answer }),
      () => {
        setWaiting(null);
        announce(answer === null ? "Answer undone." : `Answered: ${WORDS[answer]}.`);
      },
    );
  return (
    <div className="flow suggestion" role="group" aria-label={`Is it correct? ${label}`}>
      <ForAction action="answerSuggestionAction">
        <span className="muted">{question}</span>
        {waiting === null ? (
          SUGGESTION_ANSWERS.map((answer) => (
            <Button
              key={answer}
              aria-pressed={answer === mine}
              aria-disabled={isSaving}
              title={answer === mine ? "Your answer; press again to undo" : undefined}
              autoFocus={answer === named}
              onClick={() => {
                if (isSaving) return;
                if (answer === mine) save(null);
                else if (readReviewer().reviewerId === "") setWaiting(answer);
                else save(answer);
              }}
            >
              {WORDS[answer]}
            </Button>
          ))
        ) : (
          <NameForm
            answer={waiting}
            isSaving={isSaving}
            onCancel={() => setWaiting(null)}
            onName={() => {
              setNamed(waiting);
              save(waiting);
            }}
          />
        )}
      </ForAction>
      {others.length === 0 ? null : (
        <span className="caption">
          {isDisputed ? "Reviewers disagree: " : null}
          {listNames(
            others.map(({ reviewerId, answer }) => `${reviewerId}: ${WORDS[answer].toLowerCase()}`),
            ", ",
            8,
          )}
        </span>
      )}
    </div>
  );
}

function NameForm({
  answer,
  isSaving,
  onName,
  onCancel,
}: {
  answer: SuggestionAnswer;
  isSaving: boolean;
  onName: () => void;
  onCancel: () => void;
}) {
  return (
    <FieldsForm
      className="row"
      onSend={(read) => {
        const name = read("name").trim();
        if (name === "") return;
        rememberReviewer({ ...readReviewer(), reviewerId: name });
        onName();
      }}
      onCancel={onCancel}
    >
      <label>
        Your name{" "}
        <input
          className="input"
          name="name"
          maxLength={DRAFT_LIMITS.reviewerId}
          autoComplete="name"
          required
          autoFocus
        />
      </label>
      <Button type="submit" look="main" disabled={isSaving}>
        Save “{WORDS[answer]}”
      </Button>
    </FieldsForm>
  );
}
