"use client";

import { ChevronUp } from "lucide-react";
import type { ReactNode, RefObject } from "react";

import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { type Judgment, JUDGMENTS } from "@/lib/core/domain/judgment";

import { JUDGMENT_MARKS, JUDGMENT_WORDS } from "./judgment-words";

import "./review-panel.css";

/** The frame of a form that judges or decides: a bottom sheet in narrow windows. Elsewhere it is folded until it is used. */
export function StatementForm({
  title,
  isOpen,
  isUsed = true,
  onFold,
  onSave,
  inBrowser,
  status,
  foot,
  below,
  children,
}: {
  title: string;
  isOpen: boolean;
  isUsed?: boolean;
  onFold: () => void;
  onSave: () => void;
  inBrowser: boolean;
  status: { readonly words: ReactNode; readonly isBad: boolean };
  foot: ReactNode;
  below: ReactNode;
  children: ReactNode;
}) {
  return (
    <form
      className={`review-form${isOpen ? "" : isUsed ? " review-folded" : " review-folded review-unused"}`}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <header className="row review-head">
        <h2>{title}</h2>
        {/* Shown only where the form folds. */}
        <Button look="bare" className="review-fold" aria-expanded={isOpen} onClick={onFold}>
          <ChevronUp size={16} aria-hidden /> {isOpen ? "Fold" : "Whole form"}
        </Button>
        {inBrowser ? (
          <span
            className={`caption nowrap review-status${status.isBad ? " review-status-bad" : ""}`}
            role="status"
          >
            {status.words}
          </span>
        ) : null}
      </header>
      {/* Before the scripts are there a click would be lost without a word. */}
      <fieldset className="review-fields" disabled={!inBrowser}>
        <div className="review-body">{children}</div>
        <footer className="row review-foot">{foot}</footer>
      </fieldset>
      {below}
    </form>
  );
}

export function Message({ isBad, children }: { isBad: boolean; children: ReactNode }) {
  return (
    <div
      className={isBad ? "review-message review-message-bad" : "review-message"}
      role={isBad ? "alert" : "status"}
    >
      {children}
    </div>
  );
}

export function VerdictButtons({
  label,
  id,
  value,
  problem,
  onChoose,
  children,
}: {
  label: string;
  id: string;
  value: string | null;
  problem: string | undefined;
  onChoose: (judgment: Judgment) => void;
  children?: ReactNode;
}) {
  return (
    <>
      <div className="review-verdicts" role="group" aria-label={label} aria-describedby={`${id}-problem`}>
        {JUDGMENTS.map((judgment) => (
          <button
            key={judgment}
            type="button"
            className={`review-verdict review-verdict-${judgment}`}
            aria-pressed={value === judgment}
            data-invalid={problem === undefined ? undefined : ""}
            onClick={() => onChoose(judgment)}
          >
            <Mark status={JUDGMENT_MARKS[judgment]} size={16} />
            {JUDGMENT_WORDS[judgment]}
            <CommandKey id={`review.${judgment}`} />
          </button>
        ))}
        {children}
      </div>
      <Problem id={`${id}-problem`} text={problem} isAlert />
    </>
  );
}

/** Buttons with at most one pressed; pressing it again releases it. */
export function Choices<Value extends string>({
  label,
  values,
  words,
  value,
  onChange,
}: {
  label: string;
  values: readonly Value[];
  words: Readonly<Record<Value, string>>;
  value: Value | null;
  onChange: (value: Value | null) => void;
}) {
  return (
    <div className="review-choices" role="group" aria-label={label}>
      {values.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={value === one}
          onClick={() => onChange(value === one ? null : one)}
        >
          {words[one]}
        </button>
      ))}
    </div>
  );
}

/** Returns the value after `value`, and null after the last. */
export function cycle<Value>(values: readonly Value[], value: Value | null): Value | null {
  return values[value === null ? 0 : values.indexOf(value) + 1] ?? null;
}

export function TextPart({
  id,
  label,
  help,
  value,
  problem,
  inputRef,
  onChange,
}: {
  id: string;
  label: string;
  /** Makes the text required. */
  help?: string;
  value: string;
  problem: string | undefined;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  onChange: (text: string) => void;
}) {
  const about = [help === undefined ? "" : `${id}-help`, problem === undefined ? "" : `${id}-problem`];
  return (
    <div className="review-part">
      <h3>
        <label htmlFor={id}>{label}</label> <CommandKey id="review.note" />
      </h3>
      <textarea
        id={id}
        ref={inputRef}
        className="input review-note"
        rows={4}
        value={value}
        required={help !== undefined}
        aria-invalid={problem !== undefined}
        aria-describedby={about.filter(Boolean).join(" ") || undefined}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={leaveOnEscape}
      />
      {help === undefined ? null : (
        <p className="caption" id={`${id}-help`}>
          {help}
        </p>
      )}
      <Problem id={`${id}-problem`} text={problem} isAlert />
    </div>
  );
}

function reveal(problem: HTMLElement | null): void {
  problem?.scrollIntoView({ block: "nearest" });
}

export function Problem({ id, text, isAlert }: { id?: string; text: string | undefined; isAlert?: boolean }) {
  if (text === undefined) return null;
  return (
    <p
      className="review-problem"
      id={id}
      role={isAlert ? "alert" : undefined}
      ref={isAlert ? reveal : undefined}
    >
      {text}
    </p>
  );
}

export function leaveOnEscape(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key === "Escape" && !event.nativeEvent.isComposing) event.currentTarget.blur();
}
